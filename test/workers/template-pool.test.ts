import { afterAll, describe, expect, it } from 'vitest';
import { ApiError } from '../../src/core/errors.ts';
import { loads } from '../../src/core/python-json.ts';
import { renderTemplatePrompt } from '../../src/render/template-prompt.ts';
import type { TemplateJob } from '../../src/render/template-prompt.ts';
import { TemplatePool } from '../../src/workers/template-pool.ts';
import { fromTransferable, toTransferable } from '../../src/workers/transferable.ts';

const pool = new TemplatePool(1);
afterAll(() => pool.close());

function job(source: string, members: Partial<TemplateJob> = {}): TemplateJob {
  const messages = [{ role: 'user', content: 'Hi' }];
  return { source, contentFormat: 'string', messages, tools: null, kwargs: {}, specialTokens: {}, now: null, ...members };
}

describe('the template pool', () => {
  it('renders as the main thread does', async () => {
    const one = job('{% for m in messages %}{{ m.role }}: {{ m.content }}{{ eos_token }}{% endfor %}', {
      specialTokens: { eos_token: '</s>' },
    });
    expect((await pool.render(one)).prompt).toEqual(renderTemplatePrompt(one));
  });

  it('hands refusals on as they are', async () => {
    const refused = pool.render(job('{{ raise_exception("no") }}'));
    await expect(refused).rejects.toThrow(ApiError);
    await expect(refused).rejects.toMatchObject({ status: 400, type: 'BadRequestError' });
    await expect(pool.render(job('x', { messages: [] }))).rejects.toMatchObject({ status: 400 });
  });
});

describe('what goes between threads', () => {
  it('keeps numbers that JavaScript would lose', () => {
    const value = { a: [loads('{"b": 1.0, "c": 12345678901234567890, "1": [-0.0, 1e300, 2]}')], d: 'text' };
    expect(fromTransferable(structuredClone(toTransferable(value)))).toEqual(value);
  });

  it('copies nothing where there are none', () => {
    const value = { a: [1, { b: null }], m: new Map([['k', [true]]]) };
    expect(toTransferable(value)).toBe(value);
  });
});

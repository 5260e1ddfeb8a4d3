import { describe, expect, it } from 'vitest';
import { renderTemplatePrompt } from '../../src/render/template-prompt.ts';
import type { TemplateJob } from '../../src/render/template-prompt.ts';
import { TemplateRenderer } from '../../src/workers/template-renderer.ts';

const TEMPLATE = '{% for m in messages %}{{ m.content }}{% endfor %}';

function job(count: number, source: string = TEMPLATE): TemplateJob {
  const messages = Array.from({ length: count }, () => ({ role: 'user', content: 'x' }));
  return { source, contentFormat: 'string', messages, tools: null, kwargs: {}, specialTokens: {}, now: null };
}

/** A renderer for which every render takes as long as told, here and elsewhere. */
function rendererOf(own: readonly string[], milliseconds: number): TemplateRenderer {
  let time = 0;
  const now = (): number => (time += milliseconds);
  const pool = { render: async (one: TemplateJob) => ({ prompt: renderTemplatePrompt(one), milliseconds }), close: async () => {} };
  return new TemplateRenderer({ pool, own, now });
}

/** Where a job is rendered, and that the prompt is right. */
async function placeOf(renderer: TemplateRenderer, one: TemplateJob): Promise<'here' | 'elsewhere'> {
  const prompt = renderer.render(one);
  const place = prompt instanceof Promise ? 'elsewhere' : 'here';
  expect((await prompt).text).toBe('x'.repeat(one.messages.length));
  return place;
}

describe('where templates are rendered', () => {
  it('the own template: here', async () => {
    const renderer = rendererOf([TEMPLATE], 0.5);
    expect([await placeOf(renderer, job(1)), await placeOf(renderer, job(100))]).toEqual(['here', 'here']);
  });

  it('the own template, once it turned out slow for so many messages: elsewhere', async () => {
    const renderer = rendererOf([TEMPLATE], 8);
    expect([await placeOf(renderer, job(1)), await placeOf(renderer, job(100)), await placeOf(renderer, job(1))]).toEqual([
      'here',
      'elsewhere',
      'here',
    ]);
  });

  it('an unknown template: elsewhere, until it is known to be fast', async () => {
    const renderer = rendererOf([], 0.5);
    expect([await placeOf(renderer, job(100)), await placeOf(renderer, job(1))]).toEqual(['elsewhere', 'here']);
  });

  it('refusals come from both places', async () => {
    const renderer = rendererOf([TEMPLATE], 1);
    expect(() => renderer.render(job(0))).toThrow(/no messages/);
    await expect(renderer.render(job(1, '{{ raise_exception("no") }}'))).rejects.toMatchObject({ status: 400 });
  });
});

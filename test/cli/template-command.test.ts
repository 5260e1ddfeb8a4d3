import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { afterAll, describe, expect, it } from 'vitest';
import { runTemplateCommand } from '../../src/cli/template-command.ts';
import { StartupError } from '../../src/core/errors.ts';

const directory = mkdtempSync(join(tmpdir(), 'template-command-'));
const file = join(directory, 'chat.jinja');
writeFileSync(
  file,
  "{{ bos_token }}{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}{% if add_generation_prompt %}<assistant>{% endif %}{{ strftime_now('%Y') if year }}",
);
afterAll(() => rmSync(directory, { recursive: true }));

async function run(
  words: readonly string[],
  input: string,
  variables: Record<string, string> = {},
): Promise<{ code: number; out: string; err: string }> {
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  const code = await runTemplateCommand(words, {
    stdin: Readable.from([input]),
    stdout,
    stderr,
    variables,
    loadModelTemplate: async (model) => ({
      template: `{{ bos_token }}${model}:{{ messages|length }}`,
      specialTokens: { bos_token: '<s>' },
    }),
  });
  return { code, out: String(stdout.read() ?? ''), err: String(stderr.read() ?? '') };
}

describe('derender-server template', () => {
  it('prints the prompt of a list of messages', async () => {
    expect(await run(['--template', file], '[{"role": "user", "content": "hi"}]')).toEqual({
      code: 0,
      out: '<user>hi<assistant>\n',
      err: '',
    });
  });

  it('takes further variables, and the message to go on with', async () => {
    const conversation = { messages: [{ role: 'assistant', content: 'so ' }], continue_final_message: true };
    expect((await run(['--template', file], JSON.stringify(conversation))).out).toBe('<assistant>so \n');
  });

  it('takes template and tokens of a model', async () => {
    expect((await run(['--model', 'm'], '[{}, {}]')).out).toBe('<s>m:2\n');
  });

  it('fixes the clock by option and by environment', async () => {
    const conversation = '{"messages": [], "year": true, "add_generation_prompt": false}';
    expect((await run(['--template', file, '--template-now', '2031-01-02'], conversation)).out).toBe('2031\n');
    expect((await run(['--template', file], conversation, { DERENDER_TEMPLATE_NOW: '2032-01-02T03:04:05Z' })).out).toBe('2032\n');
  });

  it('says what the template raised, and where', async () => {
    const broken = join(directory, 'broken.jinja');
    writeFileSync(broken, "\n{{ raise_exception('roles must alternate') }}");
    const { code, err } = await run(['--template', broken], '[]');
    expect(code).toBe(1);
    expect(err).toContain('roles must alternate (line 2)');
  });

  it('answers lines, each for itself', async () => {
    const lines = [
      '{"template": "{{ x }}{{ a_token }}", "variables": {"x": {"10": 1.0, "2": 12345678901234567890}}, "special_tokens": {"a_token": "!"}}',
      '',
      '{"template": "{{ x.y }}"}',
      '{"template": "{{ add_generation_prompt }}{{ strftime_now(\'%d\') }}", "now": "2026-12-01T00:00:00Z"}',
      'no json',
      '{"variables": {}}',
      '{"template": "x", "now": "yesterday"}',
      '{"template": "x", "variables": []}',
    ];
    const answers = (await run([], lines.join('\n'))).out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { text?: string; error?: string });
    expect(answers.slice(0, 3)).toEqual([
      { text: "{'10': 1.0, '2': 12345678901234567890}!" },
      { error: "UndefinedError: 'x' is undefined (line 1)" },
      { text: 'True01' },
    ]);
    expect(answers.slice(3).map(({ error }) => typeof error)).toEqual(['string', 'string', 'string', 'string']);
  });

  it('explains itself', async () => {
    expect((await run(['--help'], '')).out).toContain('--template-now');
  });

  it.each([
    [['--template', join(directory, 'nosuch')], '[]'],
    [['--template', file], 'no json'],
    [['--template', file], '5'],
    [['--template', file, '--model', 'x'], '[]'],
    [['--nosuch'], '[]'],
    [['--template', file, '--template-now', 'soon'], '[]'],
  ])('refuses %j in one sentence', async (words, input) => {
    await expect(run(words, input)).rejects.toThrow(StartupError);
  });
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { runParseCommand } from '../../src/cli/parse-command.ts';
import { runParsersCommand } from '../../src/cli/parsers-command.ts';
import { reasoningParserNames, toolParserNames } from '../../src/parsers/registry.ts';

const QWEN3 = fileURLToPath(new URL('../../fixtures/models/qwen3', import.meta.url));
const directory = mkdtempSync(join(tmpdir(), 'parse-'));
afterAll(() => rmSync(directory, { recursive: true }));

function file(name: string, content: string): string {
  const path = join(directory, name);
  writeFileSync(path, content);
  return path;
}

interface Printed {
  out: string;
  err: string;
}

async function parse(input: string, ...words: string[]): Promise<Printed> {
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  await runParseCommand(words, { stdin: Readable.from([input]), stdout, stderr, variables: {} });
  stdout.end();
  stderr.end();
  return { out: await text(stdout), err: await text(stderr) };
}

function lines({ out }: Printed): unknown[] {
  return out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
}

const CODER = ['--tool-call-parser', 'qwen3_coder', '--reasoning-parser', 'qwen3'];
const CALL = '<tool_call>\n<function=set>\n<parameter=n>\n3\n</parameter>\n</function>\n</tool_call>';

describe('derender-server parse', () => {
  it('splits an output, with the types that the tools give', async () => {
    const output = `Hm.</think>Right away.${CALL}`;
    expect((await parse(output, ...CODER)).out).toBe('reasoning:\n  Hm.\ncontent:\n  Right away.\ntool call 0: set\n  {"n": "3"}\n');
    const tools = file(
      'tools.json',
      JSON.stringify([{ type: 'function', function: { name: 'set', parameters: { properties: { n: { type: 'integer' } } } } }]),
    );
    expect(lines(await parse(output, ...CODER, '--tools', tools, '--json'))).toEqual([
      { reasoning: 'Hm.', content: 'Right away.', tool_calls: [{ name: 'set', arguments: '{"n": 3}' }] },
    ]);
  });

  it('takes what the request and the prompt say', async () => {
    const closed = await parse('Yes.', ...CODER, '--prompt', '<think>\n\n</think>\n\n', '--json');
    expect(lines(closed)).toEqual([{ reasoning: null, content: 'Yes.', tool_calls: [] }]);
    const off = await parse('Yes.', ...CODER, '--default-chat-template-kwargs.enable_thinking', 'false', '--json');
    expect(lines(off)).toEqual([{ reasoning: null, content: 'Yes.', tool_calls: [] }]);
    const none = await parse(
      '<tool_call>{"name": "f", "arguments": {}}</tool_call>',
      '--tool-call-parser=hermes',
      '--tool-choice=none',
      '--json',
    );
    expect(lines(none)).toMatchObject([{ content: '<tool_call>{"name": "f", "arguments": {}}</tool_call>', tool_calls: [] }]);
  });

  it('shows what each chunk adds and the size of the state', async () => {
    const printed = lines(await parse('Hm.</think>Yes.', ...CODER, '--deltas', '--json', '--chunk', '2'));
    expect(printed).toMatchObject([
      { chunk: 0, text: 'Hm.', delta: { reasoning: 'Hm.' } },
      { chunk: 1, text: '</think>Yes', delta: { content: 'Yes' } },
      { chunk: 2, text: '.', delta: { content: '.' } },
      { chunk: 3, text: '', delta: {} },
    ]);
    expect(printed.every((line) => (line as { state_bytes: number }).state_bytes > 100)).toBe(true);
    expect((await parse('Hm.</think>Yes.', ...CODER, '--deltas')).out).toMatch(/^0 "Hm" {2}\{"reasoning":"Hm"\} {2}state \d+ B\n/);
  });

  it('tells which marker or token switched, and where', async () => {
    const { out } = await parse(`Hm.</think>Yes.${CALL}`, ...CODER, '--explain');
    expect(out.split('\n').slice(0, 5)).toEqual([
      'start: reasoning.mode reasoning, reasoning.phase open, tool.mode content, tool.call none',
      '#0 at 0, "Hm" behind "": gives reasoning',
      '#2 at 3, token "</think>" (1): reasoning over',
      '#3 at 11, "Yes" behind "Hm.</think>": gives content',
      expect.stringMatching(/^#5 at 15, token "<tool_call>" \(2\): tool\.mode content → preamble, tool\.call none → open/),
    ]);
    expect(out).toContain('gives call 0 (set)');
  });

  it('reads token ids, answers and recorded streams of the engine with the tokenizer of the model', async () => {
    const flags = ['--model', QWEN3, '--tool-call-parser', 'auto', '--json'];
    const ids = [40, 1366, 151657, 198, 4913, 606, 788, 330, 69, 497, 330, 16370, 788, 4687, 151658, 151645];
    const right = { reasoning: null, content: 'I want', tool_calls: [{ name: 'f', arguments: '{}' }] };
    const whole = await parse(JSON.stringify(ids), ...flags);
    expect(lines(whole)).toEqual([right]);
    expect(whole.err).toContain('--tool-call-parser auto: chose hermes, because its chat template has "<tool_call>"');
    expect(lines(await parse(JSON.stringify({ choices: [{ index: 0, token_ids: ids, finish_reason: 'stop' }] }), ...flags))).toEqual([
      right,
    ]);
    const events = [ids.slice(0, 4), ids.slice(4, 12), ids.slice(12)]
      .map((chunk) => `data: ${JSON.stringify({ choices: [{ index: 0, token_ids: chunk }] })}\n\n`)
      .join('');
    expect(lines(await parse(`${events}data: [DONE]\n\n`, ...flags))).toEqual([right]);
    const deltas = lines(await parse(events, ...flags, '--deltas'));
    expect(deltas.map((line) => (line as { text: string }).text)).toEqual(
      ['I want<tool_call>\n', '{"name": "f", "arguments"', '": {}}</tool_call>', ''].map(() => expect.any(String)),
    );
    expect(deltas).toHaveLength(4);
  });

  it('refuses what it cannot work with in one sentence', async () => {
    await expect(parse('[1, 2]', '--tool-call-parser', 'hermes')).rejects.toThrow('token ids need --model');
    await expect(parse('x')).rejects.toThrow('give --tool-call-parser or --reasoning-parser');
    await expect(parse('x', '--tool-call-parser', 'herms')).rejects.toThrow('Did you mean hermes');
    await expect(parse('x', ...CODER, '--chunk', '0')).rejects.toThrow('--chunk must be a number from 1');
    await expect(parse('x', ...CODER, '--deltas', '--explain')).rejects.toThrow('not both');
    await expect(parse('x', ...CODER, '--tools', file('bad.json', '{'))).rejects.toThrow('cannot be read as JSON');
    await expect(parse('data: {"error": 1}', ...CODER)).rejects.toThrow('no chunk of a generate stream');
    await expect(parse('x', '--tool-call-parser', 'auto')).rejects.toThrow('no format is known to fit');
    await expect(parse('x', ...CODER, '--chunks', '1')).rejects.toThrow('is no option');
  });

  it('parses by a file that declares a format', async () => {
    const path = file('mine.yaml', 'name: mine\ntool_calls:\n  payload: json\n  open: "[["\n  close: "]]"\n');
    const { out } = await parse('Look: [[{"name": "f", "arguments": {"a": [1]}}]] Done.', '--tool-call-parser', path);
    expect(out).toBe('content:\n  Look:  Done.\ntool call 0: f\n  {"a": [1]}\n');
  });

  it('says how it is used', async () => {
    expect((await parse('', '--help')).out).toMatch(/^Usage: derender-server parse/);
  });
});

describe('derender-server parsers', () => {
  async function list(...words: string[]): Promise<string> {
    const stdout = new PassThrough();
    expect(runParsersCommand(words, stdout)).toBe(0);
    stdout.end();
    return text(stdout);
  }

  it('lists every name with a sample', async () => {
    const formats = JSON.parse(await list('--json')) as {
      tool_call_parser: string[];
      reasoning_parser: string[];
      models: string;
      sample: string;
    }[];
    expect(formats.flatMap((format) => format.tool_call_parser).sort()).toEqual(toolParserNames());
    expect(formats.flatMap((format) => format.reasoning_parser).sort()).toEqual(reasoningParserNames());
    expect(formats.filter(({ models, sample }) => models === '' || sample === '')).toEqual([]);
    expect(await list()).toContain(
      '--tool-call-parser hermes | qwen | qwen25 | qwen3_json\n  Hermes 2 Pro and 3, Qwen 2.5, Qwen 3\n    <tool_call>\n',
    );
  });

  it('refuses other words', async () => {
    await expect(list('--yaml')).rejects.toThrow('parsers: ');
    expect(await list('--help')).toMatch(/^Usage/);
  });
});

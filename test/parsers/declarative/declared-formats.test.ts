import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { StartupError } from '../../../src/core/errors.ts';
import type { ParserContext } from '../../../src/core/stream-parser.ts';
import type { CompleteAnswer } from '../../../src/core/stream-parser.ts';
import { declaredFormats } from '../../../src/parsers/declarative/declared-formats.ts';
import { combineFormats } from '../../../src/parsers/registry.ts';
import { createSession } from '../../../src/parsers/session.ts';
import type { SessionFormats } from '../../../src/parsers/session.ts';

function problem(text: string): string {
  try {
    declaredFormats(text, 'my.yaml');
  } catch (error) {
    expect(error).toBeInstanceOf(StartupError);
    return (error as Error).message;
  }
  return 'none';
}

function formats(text: string): SessionFormats {
  const { tool, reasoning } = declaredFormats(text, 'my.yaml');
  const combined = combineFormats(tool, reasoning);
  if (!combined) throw new Error('the file declares nothing');
  return combined;
}

/** An answer read from text alone, unit by unit: no marker is a token. */
function parse(declaration: string, output: string, kwargs: Record<string, unknown> = {}): CompleteAnswer {
  const context: ParserContext = {
    vocabulary: { size: 0, tokenToId: () => undefined, idToToken: () => undefined, isAdded: () => false, isSpecial: () => false },
    decode: () => '',
    specialIds: new Set(),
    endTokenIds: new Set(),
    tools: [{ name: 'get_weather', description: null, parameters: { type: 'object', properties: { days: { type: 'integer' } } } }],
    toolChoice: 'auto',
    chatTemplateKwargs: kwargs,
    modelType: '',
    tokenizerConfig: {},
    hasReasoningParser: true,
    hasToolParser: true,
    historyToolCalls: 0,
    mode: 'one-shot',
  };
  const pieces = Array.from(output, (text) => ({ text, tokenId: null }));
  return createSession(formats(declaration), context).complete(pieces, []);
}

describe('declaredFormats', () => {
  it('names the line of each mistake', () => {
    const text = `name: my model
tool_calls:
  payload: json
  open: [<call>]
  stop: </call>
reasoning:
  open: <think>
  close: </think>
  begins: somewhere
`;
    expect(problem(text)).toBe(`my.yaml declares no format:
  line 1: name must be letters, digits, ".", "_" and "-"
  line 4: tool_calls.open must be a text
  line 2: tool_calls.close is missing
  line 5: tool_calls has no member "stop"
  line 9: reasoning.begins must be reasoning or content`);
  });

  it.each([
    ['name: [', /my\.yaml, line 1: no valid YAML/],
    ['', /line 1: must be a mapping/],
    ['name: x', /tool_calls and reasoning are both missing/],
    [
      'name: x\ntool_calls: {payload: xml}',
      /line 2: tool_calls\.payload must be one of json, json_list, name_json, parameters, pairs, python/,
    ],
    ['name: x\nreasoning:\n  open: <a>\n  close: <a>', /line 4: reasoning\.close must differ from open/],
    ['name: x\ntool_calls:\n  payload: python\n  alone: false', /tool_calls\.open is missing/],
    [
      'name: x\ntool_calls:\n  payload: name_json\n  call: {open: <c>, name_end: ":", close: </c>}\n  arguments: as_written',
      /tool_calls\.section is missing/,
    ],
    [
      'name: x\ntool_calls:\n  payload: parameters\n  call: {open: f, close: /f}\n  parameter:\n    open: p=\n    close: </p>',
      /line 6: tool_calls\.parameter\.open must begin with "<"/,
    ],
    [
      'name: x\nresponse_template:\n  fields:\n    content:\n      open: ""',
      /line 5: response_template\.fields\.content\.open must hold texts/,
    ],
    [
      'name: x\nresponse_template: {start_anchor: a, fields: {content: {}}}\nreasoning: {open: a, close: b}',
      /response_template cannot stand beside/,
    ],
  ])('refuses %j', (text, message) => {
    expect(problem(text)).toMatch(message);
  });

  it('keeps text around JSON calls, and reads members of other names', () => {
    const answer = parse(
      `name: x
tool_calls:
  payload: json
  open: "[CALL]"
  close: "[/CALL]"
  keys: { name: tool, arguments: [input, args] }
`,
      'Let me look. [CALL] {"tool": "get_weather", "args": {"days": 2}} [/CALL] Done.',
    );
    expect(answer.toolCalls).toEqual([{ name: 'get_weather', arguments: '{"days": 2}' }]);
    expect(answer.content).toBe('Let me look.  Done.');
  });

  it('reads names and JSON without a section, reasoning ended by a call, and thinking switched by the request', () => {
    const text = `name: x
tool_calls:
  payload: name_json
  call: { open: "<<call ", name_end: ">>", close: "<</call>>" }
reasoning:
  open: <reason>
  close: </reason>
  thinking: { switches: reason, default: off }
`;
    const output = 'Hm.<<call get_weather>>{"days": "2"}<</call>>It rains.';
    expect(parse(text, output, { reason: true })).toMatchObject({
      reasoning: 'Hm.',
      content: 'It rains.',
      toolCalls: [{ name: 'get_weather', arguments: '{"days": 2}' }],
    });
    expect(parse(text, output)).toMatchObject({ reasoning: null, content: 'Hm.It rains.' });
    expect(parse(text, '<reason>Hm.</reason>Yes.', { reason: true })).toMatchObject({ reasoning: 'Hm.', content: 'Yes.' });
  });

  it('reads what the documentation shows', () => {
    const documentation = readFileSync(new URL('../../../docs/parsers.md', import.meta.url), 'utf8');
    const [, text = ''] = /```yaml\n([^]*?)```/.exec(documentation) ?? [];
    const [, output = ''] = /A new model writes this:\n\n([^]*?)\n\n[^ ]/.exec(documentation) ?? [];
    expect(parse(text, output.replaceAll(/^ {4}/gm, ''))).toMatchObject({
      reasoning: 'They want the weather.',
      content: 'Let me look.',
      toolCalls: [{ name: 'get_weather', arguments: '{"city": "Bergen", "days": 2}' }],
    });
  });

  it('tells files apart by their text', () => {
    const version = (text: string): number | undefined => declaredFormats(text, 'my.yaml').reasoning?.stateVersion;
    const text = 'name: x\nreasoning: {open: <a>, close: </a>}';
    expect(version(text)).toBe(version(text));
    expect(version(text)).not.toBe(version(`${text} `));
  });
});

import { describe, expect, it } from 'vitest';
import { StartupError } from '../../../src/core/errors.ts';
import type { CompleteAnswer, ParserContext } from '../../../src/core/stream-parser.ts';
import { messagePrefix } from '../../../src/parsers/response-template/message-prefix.ts';
import { configuredTemplate } from '../../../src/parsers/response-template/response-template-format.ts';
import { createSession } from '../../../src/parsers/session.ts';
import { hf } from '../../../src/parsers/unified/hf.ts';

const CALL = { function: { name: '{content.name}', arguments: '{content.arguments}' } };
const NAMED = { function: { name: '{fn}', arguments: '{content}' } };
const JSON_CALLS = { open: '<c>', close: '</c>', content: 'json', transform: CALL };
const THINKING = { open: '<t>', close: '</t>' };
const PROPERTIES = {
  n: { type: 'integer' },
  x: { type: ['number', 'null'] },
  b: { anyOf: [{ type: 'boolean' }, { type: 'object' }] },
  s: { type: 'string' },
  l: { type: 'array' },
  o: { type: 'integer', nullable: true },
};

interface Given {
  fields: Record<string, unknown>;
  more?: Record<string, unknown>;
  prompt?: string;
  context?: Partial<ParserContext>;
}

function contextOf({ fields, more = {}, prompt = '', context = {} }: Given): ParserContext {
  return {
    vocabulary: { size: 0, tokenToId: () => undefined, idToToken: () => undefined, isAdded: () => false, isSpecial: () => false },
    decode: (ids) => (ids.length > 0 ? `…<a>${prompt}` : ''),
    specialIds: new Set(),
    endTokenIds: new Set(),
    tools: [{ name: 'f', description: null, parameters: { type: 'object', properties: PROPERTIES } }],
    toolChoice: 'auto',
    chatTemplateKwargs: {},
    modelType: '',
    tokenizerConfig: { response_template: { start_anchor: '<a>', fields, ...more } },
    hasReasoningParser: true,
    hasToolParser: true,
    historyToolCalls: 0,
    mode: 'one-shot',
    ...context,
  };
}

/** A complete answer, read unit by unit. */
function parse(output: string, given: Given): CompleteAnswer {
  const pieces = Array.from(output, (text) => ({ text, tokenId: null }));
  return createSession({ tool: null, reasoning: null, unified: hf }, contextOf(given)).complete(pieces, [1]);
}

const calls = (output: string, given: Given): [string, string][] =>
  parse(output, given).toolCalls.map(({ name, arguments: written }) => [name, written]);

describe('a response template', () => {
  it('parts a message into its regions', () => {
    const fields = { thinking: THINKING, content: {}, tool_calls: JSON_CALLS };
    const output = '<t>Hm.</t>Yes.<c>{"name": "f", "arguments": {"n": 1}}</c> Done.<c>{"name": "g", "arguments": "as is"}</c>';
    expect(parse(output, { fields })).toMatchObject({ reasoning: 'Hm.', content: 'Yes. Done.' });
    expect(calls(output, { fields })).toEqual([
      ['f', '{"n": 1}'],
      ['g', 'as is'],
    ]);
  });

  it('goes on with what the prompt began', () => {
    const fields = { thinking: THINKING, content: {}, tool_calls: JSON_CALLS };
    expect(parse('m.</t>Yes.', { fields, prompt: '<t>H' })).toMatchObject({ reasoning: 'm.', content: 'Yes.' });
    expect(parse('t>Hm.</t>Yes.', { fields, prompt: '<' })).toMatchObject({ reasoning: 'Hm.', content: 'Yes.' });
    expect(parse('x', { fields, prompt: '<t' })).toMatchObject({ reasoning: null, content: 'x' });
    expect(calls('"f", "arguments": {}}</c>', { fields, prompt: '<c>{"name": ' })).toEqual([['f', '{}']]);
  });

  it('takes a closing delimiter inside a string for text, unless the text is no JSON', () => {
    const fields = { content: {}, tool_calls: JSON_CALLS };
    expect(calls('<c>{"name": "f", "arguments": {"s": "</c>"}}</c>', { fields })).toEqual([['f', '{"s": "</c>"}']]);
    expect(calls('<c>{"name": "f", "arguments": {"s": "</c>"}}', { fields })).toEqual([['f', '{"s": "</c>"}']]);
    expect(parse('<c>{"name</c>Hm.', { fields })).toMatchObject({ content: 'Hm.', toolCalls: [] });
    expect(parse('<c>{"name</c>a<c>{"name": "f", "arguments": {}}</c>b', { fields })).toMatchObject({
      content: 'ab',
      toolCalls: [{ name: 'f' }],
    });
  });

  it('gives regions of calls as they are written where none are wanted', () => {
    const fields = { thinking: THINKING, content: {}, tool_calls: JSON_CALLS };
    const output = '<t>Hm.</t>Yes.<c>{}</c>';
    const none = parse(output, { fields, context: { toolChoice: 'none' } });
    expect(none).toMatchObject({ reasoning: 'Hm.', content: 'Yes.<c>{}</c>', toolCalls: [] });
    expect(parse(output, { fields, context: { hasReasoningParser: false } })).toMatchObject({ reasoning: null, content: 'Hm.Yes.' });
  });

  it('drops text that no field takes, but takes it for content where no field says so', () => {
    expect(parse('a<r>b</r>c', { fields: { content: { open: '<r>', close: '</r>' } } }).content).toBe('b');
    expect(parse('a<c>{}</c>b', { fields: { tool_calls: JSON_CALLS } }).content).toBe('ab');
  });

  it('reads XML-like arguments by the tool’s schema', () => {
    const args = { tag_pattern: '<(?P<key>\\w+)>(?P<value>.*?)</\\w+>', merge_duplicates: true };
    const fields = {
      tool_calls: {
        open_pattern: '<f=(?P<fn>\\w+)>',
        close_pattern: '</f>(?=\\s|$)',
        content: 'xml-inline',
        content_args: args,
        transform: NAMED,
      },
    };
    expect(calls('<f=f><n>3.0</n><x>2.0</x><b>TRUE</b><s>4</s><l>[1]</l><o>None</o></f>', { fields })).toEqual([
      ['f', '{"n": 3, "x": 2.0, "b": true, "s": "4", "l": [1], "o": null}'],
    ]);
    expect(calls('<f=f><n>1</n><n>x</n><x>1e3</x><b>{"a": 1.0}</b></f> <f=g></f>', { fields })).toEqual([
      ['f', '{"n": [1, "x"], "x": 1000, "b": {"a": 1.0}}'],
      ['g', '{}'],
    ]);
  });

  it('reads JSON with strings and keys of the model’s own', () => {
    const content = { content: 'json', content_args: { string_delims: [['<q>', '<q>']], unquoted_keys: true } };
    const fields = { tool_calls: { open_pattern: '<c>call:(?P<fn>\\w+)', close: '</c>', ...content, transform: NAMED } };
    expect(calls('<c>call:f{s:<q>say "{a:1}"<q>,l:[1,{k:<q><q>}]}</c>', { fields })).toEqual([
      ['f', '{"s": "say \\"{a:1}\\"", "l": [1, {"k": ""}]}'],
    ]);
  });

  it('reads lines of keys and values, and lists of calls', () => {
    const lines = { open_pattern: '<f=(?P<fn>\\w+)>', close: '</f>', content: 'kv-lines', content_args: { kv_sep: '=' }, transform: NAMED };
    expect(calls('<f=f>\n s = a = b\nnone\nn=1\n</f>', { fields: { tool_calls: lines } })).toEqual([['f', '{"s": "a = b", "n": 1}']]);
    const each = { function: { name: '{name}', arguments: '{arguments}' } };
    const list = { open: '<c>', close: '</c>', content: 'json', transform_each: true, transform: each };
    const written = '<c>[{"name": "f", "arguments": {}}, {"name": "g", "arguments": {"a": 1.0}}]</c>';
    expect(calls(written, { fields: { tool_calls: list } })).toEqual([
      ['f', '{}'],
      ['g', '{"a": 1.0}'],
    ]);
    expect(calls('<c>[{"name": "f", "arguments": {}}, {"name": "g"}]</c>', { fields: { tool_calls: list } })).toEqual([]);
  });

  it('closes a region whose delimiter only lacks the next message’s beginning', () => {
    const fields = { content: { open: '<r>', close: '</r>\n<a>' } };
    expect(parse('<r>Yes.</r>\n', { fields }).content).toBe('Yes.');
    expect(parse('<r>Yes.</r>', { fields }).content).toBe('Yes.</r>');
  });

  it('knows whether reasoning is over at the end of the prompt', () => {
    const fields = { thinking: THINKING, content: {}, tool_calls: JSON_CALLS };
    const ended = (prompt: string, kwargs: Record<string, unknown> = {}): boolean =>
      hf.promptEnded([1], contextOf({ fields, prompt, context: { chatTemplateKwargs: kwargs } }));
    expect([ended(''), ended('<t>'), ended('<t></t>'), ended('Hm'), ended('', { enable_thinking: false })]).toEqual([
      false,
      false,
      true,
      true,
      true,
    ]);
  });

  it('is looked for in the last tokens of a long prompt first', () => {
    const template = configuredTemplate({ response_template: { start_anchor: '<a>', fields: { content: {} } } });
    const asked: number[] = [];
    const decode = (ids: readonly number[]): string => {
      asked.push(ids.length);
      return ids.map((id) => (id === 7 ? '<a>' : 'x')).join('');
    };
    const ids = Array.from({ length: 5000 }, (_, at) => (at === 10 || at === 4900 ? 7 : 1));
    expect(messagePrefix(ids, template, decode)).toBe('x'.repeat(99));
    expect(messagePrefix(ids.slice(0, 4000), template, decode)).toBe('x'.repeat(3989));
    expect(messagePrefix([1, 1], template, decode)).toBe('xx');
    expect(asked).toEqual([256, 256, 2048, 4000, 2]);
  });

  it.each([
    [{ fields: { content: {} } }, 'it must have start_anchor or start_anchor_pattern'],
    [{ start_anchor: 'a', fields: {} }, 'fields must hold thinking, content or tool_calls'],
    [{ start_anchor: 'a', fields: { answer: {} } }, 'fields has no member "answer"'],
    [{ start_anchor: 'a', fields: { content: {}, thinking: {} } }, 'of which only one may have no opening delimiter'],
    [{ start_anchor: 'a', fields: { content: { open: [] } } }, 'fields.content.open must hold texts that are not empty'],
    [{ start_anchor: 'a', fields: { content: { open_pattern: '(' } } }, 'it has a parenthesis that is not closed'],
    [{ start_anchor: 'a', fields: { content: { open_pattern: 'x*' } } }, 'fields.content.open_pattern matches an empty text'],
    [{ start_anchor: 'a', fields: { content: { content: 'json' } } }, 'fields.content must be plain text'],
    [{ start_anchor: 'a', fields: { tool_calls: { open: 'b', content: 'yaml' } } }, 'fields.tool_calls.content must be text or int'],
    [{ start_anchor: 'a', fields: { tool_calls: { open: 'b', content: 'xml-inline' } } }, 'content_args.tag_pattern'],
    [{ start_anchor: 'a', fields: { tool_calls: { open_pattern: '(?P<n>b)' } } }, 'there are named groups: n'],
    [{ start_anchor: 'a', fields: { tool_calls: { open: 'b', transform: { a: 'x{content}' } } } }, 'mixes a placeholder with other text'],
    [{ start_anchor: 'a', fields: { content: {} }, defaults: { name: 1 } }, 'defaults has no member "name"'],
  ])('is refused where it cannot be used: %j', (template, message) => {
    expect(() => configuredTemplate({ response_template: template })).toThrow(StartupError);
    expect(() => configuredTemplate({ response_template: template })).toThrow(message);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ParserContext } from '../../../src/core/stream-parser.ts';
import { declaredFormats } from '../../../src/parsers/declarative/declared-formats.ts';
import { combineFormats } from '../../../src/parsers/registry.ts';
import { createSession } from '../../../src/parsers/session.ts';
import type { ParserSession } from '../../../src/parsers/session.ts';

/** One format of each kind, with markers unlike those of known formats. */
const DECLARATIONS: Readonly<Record<string, string>> = {
  json: 'tool_calls: {payload: json, open: "[[", close: "]]"}\nreasoning: {open: "((", close: "))"}',
  'json, whole': 'tool_calls: {payload: json, open: "[[", close: "]]", arguments: whole}',
  json_list: 'tool_calls: {payload: json_list, open: "[[", close: "]]"}',
  name_json:
    'tool_calls: {payload: name_json, call: {open: "[[", name_end: "::", close: "]]"}}\nreasoning: {open: "((", close: "))", begins: content}',
  'name_json, sections':
    'tool_calls: {payload: name_json, section: {open: "{{", close: "}}"}, call: {open: "[[", name_end: "::", close: "]]"}, arguments: as_written}',
  parameters:
    'tool_calls: {payload: parameters, wrapper: {open: "{{", close: "}}"}, call: {open: "[[", name_end: "::", close: "]]"}, parameter: {open: "<p ", close: "</p>"}}',
  pairs: 'tool_calls: {payload: pairs, call: {open: "[[", close: "]]"}, key: {open: "{{", close: "}}"}, value: {open: "((", close: "))"}}',
  python: 'tool_calls: {payload: python}',
  response_template:
    'response_template: {start_anchor: "<a>", fields: {thinking: {open: "((", close: "))"}, content: {}, tool_calls: {open_pattern: "\\\\[\\\\[(?P<n>\\\\w+)::", close: "]]", content: json, transform: {function: {name: "{n}", arguments: "{content}"}}}}}',
};
const ATOMS = [
  '[[',
  ']]',
  '((',
  '))',
  '{{',
  '}}',
  '::',
  '<p k>',
  '</p>',
  '{"name": "f", "arguments": {"a": [1, "]]"]}}',
  '{"a": "b"}',
  'f',
  '(a=1)',
  '[f(a=[1])]',
  '"',
  '[',
  ']',
  '{',
  '\n',
  ' x',
  '\\',
  'é🙂',
];

function session(declaration: string): ParserSession {
  const { tool, reasoning } = declaredFormats(`name: x\n${declaration}`, 'x.yaml');
  const formats = combineFormats(tool, reasoning);
  if (!formats) throw new Error('nothing is declared');
  const context: ParserContext = {
    vocabulary: { size: 0, tokenToId: () => undefined, idToToken: () => undefined, isAdded: () => false, isSpecial: () => false },
    decode: () => '<a>',
    specialIds: new Set(),
    endTokenIds: new Set(),
    tools: [],
    toolChoice: 'auto',
    chatTemplateKwargs: {},
    modelType: '',
    tokenizerConfig: {},
    hasReasoningParser: reasoning !== null,
    hasToolParser: tool !== null,
    historyToolCalls: 0,
    mode: 'stream',
  };
  return createSession(formats, context);
}

/** What a stream adds up to; the state goes through JSON at each chunk. */
function sum(parser: ParserSession, pieces: readonly string[], lengths: readonly number[]): string {
  let state = JSON.stringify(parser.init([]));
  const total = { reasoning: '', content: '', calls: [] as string[] };
  for (let at = 0, chunk = 0; at < pieces.length || chunk === 0; chunk += 1) {
    const length = lengths[chunk] ?? 1;
    const current = parser.stateSchema.parse(JSON.parse(state));
    const last = at + length >= pieces.length;
    const delta = parser.push(
      current,
      pieces.slice(at, at + length).map((text) => ({ text, tokenId: null })),
      last,
    );
    state = JSON.stringify(current);
    at += length;
    total.reasoning += delta.reasoning ?? '';
    total.content += delta.content ?? '';
    for (const { index, name, arguments: written } of delta.toolCalls) {
      total.calls[index] = `${total.calls[index] ?? ''}${name ?? ''}${written ?? ''}`;
    }
  }
  return JSON.stringify(total);
}

describe.each(Object.entries(DECLARATIONS))('%s', (_kind, declaration) => {
  const parser = session(declaration);

  it('reads any output without a fault, and the same under any chunking', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...ATOMS), { maxLength: 12 }), fc.array(fc.integer({ min: 1, max: 6 })), (atoms, lengths) => {
        const pieces = Array.from(atoms.join(''));
        expect(sum(parser, pieces, lengths)).toBe(sum(parser, pieces, [Math.max(1, pieces.length)]));
      }),
      { numRuns: 200 },
    );
  });
});

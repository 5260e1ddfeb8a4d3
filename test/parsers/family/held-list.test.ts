import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EventSink, ParserContext } from '../../../src/core/stream-parser.ts';
import { objectCall } from '../../../src/parsers/family/held-call.ts';
import { heldListState } from '../../../src/parsers/family/held-list-state.ts';
import type { HeldListRules } from '../../../src/parsers/family/held-list-state.ts';
import { createHeldList } from '../../../src/parsers/family/held-list.ts';
import { cutsOf } from './cuts.ts';

const CONTROL = 7;
const context = {
  vocabulary: { tokenToId: () => undefined, isAdded: () => false },
  specialIds: new Set([CONTROL]),
} as unknown as ParserContext;

const RULES: HeldListRules = {
  openers: [
    { text: '<calls>', begins: '[', close: '</calls>' },
    { text: '```', word: 'json', begins: '[', close: '```' },
    { text: '</think>', begins: '[', shown: true },
  ],
  toCall: objectCall,
  skipsOthers: false,
  keepsText: true,
  announces: false,
  tellsEmpty: false,
};
const ONE = '{"name": "f", "arguments": {"a": "</calls> ]"}}';

/** Everything in the order in which it came. */
function read(pieces: readonly string[], rules: HeldListRules = RULES, control = false): string[] {
  const parser = createHeldList(rules, context);
  const events: string[] = [];
  let content = '';
  const settle = (): void => {
    if (content !== '') events.push(content);
    content = '';
  };
  const sink: EventSink = {
    content: (text) => void (content += text),
    reasoning: () => {},
    toolStart(index, name) {
      settle();
      events.push(`${index}:${name}`);
    },
    toolArguments: (index, text) => void events.push(`${index}=${text}`),
    toolEnd: (index) => void events.push(`${index}.`),
  };
  let state = parser.init([]);
  for (const text of pieces) {
    parser.push(state, { text, tokenId: null }, sink);
    state = heldListState.parse(JSON.parse(JSON.stringify(state)));
  }
  if (control) parser.push(state, { text: '<|end|>', tokenId: CONTROL }, sink);
  parser.finish(state, sink);
  settle();
  return events;
}

const CALL = ['0:f', '0={"a": "</calls> ]"}', '0.'];

describe('lists of calls that are held object by object', () => {
  it.each([
    [`Look: <calls> [${ONE}]\n</calls>`, ['Look: ', ...CALL]],
    [`<calls>[${ONE}] and more`, [...CALL, ' and more']],
    [`<calls>[${ONE}, ${ONE}]</calls>x`, [...CALL, '1:f', '1={"a": "</calls> ]"}', '1.', 'x']],
    [`\`\`\`json\n[${ONE}]\n\`\`\`\nDone.`, [...CALL, '\nDone.']],
    [`<think>a</think>\n[${ONE}]`, ['<think>a</think>\n', ...CALL]],
    ['<calls>[]</calls>', []],
    ['<calls>[1]</calls>', ['<calls>[1]</calls>']],
    ['<calls>{"name": "f"}</calls>', ['<calls>{"name": "f"}</calls>']],
    ['a <call', ['a <call']],
    ['```python\nx = []\n```', ['```python\nx = []\n```']],
  ])('reads %j the same however it is cut', (text, expected) => {
    expect(read([text])).toEqual(expected);
    fc.assert(
      fc.property(cutsOf(text), (pieces) => {
        expect(read(pieces)).toEqual(expected);
      }),
    );
  });

  it('gives out each call of a list once it is complete', () => {
    expect(read([`<calls>[${ONE}`])).toEqual(CALL);
    expect(read([`<calls>[${ONE}, {"nam`])).toEqual([...CALL, ', {"nam']);
  });

  it('shows what was cut off, unless it was the name of a function', () => {
    expect(read(['<calls>[{"name": "f", "arguments": {"a'])).toEqual(['<calls>[{"name": "f", "arguments": {"a']);
    expect(read(['<calls>[{"name": "f'])).toEqual([]);
  });

  it('may leave out what is no call, as long as there is one', () => {
    const rules = { ...RULES, skipsOthers: true };
    expect(read([`<calls>[{"x": 1}, ${ONE}]</calls>`], rules)).toEqual(CALL);
    expect(read(['<calls>[{"x": 1}]</calls>'], rules)).toEqual(['<calls>[{"x": 1}]</calls>']);
  });

  it('may drop text behind calls', () => {
    expect(read([`a<calls>[${ONE}]</calls> b`], { ...RULES, keepsText: false })).toEqual(['a', ...CALL]);
  });

  it('may tell names and arguments as early as they are known', () => {
    const rules = { ...RULES, announces: true };
    expect(read(['<calls>[{"name": "f", ', '"arguments": {}', '}]'], rules)).toEqual(['0:f', '0={}', '0.']);
    expect(read(['<calls>[{"name": "f", "arguments": {"a": '], rules)).toEqual(['0:f']);
    expect(read(['<calls>[{"name": "f", "arguments": {"a": 1 1'], rules)).toEqual(['0:f', '0={"a": 1 ', '0.', '1']);
  });

  it('takes a control token for nothing behind calls, or what was taken for them', () => {
    expect(read([`<calls>[${ONE}]`], RULES, true)).toEqual(CALL);
    expect(read(['<calls>[{"x": 1}]'], RULES, true)).toEqual(['<calls>[{"x": 1}]']);
    expect(read(['<calls>[{"x": "'], RULES, true)).toEqual(['<calls>[{"x": "<|end|>']);
    expect(read(['text'], RULES, true)).toEqual(['text<|end|>']);
  });
});

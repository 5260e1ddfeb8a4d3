import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { callListState, cutCallList, readCallList, startCallList } from '../../../src/parsers/family/call-list.ts';
import type { CallListSink } from '../../../src/parsers/family/call-list.ts';
import { cutsOf } from './cuts.ts';

interface Told {
  calls: [name: string, args: string][];
  stray: string;
  result: string;
  /** What stands behind the list. */
  rest: string;
}

/** What a list that comes in these parts tells, its state through JSON between them. */
function read(parts: readonly string[]): Told {
  const told: Told = { calls: [], stray: '', result: 'open', rest: '' };
  const sink: CallListSink = {
    start: (name) => void told.calls.push([name, '']),
    arguments(text): void {
      const call = told.calls.at(-1);
      if (call) call[1] += text;
    },
    end: () => undefined,
    stray: (text) => void (told.stray += text),
  };
  let state = JSON.stringify(startCallList());
  for (const part of parts) {
    if (told.result !== 'open') {
      told.rest += part;
      continue;
    }
    const list = callListState.parse(JSON.parse(state));
    const { result, end } = readCallList(list, part, sink);
    told.result = result;
    told.rest += part.slice(end);
    state = JSON.stringify(list);
  }
  if (told.result === 'open') cutCallList(callListState.parse(JSON.parse(state)), sink);
  return told;
}

const LIST = ' [{"name": "f", "arguments": {"a": "] } \\" x"}}, {"id": 7, "arguments": {"b": [1]}, "name": "g"}, {"name": "h"}] behind';

describe('a list of calls', () => {
  it('gives out each call with its arguments as written, in whatever order its members come', () => {
    expect(read([LIST])).toEqual({
      calls: [
        ['f', '{"a": "] } \\" x"}'],
        ['g', '{"b": [1]}'],
        ['h', '{}'],
      ],
      stray: '',
      result: 'done',
      rest: ' behind',
    });
  });

  it('reads the same however it is cut', () => {
    fc.assert(
      fc.property(cutsOf(LIST), (parts) => {
        expect(read(parts)).toEqual(read([LIST]));
      }),
    );
  });

  it('takes one object for a call, and arguments that are a string or null', () => {
    expect(read(['{"name": "f", "arguments": {}} x'])).toMatchObject({ calls: [['f', '{}']], result: 'done', rest: ' x' });
    expect(read(['[{"name": "f", "arguments": "{\\"a\\": 1}"}, {"name": "g", "arguments": null}]']).calls).toEqual([
      ['f', '{"a": 1}'],
      ['g', '{}'],
    ]);
  });

  it('tells of what makes no call', () => {
    expect(read(['[1, 2]'])).toMatchObject({ calls: [], stray: '[1', result: 'none', rest: ', 2]' });
    expect(read(['[]'])).toMatchObject({ stray: '[]', result: 'done' });
    expect(read(['[{"x": 1}, {"name": "f", "arguments": {}}]'])).toMatchObject({ calls: [['f', '{}']], stray: '[{"x": 1}, ' });
    expect(read(['[{"name": "f'])).toMatchObject({ calls: [], stray: '[{"name": "f' });
  });

  it('stops at arguments that cannot be JSON, and leaves the part out that broke them', () => {
    expect(read(['[{"name": "f", "arguments": {"a": "b', '"]}', ']'])).toMatchObject({ calls: [['f', '{"a": "b']], result: 'broken' });
  });

  it('gives out what came of arguments that were cut off, but no call without its name', () => {
    expect(read(['[{"name": "f", "arguments": {"a": 1']).calls).toEqual([['f', '{"a": 1']]);
    expect(read(['[{"name": "f", "arguments": {}}, {"name": "g'])).toMatchObject({ calls: [['f', '{}']], stray: '' });
  });
});

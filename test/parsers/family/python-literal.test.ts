import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pythonCallsState, readCalls, startCalls } from '../../../src/parsers/family/python-calls.ts';
import type { PythonCallRules } from '../../../src/parsers/family/python-calls.ts';
import { scalarJson } from '../../../src/parsers/family/python-scalar.ts';
import { cutsOf } from './cuts.ts';

const RULES: PythonCallRules = { separator: ',', end: ']', mendsQuotes: false };

function read(pieces: readonly string[], rules = RULES): { calls: string[]; mode: string } {
  let calls = startCalls();
  const found: string[] = [];
  for (const piece of pieces) {
    calls = pythonCallsState.parse(JSON.parse(JSON.stringify(calls)));
    readCalls(calls, piece, 0, rules, {
      begin: (name) => void found.push(name),
      end: (json) => void (found[found.length - 1] += json),
    });
  }
  return { calls: found, mode: calls.mode };
}

describe('calls written as Python', () => {
  it.each([
    ["f(a='x', b=2), g.h()]", ['f{"a": "x", "b": 2}', 'g.h{}']],
    ['f(a=[1, (2, 3), {"k": None}], b={1: True})]', ['f{"a": [1, [2, 3], {"k": null}], "b": {"1": true}}']],
    ["f(a='it\\'s \\x41\\u00e9\\n', b=r'\\d', c='''a'b''')]", ['f{"a": "it\'s Aé\\n", "b": "\\\\d", "c": "a\'b"}']],
    ["f(a='x' 'y', b=-.5, c=0x1F, d=1_000)]", ['f{"a": "xy", "b": -0.5, "c": 31, "d": 1000}']],
    ['f(a={1, 2}, b=(), c=(1,), d={})]', ['f{"a": [1, 2], "b": [], "c": [1], "d": {}}']],
  ])('reads %j the same however it is cut', (text, expected) => {
    expect(read([text])).toEqual({ calls: expected, mode: 'done' });
    fc.assert(
      fc.property(cutsOf(text), (pieces) => {
        expect(read(pieces)).toEqual({ calls: expected, mode: 'done' });
      }),
    );
  });

  it.each(['f(1)]', 'f(a=g(1))]', 'f(a=1 b=2)]', '1f()]', 'f[0]]', 'f(a=)]', 'f(a={[1]: 2})]'])('breaks off in %j', (text) => {
    expect(read([text]).mode).toBe('broken');
  });

  it('takes a quote that nothing can follow for a part of its string, where asked to', () => {
    const rules = { ...RULES, mendsQuotes: true };
    expect(read(['f(a=\'it\'s\', b="say "hi" now")]'], rules).calls).toEqual(['f{"a": "it\'s", "b": "say \\"hi\\" now"}']);
  });
});

describe('Python scalars', () => {
  it.each([
    ['True', 'true'],
    ['null', 'null'],
    ['--1', '1'],
    ['1e3', '1000.0'],
    ['5.', '5.0'],
    ['123456789012345678901', '123456789012345678901'],
    ['0b101', '5'],
    ['yes', null],
    ['1.2.3', null],
  ])('%s', (text, expected) => {
    expect(scalarJson(text)).toBe(expected);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { argumentPairsState, cutPairs, readPairs, startPairs } from '../../../src/parsers/family/argument-pairs.ts';
import type { PairRules } from '../../../src/parsers/family/argument-pairs.ts';
import { looseJson } from '../../../src/parsers/family/loose-value.ts';
import { cutsOf } from './cuts.ts';

const RULES: PairRules = {
  tags: { nameEnd: '\n', callEnd: '</call>', keyStart: '<key>', keyEnd: '</key>', valueStart: '<value>', valueEnd: '</value>' },
  opensAtOnce: false,
  doubts: true,
  isText: (key) => key === 'text',
  toJson: (text) => looseJson(text.trim()),
};

interface Read {
  name: string | null;
  written: string[];
  rest: string | null;
}

function read(pieces: readonly string[], rules: PairRules = RULES, ends: 'called' | 'cut' = 'called'): Read {
  let pairs = startPairs();
  const result: Read = { name: null, written: [], rest: null };
  for (const piece of pieces) {
    pairs = argumentPairsState.parse(JSON.parse(JSON.stringify(pairs)));
    let json = '';
    result.rest = readPairs(pairs, piece, rules, {
      name: (name) => void (result.name = name),
      write: (text) => void (json += text),
    });
    result.written.push(json);
  }
  if (ends === 'cut') cutPairs(pairs, rules, { name: () => {}, write: (text) => void result.written.push(text) });
  return result;
}

const json = (text: string, rules?: PairRules): string => read([text], rules).written.join('');

describe('a call as pairs of keys and values', () => {
  const text = '\n f \n<key>text</key>\n<value>a "b"\n</value>\n<key>n</key><value> 3 </value>\n</call> behind';

  it('types values by its rules, keeps texts verbatim, and answers what follows the call', () => {
    expect(read([text])).toEqual({ name: 'f', written: ['{"text": "a \\"b\\"\\n", "n": 3}'], rest: ' behind' });
  });

  it('reads the same however it is cut', () => {
    fc.assert(
      fc.property(cutsOf(text.slice(0, -' behind'.length)), (pieces) => {
        const { name, written } = read(pieces);
        expect([name, written.join('')]).toEqual(['f', '{"text": "a \\"b\\"\\n", "n": 3}']);
      }),
    );
  });

  it('streams texts and gives out other values whole', () => {
    const pieces = ['f\n<key>te', 'xt</key><value>', 'ab', 'c</val', 'ue>', '<key>n</key><value>1', '2</value>', '</call>'];
    expect(read(pieces).written).toEqual(['', '{"text": "', 'ab', 'c', '"', '', ', "n": 12', '}']);
  });

  it('may open the object with the name', () => {
    const rules = { ...RULES, opensAtOnce: true };
    expect(read(['f\n', '<key>text</key><value>x</value>', '</call>'], rules).written).toEqual(['{', '"text": "x"', '}']);
    expect(json('f</call>', rules)).toBe('{}');
  });

  it('takes a closing tag within a sentence for text, unless another tag follows', () => {
    expect(json('f\n<key>text</key><value>Write </value> first.</value></call>')).toBe('{"text": "Write </value> first."}');
    expect(json('f\n<key>text</key><value>Write </value>\n</call>')).toBe('{"text": "Write "}');
    expect(json('f\n<key>list</key><value>["</value>"]</value></call>')).toBe('{"list": ["</value>"]}');
    expect(json('f\n<key>text</key><value>Write </value> first.</value></call>', { ...RULES, doubts: false })).toBe('{"text": "Write "}');
  });

  it('writes an empty object where there are no pairs', () => {
    expect(read(['<key></call>'])).toMatchObject({ name: '', written: ['{}'] });
    expect(json('f</call>')).toBe('{}');
  });

  it('leaves open what was cut off', () => {
    expect(read(['f\n<key>text</key><value>abc</va'], RULES, 'cut').written.join('')).toBe('{"text": "abc</va');
    expect(read(['f\n<key>n</key><value>[1, 2'], RULES, 'cut').written.join('')).toBe('{"n": [1, 2');
    expect(read(['f\n<key>n</key><value>so'], RULES, 'cut').written.join('')).toBe('{"n": "so');
    expect(read(['f\n<key>text</key><value>Write </value>'], RULES, 'cut').written.join('')).toBe('{"text": "Write "');
    expect(read(['f\n<key>te'], RULES, 'cut').written.join('')).toBe('');
  });
});

describe('a value that is JSON, a Python literal or text', () => {
  it.each([
    ['{"a": [1, 2.50]}', '{"a": [1, 2.5]}'],
    ["{'a': (1, None), 'b': {True}}", '{"a": [1, null], "b": [true]}'],
    ['True', 'true'],
    ['1_000', '1000'],
    ['007', '"007"'],
    ['NaN', '"NaN"'],
    ['', '""'],
    ['a, b', '"a, b"'],
    ["'open", '"\'open"'],
  ])('reads %s', (text, expected) => {
    expect(looseJson(text)).toBe(expected);
  });
});

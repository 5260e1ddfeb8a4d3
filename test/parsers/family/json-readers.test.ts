import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dumps, loads, tryLoads } from '../../../src/core/python-json.ts';
import { callObjectState, readCallObject, startCallObject } from '../../../src/parsers/family/call-object.ts';
import { elementsOf } from '../../../src/parsers/family/elements.ts';
import { checkJson, jsonCheckState, startCheck } from '../../../src/parsers/family/json-check.ts';
import { jsonMirrorState, mirrorClosers, mirrorScalar, readMirror, startMirror } from '../../../src/parsers/family/json-mirror.ts';
import { cutsOf } from './cuts.ts';

const again = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('a call object', () => {
  function read(pieces: readonly string[]): { name: string | null; args: string; mode: string; rest: string } {
    let object = startCallObject();
    const result: { name: string | null; args: string; mode: string; rest: string } = { name: null, args: '', mode: '', rest: '' };
    for (const piece of pieces) {
      object = callObjectState.parse(again(object));
      const end = readCallObject(
        object,
        piece,
        0,
        { name: 'name', arguments: ['arguments', 'parameters'], stop: '<' },
        {
          name: (name) => void (result.name = name),
          arguments: (text) => void (result.args += text),
        },
      );
      result.rest += piece.slice(end);
    }
    return { ...result, mode: object.mode };
  }

  it.each([
    ['{"name": "f", "arguments": {"a": "}<", "b": [1]}} x', 'f', '{"a": "}<", "b": [1]}', 'done', ' x'],
    ['{"arguments": {"a": 1}, "id": {"name": "g"}, "name": "f"}', 'f', '{"a": 1}', 'done', ''],
    ['{"name": "f", "parameters": 12, "arguments": {}}', 'f', '12', 'done', ''],
    ['{"name": "f"}', 'f', '{}', 'done', ''],
    ['{"name": "f", "arguments": {"a": 1<', 'f', '{"a": 1', 'broken', '<'],
    ['{"name": 1, "arguments": {}}', null, '', 'done', ''],
    ['[1]', null, '', 'broken', '[1]'],
  ])('reads %j the same however it is cut', (text, name, args, mode, rest) => {
    fc.assert(
      fc.property(cutsOf(text), (pieces) => {
        expect(read(pieces)).toEqual({ name, args, mode, rest });
      }),
    );
  });

  it('gives out arguments as they come', () => {
    expect(read(['{"name": "f", "arguments": {"text": "so far']).args).toBe('{"text": "so far');
  });
});

describe('the check of JSON', () => {
  const check = (text: string): string => {
    const state = startCheck();
    checkJson(state, text, 0);
    return jsonCheckState.parse(again(state)).expect;
  };

  it('tells at once where a text cannot be JSON any more', () => {
    expect(check('{"a": "]", "b": [1, {}]}')).toBe('done');
    expect(check('{"a": ')).toBe('value');
    for (const text of ['{"a" 1', '{"a": 1]', '[1 2', '{a', '[1,,', '}']) expect(check(text), text).toBe('broken');
  });

  it('says done for every JSON object, and stops behind it', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const text = JSON.stringify(value);
        const state = startCheck();
        expect(checkJson(state, `${text} }`, 0)).toBe(text.length);
        expect(state.expect).toBe('done');
      }),
    );
  });
});

describe('the mirror of JSON', () => {
  it('writes JSON as Python does, however it is cut', () => {
    const text = fc.dictionary(fc.string(), fc.jsonValue()).map((value) => JSON.stringify(value, null, 1));
    fc.assert(
      fc.property(
        text.chain((json) => fc.tuple(fc.constant(json), cutsOf(json))),
        ([json, pieces]) => {
          let mirror = startMirror();
          let written = '';
          for (const piece of pieces) {
            mirror = jsonMirrorState.parse(again(mirror));
            readMirror(mirror, piece, 0);
            written += mirror.json;
            mirror.json = '';
          }
          expect(written + mirrorScalar(mirror) + mirrorClosers(mirror)).toBe(dumps(loads(json)));
        },
      ),
    );
  });

  it('can be completed anywhere', () => {
    const text = '{"a": [1, {"b": "c\\u00e9"}], "d": true, "e": {}}';
    for (let length = 1; length < text.length; length += 1) {
      const mirror = startMirror();
      readMirror(mirror, text.slice(0, length), 0);
      const completed = mirror.json + mirrorScalar(mirror) + mirrorClosers(mirror);
      expect(tryLoads(completed), completed).not.toBe(undefined);
    }
  });
});

describe('elements', () => {
  it('ends each at the first closing tag, in one pass', () => {
    const found = elementsOf('<p=a>1</p> <p=b><p=c></p> </p><p=d>', /<p=(\w)>/g, '</p>');
    expect(found.map(({ groups, body }) => [groups[0], body])).toEqual([
      ['a', '1'],
      ['b', '<p=c>'],
    ]);
    const many = '<p=a>'.repeat(100_000);
    const start = performance.now();
    expect(elementsOf(many, /<p=(\w)>/g, '</p>')).toEqual([]);
    expect(performance.now() - start).toBeLessThan(500);
  });
});

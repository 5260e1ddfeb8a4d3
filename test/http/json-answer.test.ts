import { describe, expect, it } from 'vitest';
import { ApiError } from '../../src/core/errors.ts';
import { loads } from '../../src/core/python-json.ts';
import { answerText } from '../../src/http/json-answer.ts';

describe('the text of an answer', () => {
  it('is plain JSON', () => {
    const value = { a: [1, 'x\n', null, { b: true, gone: undefined }], '\\ud800': 'c:\\\\ud83e' };
    expect(answerText(value)).toBe(JSON.stringify(value));
  });

  it('keeps what the lossless reader gave', () => {
    const exact = loads('{"b": 1.0, "a": [12345678901234567890, 2], "1": {"x": -0.0}}');
    expect(answerText({ exact, plain: [1, undefined], gone: undefined })).toBe(
      '{"exact":{"b":1.0,"a":[12345678901234567890,2],"1":{"x":-0.0}},"plain":[1,null]}',
    );
  });

  it.each([
    ['NaN', { a: [Number.NaN] }],
    ['an infinity', { a: new Map([['b', -Infinity]]) }],
    ['half a surrogate pair', { a: 'x\ud83e' }],
    ['half a surrogate pair behind a backslash', { a: '\\\udc00' }],
  ])('cannot hold %s', (_name, value) => {
    expect(() => answerText(value)).toThrow(ApiError);
  });
});

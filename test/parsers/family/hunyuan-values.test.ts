import { describe, expect, it } from 'vitest';
import { hunyuanJson, isHunyuanText } from '../../../src/parsers/family/hunyuan-values.ts';

describe('values of the Hunyuan formats', () => {
  it.each([
    ['4', undefined, '"4"'],
    ['4', { type: 'integer' }, '4'],
    ['four', { type: 'integer' }, '"four"'],
    ['5', { type: 'number' }, '5'],
    ['5.0', { type: 'number' }, '5.0'],
    ['1e3', { type: 'float32' }, '1000.0'],
    ['TRUE', { type: 'bool' }, 'true'],
    ['1', { type: 'boolean' }, '1'],
    ['null', { type: ['string', 'null'] }, '"null"'],
    ['null', { type: ['integer', 'null'] }, 'null'],
    ['[1, "a"]', { type: 'array' }, '[1, "a"]'],
    ["['a', None]", { type: 'array' }, '["a", null]'],
    ['[1', { anyOf: [{ type: 'array' }, { type: 'string' }] }, '"[1"'],
    ['7', { oneOf: [{ type: 'uint8' }, {}] }, '7'],
    ['NaN', { type: 'object' }, '"NaN"'],
  ])('reads %s by %j', (text, schema, expected) => {
    expect(hunyuanJson(text, schema)).toBe(expected);
  });

  it('streams only what is text in any case', () => {
    expect([undefined, {}, { type: 'varchar' }, { type: ['string', 'null'] }].map(isHunyuanText)).toEqual([true, true, true, true]);
    expect([{ type: 'integer' }, { type: ['string', 'object'] }, { anyOf: [{ type: 'array' }] }].map(isHunyuanText)).toEqual([
      false,
      false,
      false,
    ]);
  });
});

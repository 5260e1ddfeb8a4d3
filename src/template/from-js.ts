/** Values of the template language from plain JavaScript data. */
import { loads, PythonNumber } from '../core/python-json.ts';
import { TemplateError } from './errors.ts';
import { Dict } from './values/dict.ts';
import { integer } from './values/integer.ts';
import { Float, PythonObject, type Value } from './values/value.ts';

// As deep as Python reads JSON.
const MAX_NESTING = 1000;

/**
 * Converts what `JSON.parse` gives, and what the lossless reader gives. Plain numbers without a fraction become ints, as JavaScript does not
 * keep the two apart: where 1.0 or the order of keys like "10" matters, read the text with {@link parseJson}. Values of the template language may
 * stand anywhere inside and stay as they are; members that are `undefined` are left out.
 *
 * @throws TemplateError of kind `limit` where the data nests more than 1,000 deep, TypeError where it holds a function or a symbol.
 */
export function fromJs(data: unknown): Value {
  return convert(data, 0);
}

function convert(data: unknown, nesting: number): Value {
  switch (typeof data) {
    case 'string':
    case 'boolean':
      return data;
    case 'number':
      if (Number.isSafeInteger(data)) return data + 0;
      return Number.isInteger(data) ? BigInt(data) : new Float(data);
    case 'bigint':
      return integer(data);
    case 'undefined':
      return null;
    case 'object':
      return data === null || data instanceof PythonObject ? data : convertObject(data, nesting + 1);
    default:
      throw new TypeError(`a ${typeof data} is no value of the template language`);
  }
}

function convertObject(data: object, nesting: number): Value {
  if (nesting > MAX_NESTING) throw new TemplateError('limit', `the data nests more than ${MAX_NESTING} deep`, undefined, 'RecursionError');
  if (Array.isArray(data)) return data.map((item) => convert(item, nesting));
  if (data instanceof PythonNumber) return data.isFloat ? new Float(Number(data.text)) : integer(BigInt(data.text));
  const dict = new Dict();
  if (data instanceof Map) {
    for (const [key, value] of data) if (value !== undefined) dict.set(convert(key, nesting), convert(value, nesting));
    return dict;
  }
  for (const key of Object.keys(data)) {
    const value = (data as Record<string, unknown>)[key];
    if (value !== undefined) dict.set(key, convert(value, nesting));
  }
  return dict;
}

/**
 * Reads JSON into values of the template language, without loss: 1.0 is a float, ints are exact, keys keep their order.
 *
 * @throws SyntaxError where the text is no JSON that Python reads.
 */
export function parseJson(text: string): Value {
  return fromJs(loads(text));
}

/** Values of the template language from plain JavaScript data, and back. */
import { LimitError } from './errors.ts';
import { Dict } from './values/dict.ts';
import { integer } from './values/integer.ts';
import { Float, PythonObject, Tuple, type Value } from './values/value.ts';

const MAX_NESTING = 500;

/**
 * Converts what `JSON.parse` gives. Numbers without a fraction become ints, as JavaScript does not keep the two apart: where 1.0 or the order
 * of keys like "10" matters, read the text with `parseJson`. Values of the template language may stand anywhere inside and stay as they are;
 * members that are `undefined` are left out.
 *
 * @throws LimitError where the data nests more than 500 deep, TypeError where it holds a function or a symbol.
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
      return data === null || data instanceof PythonObject ? data : convertContainer(data, nesting + 1);
    default:
      throw new TypeError(`a ${typeof data} is no value of the template language`);
  }
}

function convertContainer(data: object, nesting: number): Value {
  if (nesting > MAX_NESTING) throw new LimitError(`the data nests more than ${MAX_NESTING} deep`);
  if (Array.isArray(data)) return data.map((item) => convert(item, nesting));
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
 * @returns plain JavaScript data for a value that JSON could hold: ints beyond the safe ones as the nearest number, keys as strings.
 * @throws TypeError where the value has no equal in JSON.
 */
export function toJs(value: Value): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number' || typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(toJs);
  if (value instanceof Float) return value.value;
  if (value instanceof Tuple) return value.items.map(toJs);
  if (!(value instanceof Dict)) throw new TypeError(`a ${value.typeName} has no equal in JSON`);
  // Defined, not assigned: a key `__proto__` is a key like any other.
  const data: Record<string, unknown> = {};
  for (const [key, item] of value.entries())
    Object.defineProperty(data, String(key), { value: toJs(item), enumerable: true, writable: true, configurable: true });
  return data;
}

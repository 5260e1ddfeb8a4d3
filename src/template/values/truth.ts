import { typeError } from '../errors.ts';
import { Dict, DictView, ValueSet } from './dict.ts';
import { codePointLength } from './text.ts';
import { typeName } from './type-name.ts';
import { Undefined } from './undefined.ts';
import { Bytes, Float, Instance, Markup, NumberRange, PythonObject, Tuple, type Value } from './value.ts';

/** @returns `len(value)`, or undefined where it has none. */
export function lengthOf(value: Value): number | undefined {
  if (typeof value === 'string') return codePointLength(value);
  if (Array.isArray(value)) return value.length;
  if (!(value instanceof PythonObject)) return undefined;
  if (value instanceof Dict) return value.size;
  if (value instanceof Tuple) return value.items.length;
  if (value instanceof Markup) return codePointLength(value.text);
  if (value instanceof Undefined) return 0;
  if (value instanceof DictView) return value.dict.size;
  if (value instanceof NumberRange) return value.length;
  if (value instanceof ValueSet) return value.size;
  if (value instanceof Bytes) return value.bytes.length;
  return value instanceof Instance ? value.length : undefined;
}

/**
 * @returns Python's `len(value)`.
 * @throws PythonError `TypeError` where it has none.
 */
export function length(value: Value): number {
  const known = lengthOf(value);
  if (known === undefined) throw typeError(`object of type '${typeName(value)}' has no len()`);
  return known;
}

/** @returns Python's `bool(value)`. */
export function truthy(value: Value): boolean {
  switch (typeof value) {
    case 'boolean':
      return value;
    case 'string':
      return value.length > 0;
    case 'number':
      return value !== 0;
    case 'bigint':
      return true;
    default:
      if (value === null) return false;
      if (Array.isArray(value)) return value.length > 0;
      if (value instanceof Float) return value.value !== 0;
      return lengthOf(value) !== 0;
  }
}

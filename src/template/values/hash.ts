import { typeError } from '../errors.ts';
import { charge } from '../budget.ts';
import { typeName } from './type-name.ts';
import { Undefined } from './undefined.ts';
import { Bytes, Float, Markup, PythonObject, Tuple, type Value } from './value.ts';

/** A key of a JavaScript Map: equal exactly where Python's keys are equal (1, 1.0 and True are one key). */
export type HashKey = string | number | bigint | null | object;

// Strings stand for themselves; what has to be written as a string begins with NUL and a letter, and so does a string that begins with NUL.
const MARK = '\0';

// All Undefineds are equal.
const ANY_UNDEFINED: object = {};

const identities = new WeakMap<object, number>();
let nextIdentity = 0;

function identity(object: object): number {
  const known = identities.get(object);
  if (known !== undefined) return known;
  nextIdentity += 1;
  identities.set(object, nextIdentity);
  return nextIdentity;
}

function ofNumber(value: number): HashKey {
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? BigInt(value) : value;
}

function ofTuple(tuple: Tuple): string {
  charge(tuple.items.length);
  const parts = tuple.items.map((item) => {
    const key = hashKey(item);
    if (key === null) return 'n';
    if (typeof key === 'string') return `s${key.length}:${key}`;
    if (typeof key === 'object') return `o${identity(key)}`;
    return `i${key}`;
  });
  return `${MARK}t${parts.join(',')}`;
}

/**
 * @returns the Map key of a dict key or set item.
 * @throws PythonError `TypeError` where the value cannot be a key.
 */
export function hashKey(value: Value): HashKey {
  if (typeof value === 'string') return value.charCodeAt(0) === 0 ? `${MARK}s${value}` : value;
  if (typeof value === 'number' || typeof value === 'bigint' || value === null) return value;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (value instanceof Float) return Number.isNaN(value.value) ? value : ofNumber(value.value);
  if (value instanceof Markup) return hashKey(value.text);
  if (value instanceof Tuple) return ofTuple(value);
  if (value instanceof Undefined) return ANY_UNDEFINED;
  if (value instanceof Bytes) return `${MARK}b${value.bytes.join(',')}`;
  if (value instanceof PythonObject && value.hashable) return value;
  throw typeError(`unhashable type: '${typeName(value)}'`);
}

import { PythonNumber, type PythonValue } from '../../core/python-json.ts';

/**
 * Values of a request inside encoders: plain JSON objects, or Maps and PythonNumbers where the lossless reader was needed. These helpers
 * read both forms alike.
 */

/** Whether a value is a JSON object in either form. */
export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof PythonNumber);
}

/** A member of a JSON object; undefined where it is absent or the value is no object. */
export function member(value: unknown, key: string): unknown {
  if (value instanceof Map) return value.get(key);
  return isObject(value) && Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined;
}

/** Members of a JSON object in their order; none where the value is no object. */
export function members(value: unknown): [string, unknown][] {
  if (value instanceof Map) return [...(value as Map<string, unknown>)];
  return isObject(value) ? Object.entries(value) : [];
}

/** A list, or none where the value is no list. */
export function items(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A request's value as a value that can be written as Python's `json.dumps` does. */
export function toPython(value: unknown): PythonValue {
  if (Array.isArray(value)) return value.map(toPython);
  if (value instanceof PythonNumber) return value;
  if (isObject(value)) return new Map(members(value).map(([key, item]) => [key, toPython(item)]));
  return value === undefined ? null : (value as PythonValue);
}

/** Python's truth of a value: empty strings, lists and objects, zero, false and null are false. */
export function truthy(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (value instanceof PythonNumber) return Number(value.text) !== 0;
  if (isObject(value)) return members(value).length > 0;
  return Boolean(value) || (typeof value === 'number' && Number.isNaN(value));
}

/** The value where it is a text, else "". */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

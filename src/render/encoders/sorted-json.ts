import { badRequest } from '../../core/errors.ts';
import { dumps, PythonNumber, type PythonValue } from '../../core/python-json.ts';

function byCodePoint([a]: [string, unknown], [b]: [string, unknown]): number {
  const left = Array.from(a);
  const right = Array.from(b);
  const at = left.findIndex((c, index) => c !== right[index]);
  if (at < 0) return left.length - right.length;
  return (left[at]?.codePointAt(0) ?? -1) - (right[at]?.codePointAt(0) ?? -1);
}

/** Members in the order of their names' code points, as Python sorts them. */
function sortMembers(value: PythonValue): PythonValue {
  if (Array.isArray(value)) return value.map(sortMembers);
  if (value === null || typeof value !== 'object' || value instanceof PythonNumber) return value;
  return new Map([...value].sort(byCodePoint).map(([key, item]) => [key, sortMembers(item)]));
}

/** JSON with sorted members and without spaces. */
export function sortedJson(value: PythonValue): string {
  return dumps(sortMembers(value), { itemSeparator: ',', keySeparator: ':' });
}

function hasNoNumber(value: PythonValue): boolean {
  if (Array.isArray(value)) return value.some(hasNoNumber);
  if (value instanceof Map) return [...value.values()].some(hasNoNumber);
  return typeof value === 'number' && !Number.isFinite(value);
}

/** @throws ApiError (400) for NaN and Infinity, which are no JSON */
export function strictSortedJson(value: PythonValue): string {
  if (hasNoNumber(value)) throw badRequest('NaN and Infinity have no place in this prompt.');
  return sortedJson(value);
}

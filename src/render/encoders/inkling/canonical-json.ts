import { badRequest } from '../../../core/errors.ts';
import { dumps, PythonNumber, type PythonValue } from '../../../core/python-json.ts';

function byCodePoint([a]: [string, unknown], [b]: [string, unknown]): number {
  const left = Array.from(a);
  const right = Array.from(b);
  const at = left.findIndex((c, index) => c !== right[index]);
  if (at < 0) return left.length - right.length;
  return (left[at]?.codePointAt(0) ?? -1) - (right[at]?.codePointAt(0) ?? -1);
}

function sorted(value: PythonValue): PythonValue {
  if (typeof value === 'number' && !Number.isFinite(value)) throw badRequest('NaN and Infinity have no place in this prompt.');
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== 'object' || value instanceof PythonNumber) return value;
  return new Map([...value].sort(byCodePoint).map(([key, item]) => [key, sorted(item)]));
}

/**
 * JSON without spaces, members in the order of their code points.
 * @throws ApiError (400) for NaN and Infinity
 */
export function canonicalJson(value: PythonValue): string {
  return dumps(sorted(value), { itemSeparator: ',', keySeparator: ':' });
}

import { types } from 'node:util';
import { floatText, PythonNumber } from '../core/python-json.ts';

/**
 * Numbers that JavaScript would lose, in a form that survives the way between threads: integers as bigint, floats of integral value as
 * boxed numbers. Everything else passes as it is, and nothing is copied where there are no such numbers.
 */
export function toTransferable(value: unknown): unknown {
  if (value instanceof PythonNumber) return value.isFloat ? Object(Number(value.text)) : BigInt(value.text);
  return mapped(value, toTransferable);
}

/** Undoes `toTransferable` on the other side. */
export function fromTransferable(value: unknown): unknown {
  if (typeof value === 'bigint') return new PythonNumber(value.toString(), false);
  if (types.isNumberObject(value)) return new PythonNumber(floatText(value.valueOf()), true);
  return mapped(value, fromTransferable);
}

function mapped(value: unknown, change: (item: unknown) => unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  let changed = false;
  const each = (item: unknown): unknown => {
    const result = change(item);
    changed ||= result !== item;
    return result;
  };
  if (Array.isArray(value)) {
    const items = value.map(each);
    return changed ? items : value;
  }
  const entries = Array.from(value instanceof Map ? value : Object.entries(value), ([key, item]) => [key, each(item)] as const);
  if (!changed) return value;
  return value instanceof Map ? new Map(entries) : Object.fromEntries(entries);
}

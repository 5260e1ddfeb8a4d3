import { charge } from '../budget.ts';
import { typeError, valueError } from '../errors.ts';
import { undefinedError } from './repr.ts';
import { codePointLength, codePoints, codePointSlice } from './text.ts';
import { typeName } from './type-name.ts';
import { Undefined } from './undefined.ts';
import { Bytes, Markup, NumberRange, PythonObject, Tuple, type Value } from './value.ts';

/** The parts of `[start:stop:step]`; null where left out. */
export interface Slice {
  readonly start: Value;
  readonly stop: Value;
  readonly step: Value;
}

function bound(value: Value): number | undefined {
  if (value === null) return undefined;
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return Number(value);
  if (typeof value === 'bigint') return value > 0n ? Number.MAX_SAFE_INTEGER : Number.MIN_SAFE_INTEGER;
  throw typeError('slice indices must be integers or None or have an __index__ method');
}

/** @returns where a slice of `length` items starts and stops, and its step: Python's `slice.indices`. */
function sliceIndices(slice: Slice, length: number): { start: number; stop: number; step: number } {
  const step = bound(slice.step) ?? 1;
  if (step === 0) throw valueError('slice step cannot be zero');
  const lowest = step > 0 ? 0 : -1;
  const highest = step > 0 ? length : length - 1;
  const place = (index: number | undefined, fallback: number): number => {
    if (index === undefined) return fallback;
    return Math.min(highest, Math.max(lowest, index < 0 ? index + length : index));
  };
  return {
    start: place(bound(slice.start), step > 0 ? lowest : highest),
    stop: place(bound(slice.stop), step > 0 ? highest : lowest),
    step,
  };
}

function sliceItems<Item>(items: readonly Item[], slice: Slice): Item[] {
  const { start, stop, step } = sliceIndices(slice, items.length);
  charge(items.length / 32);
  if (step === 1) return items.slice(start, Math.max(start, stop));
  const taken: Item[] = [];
  for (let index = start; step > 0 ? index < stop : index > stop; index += step) taken.push(items[index] as Item);
  return taken;
}

function sliceText(text: string, slice: Slice): string {
  charge(text.length / 64);
  const { start, stop, step } = sliceIndices(slice, codePointLength(text));
  return step === 1 ? codePointSlice(text, start, Math.max(start, stop)) : sliceItems(codePoints(text), slice).join('');
}

function sliceRange(range: NumberRange, slice: Slice): NumberRange {
  const { start, stop, step } = sliceIndices(slice, range.length);
  return new NumberRange(range.at(start), range.at(stop), range.step * step);
}

/**
 * @returns Python's `value[start:stop:step]`.
 * @throws PythonError as Python where the value cannot be sliced.
 */
export function sliceValue(value: Value, slice: Slice): Value {
  if (typeof value === 'string') return sliceText(value, slice);
  if (Array.isArray(value)) return sliceItems(value, slice);
  if (value instanceof Tuple) return new Tuple(sliceItems(value.items, slice));
  if (value instanceof Markup) return new Markup(sliceText(value.text, slice));
  if (value instanceof NumberRange) return sliceRange(value, slice);
  if (value instanceof Bytes) return new Bytes(Uint8Array.from(sliceItems([...value.bytes], slice)));
  if (value instanceof Undefined) throw undefinedError(value);
  if (value instanceof PythonObject && value.typeName === 'dict') throw typeError("unhashable type: 'slice'");
  throw typeError(`'${typeName(value)}' object is not subscriptable`);
}

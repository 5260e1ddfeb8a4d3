import { charge, reserveItems } from '../budget.ts';
import { typeError } from '../errors.ts';
import { Dict, DictView, ValueSet } from './dict.ts';
import { undefinedError } from './repr.ts';
import { compareText } from './text.ts';
import { typeName } from './type-name.ts';
import { Undefined } from './undefined.ts';
import { Bytes, Float, Markup, NumberRange, Tuple, type Value } from './value.ts';

/** @returns the number that an int, bool or float compares as, or undefined. */
export function numeric(value: Value): number | bigint | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return value;
  if (typeof value === 'boolean') return value ? 1 : 0;
  return value instanceof Float ? value.value : undefined;
}

/** @returns the characters of a string or Markup, or undefined. */
export function stringOf(value: Value): string | undefined {
  if (typeof value === 'string') return value;
  return value instanceof Markup ? value.text : undefined;
}

/** @returns whether two items are one object or equal, as containers compare their items. */
export function sameOrEqual(left: Value, right: Value): boolean {
  return left === right || equals(left, right);
}

function equalItems(left: readonly Value[], right: readonly Value[]): boolean {
  if (left === right) return true;
  if (left.length !== right.length) return false;
  charge(left.length / 16);
  return left.every((item, index) => sameOrEqual(item, right[index] as Value));
}

function equalDicts(left: Dict, right: Dict): boolean {
  if (left === right) return true;
  if (left.size !== right.size) return false;
  return left.entries().every(([key, value]) => {
    const other = right.get(key);
    return other !== undefined && sameOrEqual(value, other);
  });
}

function equalRanges(left: NumberRange, right: NumberRange): boolean {
  if (left.length !== right.length) return false;
  return left.length === 0 || (left.start === right.start && (left.length === 1 || left.step === right.step));
}

/** @returns the items of what compares as a set (sets, and the keys and items of dicts), or undefined. */
export function asSet(value: Value): ValueSet | undefined {
  if (value instanceof ValueSet) return value;
  return value instanceof DictView && value.kind !== 'values' ? new ValueSet(value.items()) : undefined;
}

function equalSets(left: ValueSet, right: ValueSet): boolean {
  return left.size === right.size && left.items().every((item) => right.has(item));
}

/** An int and a double are equal where neither is below the other, and NaN is equal to nothing. */
function equalNumbers(left: number | bigint, right: number | bigint): boolean {
  return typeof left === typeof right ? left === right : !(left < right) && left <= right;
}

/** @returns Python's `left == right`. */
export function equals(left: Value, right: Value): boolean {
  if (typeof left === 'string' && typeof right === 'string') return left === right;
  if (left === null || right === null) return left === right;
  charge(1);
  const a = numeric(left);
  if (a !== undefined) {
    const b = numeric(right);
    return b !== undefined && equalNumbers(a, b);
  }
  if (Array.isArray(left)) return Array.isArray(right) && equalItems(left, right);
  const characters = stringOf(left);
  if (characters !== undefined) return characters === stringOf(right);
  if (left instanceof Dict) return right instanceof Dict && equalDicts(left, right);
  if (left instanceof Tuple) return right instanceof Tuple && equalItems(left.items, right.items);
  if (left instanceof Undefined) return right instanceof Undefined;
  if (left instanceof NumberRange) return right instanceof NumberRange && equalRanges(left, right);
  if (left instanceof Bytes) return right instanceof Bytes && Buffer.compare(left.bytes, right.bytes) === 0;
  const set = asSet(left);
  if (set === undefined) return left === right;
  const other = asSet(right);
  return other !== undefined && equalSets(set, other);
}

/** The ordering operators. */
export type Ordering = '<' | '<=' | '>' | '>=';

function holds(order: number, operator: Ordering): boolean {
  if (operator === '<') return order < 0;
  if (operator === '<=') return order <= 0;
  return operator === '>' ? order > 0 : order >= 0;
}

function compareNumbers(left: number | bigint, right: number | bigint, operator: Ordering): boolean {
  if (operator === '<') return left < right;
  if (operator === '<=') return left <= right;
  return operator === '>' ? left > right : left >= right;
}

function compareItems(left: readonly Value[], right: readonly Value[], operator: Ordering): boolean {
  const shared = Math.min(left.length, right.length);
  for (let index = 0; index < shared; index += 1) {
    const a = left[index] as Value;
    const b = right[index] as Value;
    if (!sameOrEqual(a, b)) return compare(a, b, operator);
  }
  return holds(left.length - right.length, operator);
}

function compareSets(left: ValueSet, right: ValueSet, operator: Ordering): boolean {
  if (operator === '>' || operator === '>=') return compareSets(right, left, operator === '>' ? '<' : '<=');
  return (operator === '<=' || left.size < right.size) && left.items().every((item) => right.has(item));
}

/**
 * @returns Python's `left operator right`.
 * @throws PythonError `TypeError` where the two have no order, `UndefinedError` where one is Undefined.
 */
export function compare(left: Value, right: Value, operator: Ordering): boolean {
  charge(1);
  const a = numeric(left);
  const b = numeric(right);
  if (a !== undefined && b !== undefined) return compareNumbers(a, b, operator);
  const leftText = stringOf(left);
  const rightText = stringOf(right);
  if (leftText !== undefined && rightText !== undefined) return holds(compareText(leftText, rightText), operator);
  if (left instanceof Undefined) throw undefinedError(left);
  if (right instanceof Undefined) throw undefinedError(right);
  if (Array.isArray(left) && Array.isArray(right)) return compareItems(left, right, operator);
  if (left instanceof Tuple && right instanceof Tuple) return compareItems(left.items, right.items, operator);
  if (left instanceof Bytes && right instanceof Bytes) return holds(Buffer.compare(left.bytes, right.bytes), operator);
  const leftSet = asSet(left);
  const rightSet = asSet(right);
  if (leftSet !== undefined && rightSet !== undefined) return compareSets(leftSet, rightSet, operator);
  throw typeError(`'${operator}' not supported between instances of '${typeName(left)}' and '${typeName(right)}'`);
}

/**
 * @returns the values in ascending order of their keys; equal ones keep their order, in descending order too.
 * @throws PythonError `TypeError` where two keys have no order.
 */
export function sorted<Item>(items: readonly Item[], keyOf: (item: Item) => Value, descending = false): Item[] {
  reserveItems(items.length * 2);
  const keyed = items.map((item) => ({ item, key: keyOf(item) }));
  const sign = descending ? -1 : 1;
  keyed.sort((a, b) => {
    if (compare(a.key, b.key, '<')) return -sign;
    return compare(b.key, a.key, '<') ? sign : 0;
  });
  return keyed.map(({ item }) => item);
}

import { charge, reserveItems } from '../budget.ts';
import { typeError } from '../errors.ts';
import { Dict, DictView, ValueSet } from './dict.ts';
import { codePoints } from './text.ts';
import { typeName } from './type-name.ts';
import { Undefined } from './undefined.ts';
import { Bytes, Markup, NumberRange, PythonObject, Tuple, ValueIterator, type Value } from './value.ts';

/**
 * @returns the items of a value that is there as a whole, or undefined for what is read item by item or cannot be iterated. The array may be the
 * value's own: it must not be changed.
 */
export function wholeItems(value: Value): readonly Value[] | undefined {
  if (Array.isArray(value)) return value;
  if (typeof value === 'string') return pay(codePoints(value));
  if (!(value instanceof PythonObject)) return undefined;
  if (value instanceof Dict) return pay(value.keys());
  if (value instanceof Tuple) return value.items;
  if (value instanceof Undefined) return [];
  if (value instanceof DictView) return pay(value.items());
  if (value instanceof NumberRange) return pay(Array.from({ length: value.length }, (_, index) => value.at(index)));
  if (value instanceof Markup) return pay(codePoints(value.text).map((character) => new Markup(character)));
  if (value instanceof ValueSet) return pay(value.items());
  if (value instanceof Bytes) return pay([...value.bytes]);
  return undefined;
}

function pay(items: readonly Value[]): readonly Value[] {
  reserveItems(items.length);
  return items;
}

/** @returns whether `iter(value)` works. */
export function isIterable(value: Value): boolean {
  return (
    Array.isArray(value) ||
    typeof value === 'string' ||
    (value instanceof PythonObject && (value instanceof ValueIterator || wholeItems(value) !== undefined))
  );
}

/** @throws PythonError `TypeError`: the value cannot be iterated. */
function refuse(value: Value): never {
  throw typeError(`'${typeName(value)}' object is not iterable`);
}

/**
 * @returns all items; an iterator is read to its end. The array may be the value's own: it must not be changed.
 * @throws PythonError `TypeError` where the value cannot be iterated.
 */
export function allItems(value: Value): readonly Value[] {
  if (!(value instanceof ValueIterator)) return wholeItems(value) ?? refuse(value);
  const items: Value[] = [];
  for (let item = value.next(); item !== undefined; item = value.next()) {
    charge(1);
    items.push(item);
  }
  reserveItems(items.length);
  return items;
}

/**
 * @returns an iterator over the value: what `iter(value)` gives.
 * @throws PythonError `TypeError` where the value cannot be iterated.
 */
export function iteratorOf(value: Value): Iterator<Value> {
  if (value instanceof ValueIterator) return value.source;
  return (wholeItems(value) ?? refuse(value))[Symbol.iterator]();
}

import { charge, reserve, reserveItems } from '../budget.ts';
import { filterArgumentError, PythonError, typeError } from '../errors.ts';
import { add } from '../values/arithmetic.ts';
import type { Arguments, CallState } from '../values/callable.ts';
import { compare, equals, sorted, stringOf } from '../values/compare.ts';
import { Dict, ValueSet } from '../values/dict.ts';
import { hashKey } from '../values/hash.ts';
import { allItems, isIterable, iteratorOf, wholeItems } from '../values/iterate.ts';
import { indexArgument } from '../values/method.ts';
import { undefinedError } from '../values/repr.ts';
import { codePoints } from '../values/text.ts';
import { length, truthy } from '../values/truth.ts';
import { typeName } from '../values/type-name.ts';
import { Undefined } from '../values/undefined.ts';
import { Markup, Tuple, ValueIterator, type Value } from '../values/value.ts';
import { attributeGetter, ignoreCase, multiAttributeGetter } from './attribute-getter.ts';
import { filter, type NamedFilter } from './filter.ts';

function isTrue(value: Value | undefined): boolean {
  return value !== undefined && truthy(value);
}

/** @returns a generator whose items are computed when they are asked for. */
export function generator(functionName: string, items: () => Iterable<Value>): ValueIterator {
  function* lazily(): Generator<Value> {
    yield* items();
  }
  return new ValueIterator(lazily(), 'generator', functionName);
}

function listOf([value]: Arguments): Value {
  const items = allItems(value as Value);
  reserveItems(items.length);
  return [...items];
}

function first([value]: Arguments): Value {
  const step = iteratorOf(value as Value).next();
  return step.done === true ? new Undefined(null, undefined, 'No first item, sequence was empty.') : step.value;
}

function last([value]: Arguments): Value {
  const items = value instanceof ValueSet ? undefined : wholeItems(value as Value);
  if (items === undefined) throw typeError(`'${typeName(value as Value)}' object is not reversible`);
  const item = items.at(-1);
  return item === undefined ? new Undefined(null, undefined, 'No last item, sequence was empty.') : item;
}

function reversedText(text: string): string {
  reserve(text.length);
  return codePoints(text).reverse().join('');
}

function reverse([value]: Arguments): Value {
  const text = stringOf(value as Value);
  if (text !== undefined) return value instanceof Markup ? new Markup(reversedText(text)) : reversedText(text);
  if (!isIterable(value as Value)) throw filterArgumentError('argument must be iterable');
  const items = [...allItems(value as Value)].reverse();
  if (value instanceof ValueIterator) return items;
  return new ValueIterator(items[Symbol.iterator](), Array.isArray(value) ? 'list_reverseiterator' : 'reversed');
}

function* batches(value: Value, size: Value, fill: Value): Generator<Value> {
  let batch: Value[] = [];
  const iterator = iteratorOf(value);
  for (let step = iterator.next(); step.done !== true; step = iterator.next()) {
    if (equals(batch.length, size)) {
      yield batch;
      batch = [];
    }
    charge(1);
    batch.push(step.value);
  }
  if (batch.length === 0) return;
  if (fill !== null && compare(batch.length, size, '<')) {
    const missing = indexArgument(size) - batch.length;
    reserveItems(missing);
    batch = [...batch, ...Array.from({ length: missing }, () => fill)];
  }
  yield batch;
}

function* slices(value: Value, count: Value, fill: Value): Generator<Value> {
  const items = allItems(value);
  const wanted = indexArgument(count);
  if (wanted === 0) throw new PythonError('ZeroDivisionError', 'integer division or modulo by zero');
  const size = Math.floor(items.length / wanted);
  const extra = items.length % wanted;
  let start = 0;
  for (let number = 0; number < wanted; number += 1) {
    charge(2);
    const end = start + size + (number < extra ? 1 : 0);
    const slice = items.slice(start, end);
    yield fill !== null && number >= extra ? [...slice, fill] : slice;
    start = end;
  }
}

function* unique(value: Value, keyOf: (item: Value) => Value): Generator<Value> {
  const seen = new Set<unknown>();
  const iterator = iteratorOf(value);
  for (let step = iterator.next(); step.done !== true; step = iterator.next()) {
    charge(2);
    const key = hashKey(keyOf(step.value));
    if (seen.has(key)) continue;
    seen.add(key);
    yield step.value;
  }
}

function extreme([value, caseSensitive, attribute = null]: Arguments, state: CallState, operator: '<' | '>'): Value {
  const items = allItems(value as Value);
  if (items.length === 0) return new Undefined(null, undefined, 'No aggregated item, sequence was empty.');
  const keyOf = attributeGetter(state, attribute, isTrue(caseSensitive) ? undefined : ignoreCase);
  let best = items[0] as Value;
  let bestKey = keyOf(best);
  for (const item of items.slice(1)) {
    const key = keyOf(item);
    if (compare(key, bestKey, operator)) [best, bestKey] = [item, key];
  }
  return best;
}

function sum([value, attribute = null, start = 0]: Arguments, state: CallState): Value {
  if (stringOf(start) !== undefined) throw typeError("sum() can't sum strings [use ''.join(seq) instead]");
  const valueOf = attributeGetter(state, attribute);
  let total: Value = start;
  for (const item of allItems(value as Value)) {
    charge(1);
    total = add(total, valueOf(item));
  }
  return total;
}

function sortItems([value, reversed, caseSensitive, attribute = null]: Arguments, state: CallState): Value {
  const keyOf = multiAttributeGetter(state, attribute, isTrue(caseSensitive) ? undefined : ignoreCase);
  return sorted(allItems(value as Value), keyOf, isTrue(reversed));
}

function sortDict([value, caseSensitive, by = 'key', reversed]: Arguments): Value {
  if (by !== 'key' && by !== 'value') throw filterArgumentError('You can only sort by either "key" or "value"');
  if (value instanceof Undefined) throw undefinedError(value);
  if (!(value instanceof Dict)) throw attributeMissing(value as Value, 'items');
  const keyOf = ([key, item]: [Value, Value]): Value =>
    isTrue(caseSensitive) ? (by === 'key' ? key : item) : ignoreCase(by === 'key' ? key : item);
  return sorted(value.entries(), keyOf, isTrue(reversed)).map((entry) => new Tuple(entry));
}

function attributeMissing(value: Value, name: string): Error {
  return new PythonError('AttributeError', `'${typeName(value)}' object has no attribute '${name}'`);
}

function items([value]: Arguments): Value {
  return generator('do_items', () => {
    if (value instanceof Undefined) return [];
    if (!(value instanceof Dict)) throw typeError('Can only get item pairs from a mapping.');
    return value.entries().map((entry) => new Tuple(entry));
  });
}

function random([value]: Arguments): Value {
  const count = length(value as Value);
  const choices = wholeItems(value as Value);
  if (count > 0 && value instanceof Dict) throw new PythonError('KeyError', '0');
  if (choices === undefined || count === 0) return new Undefined(null, undefined, 'No random item, sequence was empty.');
  return choices[Math.floor(Math.random() * count)] as Value;
}

/** Filters on lists, dicts and whatever can be iterated. */
export const sequenceFilters: readonly NamedFilter[] = [
  filter('length', 'value', ([value]) => length(value as Value)),
  filter('count', 'value', ([value]) => length(value as Value)),
  filter('list', 'value', listOf),
  filter('first', 'seq', first),
  filter('last', 'seq', last),
  filter('random', 'seq', random),
  filter('reverse', 'value', reverse),
  filter('items', 'value', items),
  filter('batch', 'value linecount fill_with?', ([value, size, fill = null]) =>
    generator('do_batch', () => batches(value as Value, size as Value, fill)),
  ),
  filter('slice', 'value slices fill_with?', ([value, count, fill = null]) =>
    generator('sync_do_slice', () => slices(value as Value, count as Value, fill)),
  ),
  filter('unique', 'value case_sensitive? attribute?', ([value, caseSensitive, attribute = null], state) => {
    const keyOf = attributeGetter(state, attribute, isTrue(caseSensitive) ? undefined : ignoreCase);
    return generator('sync_do_unique', () => unique(value as Value, keyOf));
  }),
  filter('min', 'value case_sensitive? attribute?', (args, state) => extreme(args, state, '<')),
  filter('max', 'value case_sensitive? attribute?', (args, state) => extreme(args, state, '>')),
  filter('sum', 'iterable attribute? start?', sum),
  filter('sort', 'value reverse? case_sensitive? attribute?', sortItems),
  filter('dictsort', 'value case_sensitive? by? reverse?', sortDict),
];

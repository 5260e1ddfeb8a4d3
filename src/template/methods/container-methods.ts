import { charge } from '../budget.ts';
import { PythonError, typeError, valueError } from '../errors.ts';
import type { Arguments } from '../values/callable.ts';
import { asSet, equals, sameOrEqual } from '../values/compare.ts';
import { Dict, DictView, ValueSet } from '../values/dict.ts';
import { allItems } from '../values/iterate.ts';
import { method, optionalIndex, stringArgument, type Method } from '../values/method.ts';
import { repr } from '../values/repr.ts';
import type { Bytes, NumberRange, Tuple, Value } from '../values/value.ts';

function countItems(items: readonly Value[], wanted: Value): number {
  return items.filter((item) => sameOrEqual(item, wanted)).length;
}

function indexOfItem(items: readonly Value[], [wanted, start, stop]: Arguments, kind: string): number {
  const clamp = (index: number): number => Math.max(0, index < 0 ? index + items.length : index);
  const from = clamp(optionalIndex(start, 0));
  const to = clamp(optionalIndex(stop, items.length));
  const at = items.findIndex((item, index) => index >= from && index < to && sameOrEqual(item, wanted as Value));
  if (at >= 0) return at;
  throw valueError(kind === 'list' ? `${repr(wanted as Value)} is not in list` : 'tuple.index(x): x not in tuple');
}

/** Python's methods of `list` that change nothing. */
export const listMethods: ReadonlyMap<string, Method<Value[]>> = new Map([
  ['copy', method('copy', '', (self) => [...self])],
  ['count', method('count', 'value', (self, [value]) => countItems(self, value as Value))],
  ['index', method('index', 'value start? stop?', (self, args) => indexOfItem(self, args, 'list'))],
]);

/** Python's methods of `tuple`. */
export const tupleMethods: ReadonlyMap<string, Method<Tuple>> = new Map([
  ['count', method('count', 'value', (self, [value]) => countItems(self.items, value as Value))],
  ['index', method('index', 'value start? stop?', (self, args) => indexOfItem(self.items, args, 'tuple'))],
]);

function orElse(value: Value | undefined, fallback: Value): Value {
  return value === undefined ? fallback : value;
}

/** Python's methods of `dict` that change nothing. */
export const dictMethods: ReadonlyMap<string, Method<Dict>> = new Map([
  ['copy', method('copy', '', (self) => Dict.from(self.entries()))],
  [
    'fromkeys',
    method('fromkeys', 'iterable value?', (_self, [keys, value]) => Dict.from(allItems(keys as Value).map((key) => [key, value ?? null]))),
  ],
  ['get', method('get', 'key default?', (self, [key, fallback = null]) => orElse(self.get(key as Value), fallback))],
  ['items', method('items', '', (self) => new DictView(self, 'items'))],
  ['keys', method('keys', '', (self) => new DictView(self, 'keys'))],
  ['values', method('values', '', (self) => new DictView(self, 'values'))],
]);

function rangeIndex(self: NumberRange, [wanted]: Arguments): number {
  const at = allItems(self).findIndex((item) => equals(item, wanted as Value));
  if (at < 0) throw valueError(`${repr(wanted as Value)} is not in range`);
  return at;
}

/** Python's methods of `range`. */
export const rangeMethods: ReadonlyMap<string, Method<NumberRange>> = new Map([
  ['count', method('count', 'value', (self, [value]) => countItems(allItems(self), value as Value))],
  ['index', method('index', 'value', rangeIndex)],
]);

function others(args: readonly Value[]): Value[] {
  return args.flatMap((arg) => [...allItems(arg)]);
}

function setOf(items: readonly Value[]): ValueSet {
  charge(items.length);
  return new ValueSet(items);
}

/** A method that takes any number of other sets. */
function setMethod(body: (self: ValueSet, args: readonly Value[]) => Value): Method<ValueSet> {
  return { call: (self, args) => body(self, args) };
}

/** Python's methods of `set` that change nothing. */
export const setMethods: ReadonlyMap<string, Method<ValueSet>> = new Map([
  ['copy', setMethod((self) => setOf(self.items()))],
  ['union', setMethod((self, args) => setOf([...self.items(), ...others(args)]))],
  [
    'intersection',
    setMethod((self, args) =>
      args.map((arg) => setOf(allItems(arg))).reduce((kept, other) => setOf(kept.items().filter((item) => other.has(item))), self),
    ),
  ],
  ['difference', setMethod((self, args) => setOf(self.items().filter((item) => !setOf(others(args)).has(item))))],
  [
    'symmetric_difference',
    method('symmetric_difference', 'other', (self, [other]) => {
      const set = setOf(allItems(other as Value));
      return setOf([...self.items().filter((item) => !set.has(item)), ...set.items().filter((item) => !self.has(item))]);
    }),
  ],
  ['issubset', method('issubset', 'other', (self, [other]) => self.items().every((item) => setOf(allItems(other as Value)).has(item)))],
  ['issuperset', method('issuperset', 'other', (self, [other]) => allItems(other as Value).every((item) => self.has(item)))],
  ['isdisjoint', method('isdisjoint', 'other', (self, [other]) => !allItems(other as Value).some((item) => self.has(item)))],
]);

/** Python's method of dict views that look like sets. */
export const viewMethods: ReadonlyMap<string, Method<DictView>> = new Map([
  [
    'isdisjoint',
    method('isdisjoint', 'other', (self, [other]) => {
      const set = asSet(self);
      if (set === undefined) throw typeError("'dict_values' object has no attribute 'isdisjoint'");
      return !allItems(other as Value).some((item) => set.has(item));
    }),
  ],
]);

function decode(bytes: Uint8Array, [encoding, errors]: Arguments): string {
  const name = (encoding === undefined ? 'utf-8' : stringArgument(encoding, "decode() argument 'encoding'"))
    .toLowerCase()
    .replaceAll('_', '-');
  const strict = errors === undefined || errors === 'strict';
  if (name === 'latin-1' || name === 'latin1' || name === 'iso-8859-1')
    return Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  if (!['utf-8', 'utf8', 'ascii', 'us-ascii'].includes(name)) throw new PythonError('LookupError', `unknown encoding: ${name}`);
  if (name.endsWith('ascii') && strict && bytes.some((byte) => byte > 0x7f))
    throw new PythonError('UnicodeDecodeError', "'ascii' codec can't decode byte: ordinal not in range(128)");
  try {
    return new TextDecoder('utf-8', { fatal: strict, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new PythonError('UnicodeDecodeError', "'utf-8' codec can't decode byte: invalid start byte");
  }
}

/** The methods of `bytes` that turn them into text. */
export const bytesMethods: ReadonlyMap<string, Method<Bytes>> = new Map([
  ['decode', method('decode', 'encoding? errors?', (self, args) => decode(self.bytes, args), true)],
  ['hex', method('hex', '', (self) => Buffer.from(self.bytes).toString('hex'))],
]);

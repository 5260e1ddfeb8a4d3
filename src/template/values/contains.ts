import { charge } from '../budget.ts';
import { typeError, valueError } from '../errors.ts';
import { sameOrEqual, stringOf } from './compare.ts';
import { Dict, DictView, ValueSet } from './dict.ts';
import { iteratorOf, isIterable } from './iterate.ts';
import { typeName } from './type-name.ts';
import { Bytes, Markup, type Value } from './value.ts';

function containsText(text: string, item: Value): boolean {
  const wanted = stringOf(item);
  if (wanted === undefined) throw typeError(`'in <string>' requires string as left operand, not ${typeName(item)}`);
  charge(text.length / 64);
  return text.includes(wanted);
}

function containsByte(container: Bytes, item: Value): boolean {
  if (item instanceof Bytes) return Buffer.from(container.bytes).includes(Buffer.from(item.bytes));
  if (typeof item !== 'number') throw typeError(`a bytes-like object is required, not '${typeName(item)}'`);
  if (item < 0 || item > 255) throw valueError('byte must be in range(0, 256)');
  return container.bytes.includes(item);
}

/**
 * @returns Python's `item in container`. An iterator is read up to the item.
 * @throws PythonError `TypeError` where the container can hold nothing.
 */
export function contains(item: Value, container: Value): boolean {
  if (typeof container === 'string') return containsText(container, item);
  if (Array.isArray(container)) {
    charge(container.length / 16);
    return container.some((other) => sameOrEqual(other, item));
  }
  if (container instanceof Dict) return container.has(item);
  if (container instanceof Markup) return containsText(container.text, item);
  if (container instanceof DictView && container.kind === 'keys') return container.dict.has(item);
  if (container instanceof ValueSet) return container.has(item);
  if (container instanceof Bytes) return containsByte(container, item);
  if (!isIterable(container)) throw typeError(`argument of type '${typeName(container)}' is not iterable`);
  const iterator = iteratorOf(container);
  for (let step = iterator.next(); step.done !== true; step = iterator.next()) {
    charge(1);
    if (sameOrEqual(step.value, item)) return true;
  }
  return false;
}

/** `object.name` and `object[key]` in jinja's immutable sandbox. */
import { PythonError, typeError } from './errors.ts';
import {
  bytesMethods,
  dictMethods,
  listMethods,
  rangeMethods,
  setMethods,
  tupleMethods,
  viewMethods,
} from './methods/container-methods.ts';
import { markupMethods } from './methods/markup-methods.ts';
import { floatAttribute, floatMethods, integerAttribute, integerMethods } from './methods/number-attributes.ts';
import { stringMethods } from './methods/string-methods.ts';
import type { CallState, Keywords } from './values/callable.ts';
import { Dict, DictView, ValueSet } from './values/dict.ts';
import { integerOf } from './values/arithmetic.ts';
import { GroupTuple } from './values/group-tuple.ts';
import { BoundMethod, type Method } from './values/method.ts';
import { undefinedError } from './values/repr.ts';
import { codePointAt } from './values/text.ts';
import { typeName } from './values/type-name.ts';
import { Undefined } from './values/undefined.ts';
import { Bytes, Float, Instance, Markup, NumberRange, Tuple, type Value } from './values/value.ts';

type AnyMethod = Method<never>;

/** @returns the methods of the value's type. */
function methodsOf(value: Value): ReadonlyMap<string, AnyMethod> | undefined {
  if (typeof value === 'string') return stringMethods;
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') return integerMethods;
  if (Array.isArray(value)) return listMethods;
  if (value instanceof Dict) return dictMethods;
  if (value instanceof Tuple) return tupleMethods;
  if (value instanceof Markup) return markupMethods;
  if (value instanceof Float) return floatMethods;
  if (value instanceof DictView) return viewMethods;
  if (value instanceof NumberRange) return rangeMethods;
  if (value instanceof ValueSet) return setMethods;
  return value instanceof Bytes ? bytesMethods : undefined;
}

/** @returns the builtin method of that name, or undefined. */
export function findMethod(value: Value, name: string): AnyMethod | undefined {
  return methodsOf(value)?.get(name);
}

/** Calls a method that {@link findMethod} found for this very value. */
export function callMethod(
  method: AnyMethod,
  self: Value,
  args: readonly Value[],
  keywords: Keywords | undefined,
  state: CallState,
): Value {
  return (method as unknown as Method<Value>).call(self, args, keywords, state);
}

const MUTATING: Record<string, ReadonlySet<string>> = {
  dict: new Set(['clear', 'pop', 'popitem', 'setdefault', 'update']),
  list: new Set(['append', 'clear', 'pop', 'reverse', 'insert', 'sort', 'extend', 'remove']),
  set: new Set([
    'add',
    'clear',
    'difference_update',
    'discard',
    'pop',
    'remove',
    'symmetric_difference_update',
    'intersection_update',
    'update',
  ]),
};

/** @returns whether every dict has an attribute of that name, which hides the key of that name. */
export function isDictAttribute(name: string): boolean {
  return dictMethods.has(name) || name.startsWith('__') || MUTATING['dict']?.has(name) === true;
}

// The names that every Python object, or every one of these types, has: they are found before any item, and refused.
const SPECIAL = new Set(
  (
    'class delattr dir doc eq format ge getattribute getstate gt hash init init_subclass le lt ne new reduce reduce_ex repr setattr sizeof str subclasshook ' +
    'add contains getitem iter len mul rmul setitem delitem iadd imul reversed class_getitem or ror ior getnewargs mod rmod abs bool call dict module'
  )
    .split(' ')
    .map((name) => `__${name}__`),
);

function unsafe(value: Value, name: string): Undefined {
  return new Undefined(name, value, `access to attribute '${name}' of '${typeName(value)}' object is unsafe.`, 'SecurityError');
}

/** @returns the attribute that the object has by its type, or undefined; items are not looked at. */
export function findAttribute(value: Value, name: string): Value | undefined {
  if (name.startsWith('_')) return SPECIAL.has(name) ? unsafe(value, name) : undefined;
  const method = findMethod(value, name);
  if (method !== undefined)
    return new BoundMethod(name, value, (state, args, keywords) => callMethod(method, value, args, keywords, state));
  if (MUTATING[typeName(value)]?.has(name) === true) return unsafe(value, name);
  if (value instanceof Instance) return value.attribute(name);
  if (value instanceof GroupTuple) return name === 'grouper' || name === 'list' ? value[name] : undefined;
  if (value instanceof Float) return floatAttribute(value, name);
  if (value instanceof NumberRange) return name === 'start' || name === 'stop' || name === 'step' ? value[name] : undefined;
  const int = integerOf(value);
  return int === undefined ? undefined : integerAttribute(int, name);
}

function itemAt(items: readonly Value[], key: Value): Value | undefined {
  const index = integerOf(key);
  return typeof index === 'number' ? items[index < 0 ? index + items.length : index] : undefined;
}

/** @returns `value[key]`, or undefined where there is no such item, or none at all. */
function itemOf(value: Value, key: Value): Value | undefined {
  if (value instanceof Dict) return isHashable(key) ? value.get(key) : undefined;
  if (Array.isArray(value)) return itemAt(value, key);
  if (value instanceof Tuple) return itemAt(value.items, key);
  if (typeof value === 'string') return characterAt(value, key);
  if (value instanceof Undefined) throw undefinedError(value);
  if (value instanceof Markup) {
    const character = characterAt(value.text, key);
    return character === undefined ? undefined : new Markup(character);
  }
  if (value instanceof NumberRange) {
    const index = integerOf(key);
    if (typeof index !== 'number' || index >= value.length || index < -value.length) return undefined;
    return value.at(index < 0 ? index + value.length : index);
  }
  if (value instanceof Bytes) return itemAt([...value.bytes], key);
  return value instanceof Instance ? value.item(key) : undefined;
}

function isHashable(key: Value): boolean {
  try {
    new Dict().has(key);
    return true;
  } catch (error) {
    if (error instanceof PythonError) return false;
    throw error;
  }
}

function characterAt(text: string, key: Value): string | undefined {
  const index = integerOf(key);
  return typeof index === 'number' ? codePointAt(text, index) : undefined;
}

/**
 * @returns `object.name`: the attribute first, then the item; Undefined where there is neither.
 * @throws PythonError `UndefinedError` where the object is Undefined.
 */
export function getAttribute(object: Value, name: string): Value {
  if (object instanceof Undefined && !SPECIAL.has(name)) throw undefinedError(object);
  const attribute = findAttribute(object, name);
  if (attribute !== undefined) return attribute;
  const item = itemOf(object, name);
  return item === undefined ? new Undefined(name, object) : item;
}

/**
 * @returns `object[key]`: the item first, then the attribute; Undefined where there is neither.
 * @throws PythonError `UndefinedError` where the object is Undefined.
 */
export function getItem(object: Value, key: Value): Value {
  const item = itemOf(object, key);
  if (item !== undefined) return item;
  const name = key instanceof Markup ? key.text : key;
  const attribute = typeof name === 'string' ? findAttribute(object, name) : undefined;
  return attribute === undefined ? new Undefined(key, object) : attribute;
}

/** @returns the error of calling what cannot be called. */
export function notCallable(object: Value): PythonError {
  return object instanceof Undefined ? undefinedError(object) : typeError(`'${typeName(object)}' object is not callable`);
}

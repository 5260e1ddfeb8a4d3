import { stringMethods } from '../methods/string-methods.ts';
import { binary } from '../values/arithmetic.ts';
import { Callable, NativeFunction, signature, type Arguments, type CallState } from '../values/callable.ts';
import { compare, equals, numeric, stringOf, type Ordering } from '../values/compare.ts';
import { contains } from '../values/contains.ts';
import { Dict, DictView, ValueSet } from '../values/dict.ts';
import { hashKey } from '../values/hash.ts';
import { isIterable } from '../values/iterate.ts';
import { text } from '../values/repr.ts';
import { lengthOf } from '../values/truth.ts';
import { Undefined } from '../values/undefined.ts';
import { Float, Markup, NumberRange, Tuple, Bytes, type Value } from '../values/value.ts';

type NamedTest = readonly [string, NativeFunction];

function test(name: string, parameters: string, body: (args: Arguments, state: CallState) => boolean): NamedTest {
  return [name, new NativeFunction(signature(`test_${name}`, parameters), body)];
}

function ask(name: string, body: (value: Value, state: CallState) => boolean): NamedTest {
  return test(name, 'value', ([value], state) => body(value as Value, state));
}

function remainder(value: Value, divisor: Value): Value {
  return binary('%', value, divisor);
}

/** Sequences are what has a length and takes an index; Python asks for the methods, so dicts and Undefined are sequences too. */
function isSequence(value: Value): boolean {
  if (value instanceof ValueSet || value instanceof DictView) return false;
  return lengthOf(value) !== undefined && (typeof value === 'string' || Array.isArray(value) || isSubscriptable(value));
}

function isSubscriptable(value: Value): boolean {
  return [Dict, Tuple, Markup, NumberRange, Bytes, Undefined].some((type) => value instanceof type);
}

function hasCase(value: Value, name: 'islower' | 'isupper', state: CallState): boolean {
  return stringMethods.get(name)?.call(text(value), [], undefined, state) === true;
}

/** Whether there is a filter or test of that name; what cannot be a key cannot be looked up. */
function isRegistered(registry: ReadonlyMap<string, NativeFunction>, name: Value): boolean {
  hashKey(name);
  return typeof name === 'string' && registry.has(name);
}

function comparing(names: readonly string[], body: (left: Value, right: Value) => boolean): NamedTest[] {
  return names.map((name) => test(name, 'a b', ([left, right]) => body(left as Value, right as Value)));
}

function ordering(names: readonly string[], operator: Ordering): NamedTest[] {
  return comparing(names, (left, right) => compare(left, right, operator));
}

/** All tests of jinja 3.1. */
export const tests: ReadonlyMap<string, NativeFunction> = new Map([
  ask('odd', (value) => equals(remainder(value, 2), 1)),
  ask('even', (value) => equals(remainder(value, 2), 0)),
  test('divisibleby', 'value num', ([value, divisor]) => equals(remainder(value as Value, divisor as Value), 0)),
  ask('defined', (value) => !(value instanceof Undefined)),
  ask('undefined', (value) => value instanceof Undefined),
  ask('filter', (value, state) => isRegistered(state.filters, value)),
  ask('test', (value, state) => isRegistered(state.tests, value)),
  ask('none', (value) => value === null),
  ask('boolean', (value) => typeof value === 'boolean'),
  ask('false', (value) => value === false),
  ask('true', (value) => value === true),
  ask('integer', (value) => typeof value === 'number' || typeof value === 'bigint'),
  ask('float', (value) => value instanceof Float),
  ask('lower', (value, state) => hasCase(value, 'islower', state)),
  ask('upper', (value, state) => hasCase(value, 'isupper', state)),
  ask('string', (value) => stringOf(value) !== undefined),
  ask('mapping', (value) => value instanceof Dict),
  ask('number', (value) => numeric(value) !== undefined),
  ask('sequence', isSequence),
  ask('iterable', isIterable),
  ask('callable', (value) => value instanceof Callable || value instanceof Undefined),
  test('sameas', 'value other', ([value, other]) => value === other),
  ask('escaped', (value) => value instanceof Markup),
  test('in', 'value seq', ([value, sequence]) => contains(value as Value, sequence as Value)),
  ...comparing(['==', 'eq', 'equalto'], equals),
  ...comparing(['!=', 'ne'], (left, right) => !equals(left, right)),
  ...ordering(['>', 'gt', 'greaterthan'], '>'),
  ...ordering(['>=', 'ge'], '>='),
  ...ordering(['<', 'lt', 'lessthan'], '<'),
  ...ordering(['<=', 'le'], '<='),
]);

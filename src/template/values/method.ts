import { PythonError, typeError } from '../errors.ts';
import { bindArguments, Callable, signature, type Arguments, type CallState, type Keywords, type Signature } from './callable.ts';
import { stringOf } from './compare.ts';
import { undefinedError } from './repr.ts';
import { typeName } from './type-name.ts';
import { Undefined } from './undefined.ts';
import { ADDRESS, type Value } from './value.ts';

/** A method of a builtin type. */
export interface Method<Self> {
  call(self: Self, args: readonly Value[], keywords: Keywords | undefined, state: CallState): Value;
}

/**
 * @param parameters names, those that may be left out with a `?` behind; `named` as in {@link Signature}.
 * @returns a method whose body gets its arguments in the order of the parameters.
 */
export function method<Self>(
  name: string,
  parameters: string,
  body: (self: Self, args: Arguments, state: CallState) => Value,
  named = false,
): Method<Self> {
  const shape: Signature = signature(name, parameters, named);
  return { call: (self, args, keywords, state) => body(self, bindArguments(shape, args, keywords), state) };
}

/** A method together with its object: what `"a".upper` gives when it is not called. */
export class BoundMethod extends Callable {
  readonly name: string;
  readonly #self: Value;
  readonly #invoke: Callable['call'];

  constructor(name: string, self: Value, invoke: Callable['call']) {
    super();
    this.name = name;
    this.#self = self;
    this.#invoke = invoke;
  }

  override get typeName(): string {
    return 'builtin_function_or_method';
  }

  override describe(): string {
    return `<built-in method ${this.name} of ${typeName(this.#self)} object at ${ADDRESS}>`;
  }

  override call(state: CallState, args: readonly Value[], keywords: Keywords | undefined): Value {
    return this.#invoke(state, args, keywords);
  }
}

/**
 * @returns the argument as a string.
 * @throws PythonError `TypeError` where it is none.
 */
export function stringArgument(value: Value | undefined, what: string): string {
  const characters = value === undefined ? undefined : stringOf(value);
  if (characters !== undefined) return characters;
  throw typeError(`${what} must be str, not ${value === undefined ? 'NoneType' : typeName(value)}`);
}

/**
 * @returns the value as a string, of which the method `name` is about to be called.
 * @throws PythonError `AttributeError` where it is none.
 */
export function textWithMethod(value: Value, name: string): string {
  if (value instanceof Undefined) throw undefinedError(value);
  const characters = stringOf(value);
  if (characters === undefined) throw new PythonError('AttributeError', `'${typeName(value)}' object has no attribute '${name}'`);
  return characters;
}

/**
 * @returns the argument as an index.
 * @throws PythonError `TypeError` where it is no int.
 */
export function indexArgument(value: Value): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return Number(value);
  if (typeof value === 'bigint') return value > 0n ? Number.MAX_SAFE_INTEGER : Number.MIN_SAFE_INTEGER;
  throw typeError(`'${typeName(value)}' object cannot be interpreted as an integer`);
}

/** @returns the argument as an index, `fallback` where it is not given or None. */
export function optionalIndex(value: Value | undefined, fallback: number): number {
  return value === undefined || value === null ? fallback : indexArgument(value);
}

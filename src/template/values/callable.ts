/** What templates can call, and what a call may ask of the render that runs. */
import { typeError } from '../errors.ts';
import type { ClockTime } from '../strftime.ts';
import { ADDRESS, Instance, type Value } from './value.ts';

export type Keywords = ReadonlyMap<string, Value>;

/** Arguments as a function's body gets them: in the order of its parameters, undefined where not given. */
export type Arguments = readonly (Value | undefined)[];

/** What functions, filters and tests see of the render. */
export interface CallState {
  /** Whether what is printed is escaped for HTML, at this moment. */
  autoescape: boolean;
  readonly filters: ReadonlyMap<string, NativeFunction>;
  readonly tests: ReadonlyMap<string, NativeFunction>;
  readonly now: () => ClockTime;
  /** `object.name` as a template looks it up. */
  attribute(object: Value, name: string): Value;
  /** `object[key]` as a template looks it up. */
  item(object: Value, key: Value): Value;
}

export abstract class Callable extends Instance {
  abstract call(state: CallState, args: readonly Value[], keywords: Keywords | undefined): Value;
}

/** A function's parameters. */
export interface Signature {
  readonly name: string;
  readonly parameters: readonly string[];
  /** How many of the parameters must be given. */
  readonly required: number;
  /** Whether arguments may be given by name. */
  readonly named: boolean;
}

/**
 * @returns the arguments in the order of the parameters.
 * @throws PythonError `TypeError` where they do not fit, as Python.
 */
export function bindArguments(signature: Signature, args: readonly Value[], keywords: Keywords | undefined): Arguments {
  const { name, parameters, required } = signature;
  if (args.length > parameters.length) {
    throw typeError(
      `${name}() takes ${parameters.length === required ? '' : 'at most '}${parameters.length} arguments but ${args.length} were given`,
    );
  }
  if (keywords === undefined || keywords.size === 0) {
    if (args.length < required) throw missing(signature, args.length);
    return args;
  }
  if (!signature.named) throw typeError(`${name}() takes no keyword arguments`);
  const bound: (Value | undefined)[] = [...args];
  for (const [key, value] of keywords) {
    const index = parameters.indexOf(key);
    if (index < 0) throw typeError(`${name}() got an unexpected keyword argument '${key}'`);
    if (bound[index] !== undefined) throw typeError(`${name}() got multiple values for argument '${key}'`);
    bound[index] = value;
  }
  for (let index = 0; index < required; index += 1) if (bound[index] === undefined) throw missing(signature, index);
  return bound;
}

function missing({ name, parameters }: Signature, index: number): Error {
  return typeError(`${name}() missing required argument '${parameters[index] ?? ''}'`);
}

/** A function written in TypeScript: a filter, a test or a global. */
export class NativeFunction extends Callable {
  readonly signature: Signature;
  readonly #body: (args: Arguments, state: CallState) => Value;

  constructor(signature: Signature, body: (args: Arguments, state: CallState) => Value) {
    super();
    this.signature = signature;
    this.#body = body;
  }

  override get typeName(): string {
    return 'function';
  }

  override describe(): string {
    return `<function ${this.signature.name} at ${ADDRESS}>`;
  }

  override call(state: CallState, args: readonly Value[], keywords: Keywords | undefined): Value {
    return this.#body(bindArguments(this.signature, args, keywords), state);
  }
}

/** A function that takes whatever it is given. */
export class VariadicFunction extends NativeFunction {
  readonly #variadic: (args: readonly Value[], keywords: Keywords, state: CallState) => Value;

  constructor(name: string, body: (args: readonly Value[], keywords: Keywords, state: CallState) => Value) {
    super({ name, parameters: [], required: 0, named: true }, () => null);
    this.#variadic = body;
  }

  override call(state: CallState, args: readonly Value[], keywords: Keywords | undefined): Value {
    return this.#variadic(args, keywords ?? new Map(), state);
  }
}

/**
 * @param parameters names, those that may be left out with a `?` behind.
 * @returns the function's parameters.
 */
export function signature(name: string, parameters: string, named = true): Signature {
  const names = parameters === '' ? [] : parameters.split(' ');
  return {
    name,
    parameters: names.map((parameter) => parameter.replace('?', '')),
    required: names.filter((parameter) => !parameter.endsWith('?')).length,
    named,
  };
}

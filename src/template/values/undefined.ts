import { PythonError } from '../errors.ts';
import { PythonObject, type Value } from './value.ts';

/** What a name, attribute or item that is not there gives: prints as nothing, is false, and raises when it is used. */
export class Undefined extends PythonObject {
  readonly #name: Value;
  readonly #owner: Value | undefined;
  readonly #hint: string | undefined;
  readonly #pythonType: string;

  /** @param owner what the name was looked up in; undefined for a variable. */
  constructor(name: Value, owner?: Value, hint?: string, pythonType = 'UndefinedError') {
    super();
    this.#name = name;
    this.#owner = owner;
    this.#hint = hint;
    this.#pythonType = pythonType;
  }

  override get typeName(): string {
    return 'Undefined';
  }

  override get qualifiedName(): string {
    return 'jinja2.runtime.Undefined';
  }

  /** @param repr prints a value; @param typeOf names the type of one. */
  error(repr: (value: Value) => string, typeOf: (value: Value) => string): PythonError {
    return new PythonError(this.#pythonType, this.#message(repr, typeOf));
  }

  #message(repr: (value: Value) => string, typeOf: (value: Value) => string): string {
    if (this.#hint !== undefined) return this.#hint;
    if (this.#owner === undefined) return `${repr(this.#name)} is undefined`;
    const owner = this.#owner === null ? 'None' : `${typeOf(this.#owner)} object`;
    if (typeof this.#name !== 'string') return `${owner} has no element ${repr(this.#name)}`;
    return `${repr(owner)} has no attribute ${repr(this.#name)}`;
  }
}

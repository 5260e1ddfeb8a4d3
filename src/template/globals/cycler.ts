import { PythonError } from '../errors.ts';
import { Callable, VariadicFunction, type CallState } from '../values/callable.ts';
import { ADDRESS, Instance, Tuple, type Value } from '../values/value.ts';

/** jinja's `cycler`: gives its items one after the other, over and over. */
export class Cycler extends Instance {
  readonly #items: readonly Value[];
  #position = 0;

  constructor(items: readonly Value[]) {
    super();
    if (items.length === 0) throw new PythonError('RuntimeError', 'at least one item has to be provided');
    this.#items = items;
  }

  override get typeName(): string {
    return 'Cycler';
  }

  override get qualifiedName(): string {
    return 'jinja2.utils.Cycler';
  }

  override describe(): string {
    return `<jinja2.utils.Cycler object at ${ADDRESS}>`;
  }

  get #current(): Value {
    return this.#items[this.#position] as Value;
  }

  #next(): Value {
    const current = this.#current;
    this.#position = (this.#position + 1) % this.#items.length;
    return current;
  }

  #reset(): null {
    this.#position = 0;
    return null;
  }

  override attribute(name: string): Value | undefined {
    switch (name) {
      case 'current':
        return this.#current;
      case 'next':
        return new VariadicFunction('next', () => this.#next());
      case 'reset':
        return new VariadicFunction('reset', () => this.#reset());
      case 'items':
        return new Tuple(this.#items);
      case 'pos':
        return this.#position;
      default:
        return undefined;
    }
  }
}

/** jinja's `joiner`: gives nothing the first time, its separator from then on. */
export class Joiner extends Callable {
  readonly #separator: Value;
  #used = false;

  constructor(separator: Value) {
    super();
    this.#separator = separator;
  }

  override get typeName(): string {
    return 'Joiner';
  }

  override get qualifiedName(): string {
    return 'jinja2.utils.Joiner';
  }

  override describe(): string {
    return `<jinja2.utils.Joiner object at ${ADDRESS}>`;
  }

  override attribute(name: string): Value | undefined {
    if (name === 'sep') return this.#separator;
    return name === 'used' ? this.#used : undefined;
  }

  override call(_state: CallState): Value {
    if (this.#used) return this.#separator;
    this.#used = true;
    return '';
  }
}

import { charge } from '../budget.ts';
import { typeError } from '../errors.ts';
import { Callable, VariadicFunction, type CallState, type Keywords } from '../values/callable.ts';
import { equals } from '../values/compare.ts';
import { allItems, iteratorOf } from '../values/iterate.ts';
import { lengthOf } from '../values/truth.ts';
import { Undefined } from '../values/undefined.ts';
import { Tuple, ValueIterator, type Value } from '../values/value.ts';

/** Renders the body of a recursive loop for other items, `depth` levels down. */
export type Recurse = (items: Value, depth: number) => Value;

/** The `loop` variable, which also drives its loop. */
export class LoopContext extends Callable {
  #iterator: Iterator<Value>;
  #length: number | undefined;
  // Read ahead for `loop.last` and `loop.nextitem`.
  #next: { readonly item: Value } | undefined;
  #current: Value | undefined;
  #previous: Value | undefined;
  #lastChanged: Tuple | undefined;
  #index0 = -1;
  readonly #depth0: number;
  readonly #recurse: Recurse | undefined;

  constructor(items: Value, depth0: number, recurse: Recurse | undefined) {
    super();
    this.#iterator = iteratorOf(items);
    this.#length = items instanceof ValueIterator ? undefined : lengthOf(items);
    this.#depth0 = depth0;
    this.#recurse = recurse;
  }

  override get typeName(): string {
    return 'LoopContext';
  }

  override get qualifiedName(): string {
    return 'jinja2.runtime.LoopContext';
  }

  /** Goes on to the next item. @returns it, or undefined at the end. */
  advance(): Value | undefined {
    const item = this.#peek();
    this.#next = undefined;
    if (item === undefined) return undefined;
    this.#index0 += 1;
    this.#previous = this.#current;
    this.#current = item;
    return item;
  }

  #peek(): Value | undefined {
    if (this.#next === undefined) {
      const step = this.#iterator.next();
      if (step.done === true) return undefined;
      this.#next = { item: step.value };
    }
    return this.#next.item;
  }

  /** Asked of an iterator, it reads all that is left. */
  override get length(): number {
    if (this.#length === undefined) {
      const rest = allItems(new ValueIterator(this.#iterator, 'generator'));
      this.#iterator = rest[Symbol.iterator]();
      this.#length = rest.length + this.#index0 + 1 + (this.#next === undefined ? 0 : 1);
    }
    return this.#length;
  }

  override describe(): string {
    return `<LoopContext ${this.#index0 + 1}/${this.length}>`;
  }

  override attribute(name: string): Value | undefined {
    switch (name) {
      case 'index':
        return this.#index0 + 1;
      case 'index0':
        return this.#index0;
      case 'first':
        return this.#index0 === 0;
      case 'last':
        return this.#peek() === undefined;
      case 'length':
        return this.length;
      case 'revindex':
        return this.length - this.#index0;
      case 'revindex0':
        return this.length - this.#index0 - 1;
      case 'depth':
        return this.#depth0 + 1;
      case 'depth0':
        return this.#depth0;
      case 'previtem':
        return this.#index0 === 0
          ? new Undefined(null, undefined, 'there is no previous item')
          : orUndefined(this.#previous, 'there is no previous item');
      case 'nextitem':
        return orUndefined(this.#peek(), 'there is no next item');
      case 'cycle':
        return new VariadicFunction('cycle', (values) => this.#cycle(values));
      case 'changed':
        return new VariadicFunction('changed', (values) => this.#changed(values));
      default:
        return undefined;
    }
  }

  #cycle(values: readonly Value[]): Value {
    if (values.length === 0) throw typeError('no items for cycling given');
    return values[this.#index0 % values.length] as Value;
  }

  #changed(values: readonly Value[]): boolean {
    const value = new Tuple(values);
    if (this.#lastChanged !== undefined && equals(this.#lastChanged, value)) return false;
    this.#lastChanged = value;
    return true;
  }

  override call(_state: CallState, args: readonly Value[], _keywords: Keywords | undefined): Value {
    const [items] = args;
    if (items === undefined || args.length > 1)
      throw typeError(`LoopContext.__call__() takes 2 positional arguments but ${args.length + 1} were given`);
    if (this.#recurse === undefined) throw typeError("The loop must have the 'recursive' marker to be called recursively.");
    charge(1);
    return this.#recurse(items, this.#depth0 + 1);
  }
}

function orUndefined(value: Value | undefined, hint: string): Value {
  return value === undefined ? new Undefined(null, undefined, hint) : value;
}

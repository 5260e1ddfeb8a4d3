/**
 * Python's values as the templates see them. What JavaScript has a faithful equal for is that: `null` is None, booleans, strings, arrays
 * for lists. An int is a number while it is a safe integer and a bigint beyond; a float is a {@link Float}, so that 1.0 is not 1.
 * A string is UTF-16 here and code points there: everything that counts characters goes through `text.ts`.
 */
export type Value = null | boolean | number | bigint | string | Value[] | PythonObject;

/** Any value that is no JavaScript primitive and no list. */
export abstract class PythonObject {
  /** `type(x).__name__` */
  abstract get typeName(): string;

  /** The type's name as Undefined's messages write it: with its module where it is no builtin. */
  get qualifiedName(): string {
    return this.typeName;
  }

  /** Whether it can be a dict's key. */
  get hashable(): boolean {
    return true;
  }
}

export class Float extends PythonObject {
  readonly value: number;

  constructor(value: number) {
    super();
    this.value = value;
  }

  override get typeName(): string {
    return 'float';
  }
}

export class Tuple extends PythonObject {
  readonly items: readonly Value[];

  constructor(items: readonly Value[]) {
    super();
    this.items = items;
  }

  override get typeName(): string {
    return 'tuple';
  }
}

/** A string that is safe in HTML: markupsafe's subclass of `str`, which escapes what is joined to it. */
export class Markup extends PythonObject {
  readonly text: string;

  constructor(text: string) {
    super();
    this.text = text;
  }

  override get typeName(): string {
    return 'Markup';
  }

  override get qualifiedName(): string {
    return 'markupsafe.Markup';
  }
}

/** What `str.encode` gives. */
export class Bytes extends PythonObject {
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    super();
    this.bytes = bytes;
  }

  override get typeName(): string {
    return 'bytes';
  }
}

export class NumberRange extends PythonObject {
  readonly start: number;
  readonly stop: number;
  readonly step: number;
  readonly length: number;

  constructor(start: number, stop: number, step: number) {
    super();
    this.start = start;
    this.stop = stop;
    this.step = step;
    this.length = Math.max(0, Math.ceil((stop - start) / step));
  }

  override get typeName(): string {
    return 'range';
  }

  at(index: number): number {
    return this.start + index * this.step;
  }
}

/** A generator or another iterator: read once, item by item. */
export class ValueIterator extends PythonObject {
  readonly #typeName: string;
  /** Name of the generator's function, for printing; empty for iterators that are no generators. */
  readonly functionName: string;
  readonly source: Iterator<Value>;

  constructor(source: Iterator<Value>, typeName: string, functionName = '') {
    super();
    this.source = source;
    this.#typeName = typeName;
    this.functionName = functionName;
  }

  override get typeName(): string {
    return this.#typeName;
  }

  /** @returns the next item, or undefined at the end. */
  next(): Value | undefined {
    const step = this.source.next();
    return step.done === true ? undefined : step.value;
  }
}

/** An object with attributes of its own: macros, loops, namespaces, functions. */
export abstract class Instance extends PythonObject {
  /** @returns `repr()` of the object; `repr` prints what it holds. */
  abstract describe(repr: (value: Value) => string): string;

  /** `len()` of the object, or undefined where it has none. */
  get length(): number | undefined {
    return undefined;
  }

  /** @returns the attribute, or undefined where there is none; `name` never begins with an underscore. */
  attribute(_name: string): Value | undefined {
    return undefined;
  }

  /** @returns `object[key]`, or undefined where there is none. */
  item(_key: Value): Value | undefined {
    return undefined;
  }
}

/** Stands in printed objects for the place in memory, which nothing may depend on. */
export const ADDRESS = '0x7f0000000000';

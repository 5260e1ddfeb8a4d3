import { hashKey, type HashKey } from './hash.ts';
import { PythonObject, Tuple, type Value } from './value.ts';

/** A dict: any hashable key, in the order of insertion. Templates cannot change one; only the code that builds it calls {@link Dict.set}. */
export class Dict extends PythonObject {
  readonly #values: Map<HashKey, Value> = new Map();
  // Keys that their Map key does not show (True is stored under 1): few dicts have any.
  #keys: Map<HashKey, Value> | undefined;

  static from(entries: Iterable<readonly [Value, Value]>): Dict {
    const dict = new Dict();
    for (const [key, value] of entries) dict.set(key, value);
    return dict;
  }

  override get typeName(): string {
    return 'dict';
  }

  override get hashable(): boolean {
    return false;
  }

  get size(): number {
    return this.#values.size;
  }

  get(key: Value): Value | undefined {
    return this.#values.get(hashKey(key));
  }

  /** {@link Dict.get} for a name: no value of a key that begins with NUL is found. */
  getName(name: string): Value | undefined {
    return this.#values.get(name);
  }

  has(key: Value): boolean {
    return this.#values.has(hashKey(key));
  }

  /** An equal key keeps its place and its first form, as in Python. */
  set(key: Value, value: Value): void {
    const hash = hashKey(key);
    if (hash !== key && !this.#values.has(hash)) {
      this.#keys ??= new Map();
      this.#keys.set(hash, key);
    }
    this.#values.set(hash, value);
  }

  keys(): Value[] {
    const hashes = [...this.#values.keys()];
    const originals = this.#keys;
    if (originals === undefined) return hashes as Value[];
    return hashes.map((hash) => (originals.has(hash) ? (originals.get(hash) as Value) : (hash as Value)));
  }

  values(): Value[] {
    return [...this.#values.values()];
  }

  entries(): [Value, Value][] {
    if (this.#keys === undefined) return [...this.#values.entries()] as [Value, Value][];
    const values = this.values();
    return this.keys().map((key, index) => [key, values[index] as Value]);
  }
}

type ViewKind = 'keys' | 'values' | 'items';

/** What `dict.keys()`, `.values()` and `.items()` give. */
export class DictView extends PythonObject {
  readonly dict: Dict;
  readonly kind: ViewKind;

  constructor(dict: Dict, kind: ViewKind) {
    super();
    this.dict = dict;
    this.kind = kind;
  }

  override get typeName(): string {
    return `dict_${this.kind}`;
  }

  override get hashable(): boolean {
    return this.kind === 'values';
  }

  items(): Value[] {
    if (this.kind === 'keys') return this.dict.keys();
    if (this.kind === 'values') return this.dict.values();
    return this.dict.entries().map((entry) => new Tuple(entry));
  }
}

/** A set, which only the operators of dict views make. It keeps the order of insertion; Python's order is no one's to rely on. */
export class ValueSet extends PythonObject {
  readonly #items: Map<HashKey, Value> = new Map();

  constructor(items: Iterable<Value>) {
    super();
    for (const item of items) {
      const hash = hashKey(item);
      if (!this.#items.has(hash)) this.#items.set(hash, item);
    }
  }

  override get typeName(): string {
    return 'set';
  }

  override get hashable(): boolean {
    return false;
  }

  get size(): number {
    return this.#items.size;
  }

  has(item: Value): boolean {
    return this.#items.has(hashKey(item));
  }

  items(): Value[] {
    return [...this.#items.values()];
  }
}

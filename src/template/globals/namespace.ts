import type { Dict } from '../values/dict.ts';
import { Instance, type Value } from '../values/value.ts';

/** jinja's `namespace`: the one object whose attributes a template can set. */
export class Namespace extends Instance {
  readonly #attributes: Dict;

  constructor(attributes: Dict) {
    super();
    this.#attributes = attributes;
  }

  override get typeName(): string {
    return 'Namespace';
  }

  override get qualifiedName(): string {
    return 'jinja2.utils.Namespace';
  }

  override describe(repr: (value: Value) => string): string {
    return `<Namespace ${repr(this.#attributes)}>`;
  }

  override attribute(name: string): Value | undefined {
    return this.#attributes.getName(name);
  }

  set(name: string, value: Value): void {
    this.#attributes.set(name, value);
  }
}

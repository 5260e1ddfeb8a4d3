import { deeper } from '../budget.ts';
import { bindArguments, Callable, signature, type CallState, type Keywords } from '../values/callable.ts';
import { ADDRESS, Instance, Markup, type Value } from '../values/value.ts';
import { Undefined } from '../values/undefined.ts';

/** Renders a block aside. */
type BlockText = (state: CallState) => string;

/** A block of the template as a value: calling it renders it. */
class BlockReference extends Callable {
  readonly #name: string;
  readonly #render: BlockText;

  constructor(name: string, render: BlockText) {
    super();
    this.#name = name;
    this.#render = render;
  }

  override get typeName(): string {
    return 'BlockReference';
  }

  override get qualifiedName(): string {
    return 'jinja2.runtime.BlockReference';
  }

  override describe(): string {
    return `<jinja2.runtime.BlockReference object at ${ADDRESS}>`;
  }

  override attribute(name: string): Value | undefined {
    if (name === 'name') return this.#name;
    return name === 'super' ? noParentBlock(this.#name) : undefined;
  }

  override call(state: CallState, args: readonly Value[], keywords: Keywords | undefined): Value {
    bindArguments(signature('__call__', ''), args, keywords);
    const text = deeper(() => this.#render(state));
    return state.autoescape ? new Markup(text) : text;
  }
}

/** @returns what `super` is in a template that extends no other. */
export function noParentBlock(name: string): Undefined {
  return new Undefined('super', undefined, `there is no parent block called '${name}'.`);
}

/** The `self` of templates: its items are the template's blocks. */
export class TemplateReference extends Instance {
  readonly #blockText: (name: string) => BlockText | undefined;

  constructor(blockText: (name: string) => BlockText | undefined) {
    super();
    this.#blockText = blockText;
  }

  override get typeName(): string {
    return 'TemplateReference';
  }

  override get qualifiedName(): string {
    return 'jinja2.runtime.TemplateReference';
  }

  override describe(): string {
    return '<TemplateReference None>';
  }

  override item(key: Value): Value | undefined {
    const render = typeof key === 'string' ? this.#blockText(key) : undefined;
    return render === undefined ? undefined : new BlockReference(key as string, render);
  }
}

/** What one render carries: the output, and what the template's functions may ask for. */
import { getAttribute, getItem } from './access.ts';
import { checkLength } from './budget.ts';
import type { ClockTime } from './strftime.ts';
import type { CallState, NativeFunction } from './values/callable.ts';
import type { Value } from './values/value.ts';

/** The variables that a template starts with, and those that it sets at its top level (for blocks, which see no other). */
export class Context {
  readonly #outer: (name: string) => Value | undefined;
  readonly #variables: Map<string, Value> = new Map();

  constructor(outer: (name: string) => Value | undefined) {
    this.#outer = outer;
  }

  resolve(name: string): Value | undefined {
    const value = this.#variables.get(name);
    return value === undefined ? this.#outer(name) : value;
  }

  set(name: string, value: Value): void {
    this.#variables.set(name, value);
  }

  /** @returns a context that holds `variables` besides what this one holds now. */
  derive(variables: ReadonlyMap<string, Value>): Context {
    return new Context((name) => (variables.has(name) ? variables.get(name) : this.resolve(name)));
  }
}

/** The variables of one activation: of the template itself, or of one call of a macro, block or recursive loop. */
export class Frame {
  readonly slots: (Value | undefined)[];
  readonly parent: Frame | undefined;
  readonly context: Context;

  constructor(size: number, parent: Frame | undefined, context: Context) {
    this.slots = Array.from({ length: size });
    this.parent = parent;
    this.context = context;
  }
}

/** Renders a block of the template into the output. */
export type RenderBlock = (state: RenderState, context: Context) => void;

/** The text of a `generation` block: where it starts in the output (UTF-16 code units), and the text itself. */
export interface GeneratedText {
  readonly start: number;
  readonly text: string;
}

export interface Environment {
  readonly filters: ReadonlyMap<string, NativeFunction>;
  readonly tests: ReadonlyMap<string, NativeFunction>;
  readonly now: () => ClockTime;
  readonly blocks: ReadonlyMap<string, RenderBlock>;
}

export class RenderState implements CallState {
  /** What is rendered so far: of the template, or of the innermost text that is being captured. */
  out = '';
  /** Line of the statement that runs. */
  line = 1;
  autoescape = false;
  readonly generated: GeneratedText[] = [];
  readonly filters: ReadonlyMap<string, NativeFunction>;
  readonly tests: ReadonlyMap<string, NativeFunction>;
  readonly now: () => ClockTime;
  readonly blocks: ReadonlyMap<string, RenderBlock>;
  #captures = 0;
  #renderedLength = 0;

  constructor({ filters, tests, now, blocks }: Environment) {
    this.filters = filters;
    this.tests = tests;
    this.now = now;
    this.blocks = blocks;
  }

  /** @throws LimitError where the output grows too long. */
  write(text: string): void {
    this.out += text;
    checkLength(this.out.length);
  }

  attribute(object: Value, name: string): Value {
    return getAttribute(object, name);
  }

  item(object: Value, key: Value): Value {
    return getItem(object, key);
  }

  /** @returns what `render` writes, which does not reach the output. */
  capture(render: () => void): string {
    const around = this.out;
    if (this.#captures === 0) this.#renderedLength = around.length;
    this.#captures += 1;
    this.out = '';
    render();
    const text = this.out;
    this.out = around;
    this.#captures -= 1;
    return text;
  }

  /** Notes the text of a `generation` block. Inside a captured text its place is where the output outside stands, as in the reference. */
  noteGenerated(text: string): void {
    this.generated.push({ start: this.#captures === 0 ? this.out.length : this.#renderedLength, text });
  }
}

/**
 * Which variable a name means, decided when the template is compiled, as jinja decides it: every scope has variables of its own for the
 * names that it assigns, filled at its start from the variable around it, from the context, or not at all.
 */

/** How many variables one activation (of the template, a macro, a block, a recursive loop) holds, and what lies around it. */
export class Layout {
  readonly parent: Layout | undefined;
  readonly depth: number;
  size = 0;

  constructor(parent: Layout | undefined) {
    this.parent = parent;
    this.depth = parent === undefined ? 0 : parent.depth + 1;
  }
}

export interface Variable {
  readonly layout: Layout;
  readonly slot: number;
}

/** What a variable holds at its scope's start. */
export type Start =
  | { readonly kind: 'parameter' }
  | { readonly kind: 'missing' }
  | { readonly kind: 'context'; readonly name: string }
  | { readonly kind: 'copy'; readonly from: Variable };

/** The names of one scope. */
export class Symbols {
  readonly layout: Layout;
  readonly #parent: Symbols | undefined;
  // Branches of an `if` look at copies; the variable of a name is the same in all of them.
  readonly #own: Map<string, Variable>;
  #references: Map<string, Variable> = new Map();
  #starts: Map<Variable, Start> = new Map();
  #stored: Set<string> = new Set();

  constructor(layout: Layout, parent: Symbols | undefined, own: Map<string, Variable> = new Map()) {
    this.layout = layout;
    this.#parent = parent;
    this.#own = own;
  }

  copy(): Symbols {
    const copy = new Symbols(this.layout, this.#parent, this.#own);
    copy.#references = new Map(this.#references);
    copy.#starts = new Map(this.#starts);
    copy.#stored = new Set(this.#stored);
    return copy;
  }

  /** @returns the variable that the name means here, or undefined where the name is unknown. */
  find(name: string): Variable | undefined {
    return this.#references.get(name) ?? this.#parent?.find(name);
  }

  /** What the scope's own variables hold at its start. */
  get starts(): ReadonlyMap<Variable, Start> {
    return this.#starts;
  }

  #define(name: string, start: Start): Variable {
    let variable = this.#own.get(name);
    if (variable === undefined) {
      variable = { layout: this.layout, slot: this.layout.size };
      this.layout.size += 1;
      this.#own.set(name, variable);
    }
    this.#references.set(name, variable);
    this.#starts.set(variable, start);
    return variable;
  }

  /** The name is assigned in this scope. */
  store(name: string): void {
    this.#stored.add(name);
    if (this.#references.has(name)) return;
    const outer = this.#parent?.find(name);
    this.#define(name, outer === undefined ? { kind: 'missing' } : { kind: 'copy', from: outer });
  }

  /** The name is a parameter of this scope. */
  declareParameter(name: string): Variable {
    this.#stored.add(name);
    return this.#define(name, { kind: 'parameter' });
  }

  /** The name is read in this scope. */
  load(name: string): void {
    if (this.find(name) === undefined) this.#define(name, { kind: 'context', name });
  }

  /** Takes over what the branches of an `if` found: a name that only some of them assign keeps its outer value in the others. */
  merge(branches: readonly Symbols[]): void {
    const stored = new Set(branches.flatMap((branch) => [...branch.#stored]).filter((name) => !this.#stored.has(name)));
    for (const branch of branches) {
      for (const [name, variable] of branch.#references) this.#references.set(name, variable);
      for (const [variable, start] of branch.#starts) this.#starts.set(variable, start);
      for (const name of branch.#stored) this.#stored.add(name);
    }
    for (const name of stored) {
      const variable = this.find(name);
      if (variable === undefined) continue;
      const outer = this.#parent?.find(name);
      this.#starts.set(variable, outer === undefined ? { kind: 'context', name } : { kind: 'copy', from: outer });
    }
  }

  /** @returns the variables of all names that this scope and those around it assign. */
  storedVariables(): Map<string, Variable> {
    const all = new Map(this.#parent?.storedVariables());
    for (const name of this.#stored) {
      const variable = this.find(name);
      if (variable !== undefined) all.set(name, variable);
    }
    return all;
  }
}

/** What the compiler knows of the place it compiles, and the closures that it makes. */
import type { Expression, Statement } from '../syntax/ast.ts';
import type { Frame, RenderBlock, RenderState } from '../render-state.ts';
import type { Value } from '../values/value.ts';
import { Symbols, type Layout } from './symbols.ts';

/** Computes an expression. */
export type Evaluate = (state: RenderState, frame: Frame) => Value;

/** How a statement ended: at its end, or with a jump that the loop around it has to make. */
export type Completion = 0 | 1 | 2;
export const DONE = 0;
export const BREAK = 1;
export const CONTINUE = 2;

/** Runs a statement. */
export type Execute = (state: RenderState, frame: Frame) => Completion;

/** Whether what is printed here is escaped for HTML: decided by the text around, or only when it runs. */
type Escaping = 'off' | 'on' | 'dynamic';

/** The template that is being compiled. */
export interface Compiler {
  expression(node: Expression, scope: Scope): Evaluate;
  body(nodes: readonly Statement[], scope: Scope): Execute;
  hasFilter(name: string): boolean;
  hasTest(name: string): boolean;
  /** Names that are read from the context. */
  readonly contextNames: Set<string>;
  /** Blocks by name; filled while the template is compiled. */
  readonly blocks: Map<string, RenderBlock>;
}

export interface Scope {
  readonly compiler: Compiler;
  readonly symbols: Symbols;
  /** The template's own level, or an `if` there: what is set here is seen by blocks. */
  readonly topLevel: boolean;
  /** Inside an `if` or a conditional expression: unknown filters and tests are errors only when they are called. */
  readonly conditional: boolean;
  /** Whether `break` and `continue` have a loop here. */
  readonly inLoop: boolean;
  readonly escaping: Escaping;
}

/** @returns a scope within `scope`, in the same activation. */
export function innerScope(scope: Scope): Scope {
  return { ...scope, symbols: new Symbols(scope.symbols.layout, scope.symbols), topLevel: false, conditional: false };
}

/** @returns a scope within `scope`, in the activation that `layout` describes. */
export function activationScope(scope: Scope, layout: Layout): Scope {
  return { ...scope, symbols: new Symbols(layout, scope.symbols), topLevel: false, conditional: false, inLoop: false };
}

/** @returns the same scope inside an `if`. */
export function conditionalScope(scope: Scope): Scope {
  return { ...scope, conditional: true };
}

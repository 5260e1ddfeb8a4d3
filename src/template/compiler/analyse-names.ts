import type { Node, Statement } from '../syntax/ast.ts';
import { childNodes } from '../syntax/walk.ts';
import type { Symbols } from './symbols.ts';

/** Finds the names of one scope; what has a scope of its own is left out. */
class NameVisitor {
  #symbols: Symbols;

  constructor(symbols: Symbols) {
    this.#symbols = symbols;
  }

  visitAll(nodes: readonly (Node | undefined)[]): void {
    for (const node of nodes) if (node !== undefined) this.#visit(node);
  }

  /** The target of a `for` loop: its names are parameters of the body. */
  visitTarget(node: Node): void {
    if (node.kind === 'Name') this.#symbols.declareParameter(node.name);
    else for (const child of childNodes(node)) this.visitTarget(child);
  }

  #visit(node: Node): void {
    switch (node.kind) {
      case 'Name':
        if (node.use === 'load') this.#symbols.load(node.name);
        else if (node.use === 'store') this.#symbols.store(node.name);
        else this.#symbols.declareParameter(node.name);
        return;
      case 'NamespaceTarget':
        this.#symbols.load(node.name);
        return;
      case 'If':
        this.#visitIf(node);
        return;
      case 'Macro':
        this.#symbols.store(node.name);
        return;
      case 'Load':
        this.#visit(node.template);
        for (const name of node.names) this.#symbols.store(name);
        return;
      case 'Assign':
        this.visitAll([node.value, node.target]);
        return;
      case 'For':
        this.#visit(node.iterable);
        return;
      case 'CallBlock':
        this.visitAll([node.call]);
        return;
      case 'FilterBlock':
        this.#visit(node.filter);
        return;
      case 'With':
        this.visitAll(node.values);
        return;
      case 'AssignBlock':
        this.#visit(node.target);
        return;
      case 'Block':
      case 'Autoescape':
        return;
      default:
        this.visitAll(childNodes(node));
    }
  }

  #visitIf(node: Extract<Statement, { kind: 'If' }>): void {
    this.#visit(node.test);
    const around = this.#symbols;
    const branches = [node.body, node.elifs, node.otherwise].map((branch) => {
      this.#symbols = around.copy();
      this.visitAll(branch);
      return this.#symbols;
    });
    this.#symbols = around;
    around.merge(branches);
  }
}

/** Finds the names of a scope that holds `nodes`. */
export function analyseNames(symbols: Symbols, nodes: readonly (Node | undefined)[]): void {
  new NameVisitor(symbols).visitAll(nodes);
}

/** Finds the names of a loop: those of its target are parameters. */
export function analyseLoopNames(symbols: Symbols, target: Node, nodes: readonly (Node | undefined)[]): void {
  const visitor = new NameVisitor(symbols);
  visitor.visitTarget(target);
  visitor.visitAll(nodes);
}

/**
 * @returns those of `names` that `nodes` read before anything in them assigns the name: how jinja decides whether a body uses `loop`,
 * `caller`, `varargs`, `kwargs`, `self` or `super`.
 */
export function namesRead(nodes: readonly Node[], names: readonly string[]): Set<string> {
  const open = new Set(names);
  const read = new Set<string>();
  const visit = (node: Node): void => {
    if (node.kind === 'Block') return;
    if (node.kind === 'Name') {
      if (node.use === 'load' && open.has(node.name)) read.add(node.name);
      else open.delete(node.name);
    } else for (const child of childNodes(node)) visit(child);
  };
  for (const node of nodes) visit(node);
  return read;
}

import { syntaxError } from '../errors.ts';
import { Frame, type Context, type RenderBlock, type RenderState } from '../render-state.ts';
import type { Block, Expression, Statement } from '../syntax/ast.ts';
import { descendants } from '../syntax/walk.ts';
import { analyseNames, namesRead } from './analyse-names.ts';
import { compileBlock, compileBlockBody, selfReference } from './blocks.ts';
import { compileExpression } from './expressions.ts';
import { compileFor } from './loop.ts';
import { compileCallBlock, compileMacroStatement } from './macros.ts';
import { DONE, type Compiler, type Evaluate, type Execute, type Scope } from './scope.ts';
import {
  compileAssign,
  compileAssignBlock,
  compileAutoescape,
  compileFilterBlock,
  compileIf,
  compileLoad,
  compileLoopControl,
  compileOutput,
  compileWith,
} from './statements.ts';
import { Layout, Symbols } from './symbols.ts';
import { compileStart, writer } from './variables.ts';

// Left-leaning chains of operators nest without brackets: the parser does not count them.
const MAX_EXPRESSION_DEPTH = 500;

function compileStatement(node: Statement, scope: Scope): Execute {
  switch (node.kind) {
    case 'Output':
      return compileOutput(node, scope);
    case 'If':
      return compileIf(node, scope);
    case 'For':
      return compileFor(node, scope);
    case 'Assign':
      return compileAssign(node, scope);
    case 'AssignBlock':
      return compileAssignBlock(node, scope);
    case 'Macro':
      return compileMacroStatement(node, scope);
    case 'CallBlock':
      return compileCallBlock(node, scope);
    case 'FilterBlock':
      return compileFilterBlock(node, scope);
    case 'With':
      return compileWith(node, scope);
    case 'Block':
      return compileBlock(node, scope);
    case 'Autoescape':
      return compileAutoescape(node, scope);
    case 'LoopControl':
      return compileLoopControl(node, scope);
    default:
      return compileLoad(node, scope);
  }
}

function sequence(statements: readonly Execute[]): Execute {
  const [first, second] = statements;
  if (first === undefined) return () => DONE;
  if (second === undefined) return first;
  return (state, frame) => {
    for (const statement of statements) {
      const completion = statement(state, frame);
      if (completion !== DONE) return completion;
    }
    return DONE;
  };
}

/** Names of what the template may apply. */
interface Names {
  readonly filters: ReadonlySet<string>;
  readonly tests: ReadonlySet<string>;
}

class TemplateCompiler implements Compiler {
  readonly contextNames: Set<string> = new Set();
  readonly blocks: Map<string, RenderBlock> = new Map();
  readonly #names: Names;
  #depth = 0;

  constructor(names: Names) {
    this.#names = names;
  }

  hasFilter(name: string): boolean {
    return this.#names.filters.has(name);
  }

  hasTest(name: string): boolean {
    return this.#names.tests.has(name);
  }

  expression(node: Expression, scope: Scope): Evaluate {
    if (this.#depth >= MAX_EXPRESSION_DEPTH)
      throw syntaxError(`an expression nests more than ${MAX_EXPRESSION_DEPTH} deep`, node.line, 'RecursionError');
    this.#depth += 1;
    const evaluate = compileExpression(node, scope);
    this.#depth -= 1;
    return evaluate;
  }

  body(nodes: readonly Statement[], scope: Scope): Execute {
    return sequence(nodes.map((node) => compileStatement(node, scope)));
  }
}

/** A compiled template. */
export interface CompiledTemplate {
  readonly render: (state: RenderState, context: Context) => void;
  readonly blocks: ReadonlyMap<string, RenderBlock>;
  /** Names that the template may read from the context. */
  readonly contextNames: ReadonlySet<string>;
}

function templateBlocks(body: readonly Statement[]): Block[] {
  const blocks = new Map<string, Block>();
  for (const node of descendants(body)) {
    if (node.kind !== 'Block') continue;
    if (blocks.has(node.name)) throw syntaxError(`block '${node.name}' defined twice`, node.line, 'TemplateAssertionError');
    blocks.set(node.name, node);
  }
  return [...blocks.values()];
}

/**
 * Compiles a template to closures.
 *
 * @param names the filters and tests that exist.
 * @throws TemplateError of kind `syntax` where the tree is no template that jinja compiles.
 */
export function compile(body: readonly Statement[], names: Names): CompiledTemplate {
  const compiler = new TemplateCompiler(names);
  const layout = new Layout(undefined);
  const blocks = templateBlocks(body);
  const symbols = new Symbols(layout, undefined);
  const setSelf = namesRead(body, ['self']).size > 0 ? writer(symbols.declareParameter('self'), layout) : undefined;
  analyseNames(symbols, body);
  const scope: Scope = { compiler, symbols, topLevel: true, conditional: false, inLoop: false, escaping: 'off' };
  const start = compileStart(scope);
  const run = compiler.body(body, scope);
  for (const block of blocks) compiler.blocks.set(block.name, compileBlockBody(block, compiler));
  const render: CompiledTemplate['render'] = (state, context) => {
    const frame = new Frame(layout.size, undefined, context);
    setSelf?.(frame, selfReference(state, context));
    start?.(frame);
    run(state, frame);
  };
  return { render, blocks: compiler.blocks, contextNames: compiler.contextNames };
}

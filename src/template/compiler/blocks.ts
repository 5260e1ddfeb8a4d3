import { charge, deeper } from '../budget.ts';
import { PythonError } from '../errors.ts';
import { noParentBlock, TemplateReference } from '../globals/template-reference.ts';
import { Frame, type Context, type RenderBlock, type RenderState } from '../render-state.ts';
import type { Block } from '../syntax/ast.ts';
import type { Value } from '../values/value.ts';
import { analyseNames, namesRead } from './analyse-names.ts';
import { DONE, type Compiler, type Execute, type Scope } from './scope.ts';
import { Layout, Symbols } from './symbols.ts';
import { compileStart, reader, writer } from './variables.ts';

/** @returns the template's `self` in that context. */
export function selfReference(state: RenderState, context: Context): TemplateReference {
  return new TemplateReference((name) => {
    const render = state.blocks.get(name);
    return render === undefined ? undefined : () => state.capture(() => render(state, context));
  });
}

/** Compiles what a block renders. It sees the context only, none of the variables around it. */
export function compileBlockBody(node: Block, compiler: Compiler): RenderBlock {
  const layout = new Layout(undefined);
  const scope: Scope = {
    compiler,
    symbols: new Symbols(layout, undefined),
    topLevel: false,
    conditional: false,
    inLoop: false,
    escaping: 'off',
  };
  const read = namesRead(node.body, ['self', 'super']);
  const setSelf = read.has('self') ? writer(scope.symbols.declareParameter('self'), layout) : undefined;
  const setSuper = read.has('super') ? writer(scope.symbols.declareParameter('super'), layout) : undefined;
  analyseNames(scope.symbols, node.body);
  const start = compileStart(scope);
  const body = compiler.body(node.body, scope);
  return (state, context) => {
    const frame = new Frame(layout.size, undefined, context);
    setSelf?.(frame, selfReference(state, context));
    setSuper?.(frame, noParentBlock(node.name));
    start?.(frame);
    deeper(() => body(state, frame));
  };
}

/** Where a block stands, it is rendered: with the variables around it only if it says `scoped`. */
export function compileBlock(node: Block, scope: Scope): Execute {
  const { name, line, required } = node;
  const visible = node.scoped
    ? [...scope.symbols.storedVariables()].map(([stored, variable]) => ({ stored, read: reader(variable, scope.symbols.layout) }))
    : undefined;
  const contextOf = (frame: Frame): Context => {
    if (visible === undefined) return frame.context;
    const variables = new Map<string, Value>();
    for (const { stored, read } of visible) {
      const value = read(frame);
      if (value !== undefined) variables.set(stored, value);
    }
    return frame.context.derive(variables);
  };
  return (state, frame) => {
    charge(1);
    state.line = line;
    if (required) throw new PythonError('TemplateRuntimeError', `Required block '${name}' not found`);
    state.blocks.get(name)?.(state, contextOf(frame));
    return DONE;
  };
}

import { charge } from '../budget.ts';
import { syntaxError } from '../errors.ts';
import { Macro, type MacroArguments, type MacroExtras } from '../globals/macro.ts';
import { Frame, type RenderState } from '../render-state.ts';
import type { Callee, CallBlock, Macro as MacroNode } from '../syntax/ast.ts';
import type { CallState } from '../values/callable.ts';
import { text } from '../values/repr.ts';
import { Undefined } from '../values/undefined.ts';
import { Markup, type Value } from '../values/value.ts';
import { analyseNames, namesRead } from './analyse-names.ts';
import { compileCall } from './calls.ts';
import { activationScope, DONE, type Evaluate, type Execute, type Scope } from './scope.ts';
import { printedText } from './statements.ts';
import { Layout, type Variable } from './symbols.ts';
import { compileTarget } from './targets.ts';
import { compileStart, variable, writer } from './variables.ts';

/** A macro before its surroundings are known: given them, it is a value. */
type MakeMacro = (state: RenderState, frame: Frame) => Macro;

interface Extra {
  readonly wanted: boolean;
  readonly variable: Variable | undefined;
}

/** The special names that a macro's body may use, as variables of it where it does. */
function compileExtras(node: Callee, scope: Scope, line: number): Record<'caller' | 'kwargs' | 'varargs', Extra> {
  const read = namesRead(node.body, ['caller', 'kwargs', 'varargs']);
  const callerIndex = node.parameters.findIndex(({ name }) => name === 'caller');
  if (read.has('caller') && callerIndex >= 0 && callerIndex < node.parameters.length - node.defaults.length) {
    throw syntaxError(
      'When defining macros or call blocks the special "caller" argument must be omitted or be given a default.',
      line,
      'TemplateAssertionError',
    );
  }
  const extra = (name: string): Extra => {
    const isParameter = node.parameters.some((parameter) => parameter.name === name);
    const wanted = read.has(name) && (name === 'caller' || !isParameter);
    return { wanted, variable: wanted && !isParameter ? scope.symbols.declareParameter(name) : undefined };
  };
  return { caller: extra('caller'), kwargs: extra('kwargs'), varargs: extra('varargs') };
}

function compileMacro(node: Callee, name: string | undefined, outer: Scope, line: number): MakeMacro {
  const layout = new Layout(outer.symbols.layout);
  const scope = activationScope(outer, layout);
  analyseNames(scope.symbols, [...node.parameters, ...node.defaults, ...node.body]);
  const extras = compileExtras(node, scope, line);
  const setters = [extras.caller, extras.kwargs, extras.varargs].map((extra) =>
    extra.variable === undefined ? undefined : writer(extra.variable, layout),
  );
  const parameters = node.parameters.map((parameter, index) => ({
    name: parameter.name,
    set: writer(variable(parameter.name, scope, parameter.line), layout),
    fallback: compileDefault(node, index, scope),
  }));
  const start = compileStart(scope);
  const body = scope.compiler.body(node.body, scope);
  const shape = { name, parameters: parameters.map((parameter) => parameter.name), ...wantedExtras(extras) };

  const render = (state: RenderState, surroundings: Frame, given: MacroArguments): Value => {
    const frame = new Frame(layout.size, surroundings, surroundings.context);
    const { line: callLine } = state;
    for (const [index, value] of [given.caller, given.keywords, given.rest].entries()) setters[index]?.(frame, value);
    start?.(frame);
    for (const [index, { set }] of parameters.entries()) set(frame, given.parameters[index]);
    for (const [index, { set, fallback }] of parameters.entries())
      if (given.parameters[index] === undefined) set(frame, fallback(state, frame));
    const rendered = state.capture(() => void body(state, frame));
    state.line = callLine;
    return state.autoescape ? new Markup(rendered) : rendered;
  };
  return (_state, surroundings) => new Macro(shape, (state: CallState, given) => render(state as RenderState, surroundings, given));
}

function wantedExtras({ caller, kwargs, varargs }: Record<'caller' | 'kwargs' | 'varargs', Extra>): MacroExtras {
  return { caller: caller.wanted, keywords: kwargs.wanted, rest: varargs.wanted };
}

/** What a parameter that was not given holds. */
function compileDefault(node: Callee, index: number, scope: Scope): Evaluate {
  const { name } = node.parameters[index] as Callee['parameters'][number];
  const fallback = node.defaults[index - (node.parameters.length - node.defaults.length)];
  if (fallback !== undefined) return scope.compiler.expression(fallback, scope);
  return () => new Undefined(name, undefined, `parameter '${name}' was not provided`);
}

export function compileMacroStatement(node: MacroNode, scope: Scope): Execute {
  const make = compileMacro(node, node.name, scope, node.line);
  const assign = compileTarget({ kind: 'Name', name: node.name, use: 'store', line: node.line }, scope);
  return (state, frame) => {
    charge(1);
    assign(frame, make(state, frame));
    return DONE;
  };
}

/** A `call` block hands its body to the call as a macro; a `generation` block calls its body itself and notes the text. */
export function compileCallBlock(node: CallBlock, scope: Scope): Execute {
  const make = compileMacro(node, undefined, scope, node.line);
  const { call, line } = node;
  const evaluate: Evaluate = call === undefined ? (state, frame) => generate(make, state, frame) : compileCall(call, scope, make);
  return (state, frame) => {
    charge(1);
    state.line = line;
    state.write(printedText(evaluate(state, frame)));
    return DONE;
  };
}

function generate(make: MakeMacro, state: RenderState, frame: Frame): Value {
  const value = make(state, frame).call(state, [], undefined);
  state.noteGenerated(text(value));
  return value;
}

import { callMethod, findMethod, getAttribute, notCallable } from '../access.ts';
import { charge } from '../budget.ts';
import { syntaxError, PythonError, typeError } from '../errors.ts';
import type { Frame, RenderState } from '../render-state.ts';
import type { Call, CallArguments, Filter, Getattr, Test } from '../syntax/ast.ts';
import { Callable, type Keywords, type NativeFunction } from '../values/callable.ts';
import { Dict } from '../values/dict.ts';
import { allItems, isIterable } from '../values/iterate.ts';
import { typeName } from '../values/type-name.ts';
import type { Value } from '../values/value.ts';
import type { Evaluate, Scope } from './scope.ts';

/** Arguments of a call, computed. */
type Positional = (state: RenderState, frame: Frame) => Value[];
type Named = (state: RenderState, frame: Frame) => Keywords | undefined;

const NO_KEYWORDS: Named = () => undefined;

function compilePositional(call: CallArguments, scope: Scope): Positional {
  const args = call.args.map((arg) => scope.compiler.expression(arg, scope));
  const rest = call.rest === undefined ? undefined : scope.compiler.expression(call.rest, scope);
  const [first, second] = args;
  if (rest === undefined && args.length === 0) return () => [];
  if (rest === undefined && args.length === 1 && first !== undefined) return (state, frame) => [first(state, frame)];
  if (rest === undefined && args.length === 2 && first !== undefined && second !== undefined)
    return (state, frame) => [first(state, frame), second(state, frame)];
  return (state, frame) => {
    const values = args.map((arg) => arg(state, frame));
    return rest === undefined ? values : [...values, ...spread(rest(state, frame))];
  };
}

function spread(value: Value): readonly Value[] {
  if (!isIterable(value)) throw typeError(`Value after * must be an iterable, not ${typeName(value)}`);
  return allItems(value);
}

function addMapping(keywords: Map<string, Value>, mapping: Value): void {
  if (!(mapping instanceof Dict)) throw typeError(`argument after ** must be a mapping, not ${typeName(mapping)}`);
  for (const [key, value] of mapping.entries()) {
    if (typeof key !== 'string') throw typeError('keywords must be strings');
    if (keywords.has(key)) throw typeError(`got multiple values for keyword argument '${key}'`);
    keywords.set(key, value);
  }
}

function compileNamed(call: CallArguments, scope: Scope): Named {
  if (call.keywords.length === 0 && call.restKeywords === undefined) return NO_KEYWORDS;
  const given = call.keywords.map(({ key, value }): [string, Evaluate] => [key, scope.compiler.expression(value, scope)]);
  const rest = call.restKeywords === undefined ? undefined : scope.compiler.expression(call.restKeywords, scope);
  return (state, frame) => {
    const keywords = new Map<string, Value>();
    for (const [key, value] of given) keywords.set(key, value(state, frame));
    if (rest !== undefined) addMapping(keywords, rest(state, frame));
    return keywords;
  };
}

/** Calls what a template calls. */
function callValue(callee: Value, state: RenderState, args: readonly Value[], keywords: Keywords | undefined): Value {
  charge(2);
  if (!(callee instanceof Callable)) throw notCallable(callee);
  return callee.call(state, args, keywords);
}

/** A method is called on its object without being made a value first. */
function compileMethodCall({ object, name }: Getattr, positional: Positional, named: Named, scope: Scope): Evaluate {
  const self = scope.compiler.expression(object, scope);
  return (state, frame) => {
    const value = self(state, frame);
    const method = findMethod(value, name);
    if (method === undefined) return callValue(getAttribute(value, name), state, positional(state, frame), named(state, frame));
    charge(1);
    return callMethod(method, value, positional(state, frame), named(state, frame), state);
  };
}

/** @param caller gives the macro that a call block hands on, if this is one's call. */
export function compileCall(node: Call, scope: Scope, caller?: (state: RenderState, frame: Frame) => Value): Evaluate {
  const positional = compilePositional(node, scope);
  const given = compileNamed(node, scope);
  const named: Named = caller === undefined ? given : (state, frame) => withCaller(given(state, frame), caller(state, frame));
  if (node.callee.kind === 'Getattr') return compileMethodCall(node.callee, positional, named, scope);
  const callee = scope.compiler.expression(node.callee, scope);
  return (state, frame) => callValue(callee(state, frame), state, positional(state, frame), named(state, frame));
}

function withCaller(keywords: Keywords | undefined, caller: Value): Keywords {
  if (keywords?.has('caller') === true) throw typeError("got multiple values for keyword argument 'caller'");
  return new Map([...(keywords ?? []), ['caller', caller]]);
}

function registered(kind: 'filter' | 'test', name: string, line: number, scope: Scope): void {
  const isKnown = kind === 'filter' ? scope.compiler.hasFilter(name) : scope.compiler.hasTest(name);
  if (!isKnown && !scope.conditional) throw syntaxError(`No ${kind} named '${name}'.`, line, 'TemplateAssertionError');
}

function found(registry: ReadonlyMap<string, NativeFunction>, kind: 'filter' | 'test', name: string): NativeFunction {
  const known = registry.get(name);
  if (known === undefined) throw new PythonError('TemplateRuntimeError', `No ${kind} named '${name}' found.`);
  return known;
}

function compileApplied(node: Filter | Test, kind: 'filter' | 'test', target: Evaluate, scope: Scope): Evaluate {
  const { name } = node;
  registered(kind, name, node.line, scope);
  const positional = compilePositional(node, scope);
  const named = compileNamed(node, scope);
  return (state, frame) => {
    const applied = found(kind === 'filter' ? state.filters : state.tests, kind, name);
    const value = target(state, frame);
    const args = positional(state, frame);
    args.unshift(value);
    charge(1);
    return applied.call(state, args, named(state, frame));
  };
}

/** @param block gives the text of the filter block that the filter belongs to, if it does. */
export function compileFilter(node: Filter, scope: Scope, block?: Evaluate): Evaluate {
  const { target } = node;
  if (target !== undefined) {
    const inner =
      target.kind === 'Filter' && block !== undefined ? compileFilter(target, scope, block) : scope.compiler.expression(target, scope);
    return compileApplied(node, 'filter', inner, scope);
  }
  if (block === undefined) throw syntaxError('expected a value to filter', node.line);
  return compileApplied(node, 'filter', block, scope);
}

export function compileTest(node: Test, scope: Scope): Evaluate {
  return compileApplied(node, 'test', scope.compiler.expression(node.target, scope), scope);
}

import { getAttribute, getItem, isDictAttribute } from '../access.ts';
import { charge } from '../budget.ts';
import { syntaxError } from '../errors.ts';
import type { Conditional, DictNode, Expression, Getattr, Getitem, SliceNode } from '../syntax/ast.ts';
import { Dict } from '../values/dict.ts';
import { sliceValue } from '../values/slice.ts';
import { Undefined } from '../values/undefined.ts';
import { Markup, Tuple, type Value } from '../values/value.ts';
import { compileCall, compileFilter, compileTest } from './calls.ts';
import { compileBinary, compileCompare, compileConcat, compileCondition, compileLogical, compileUnary } from './operators.ts';
import { conditionalScope, type Evaluate, type Scope } from './scope.ts';
import { compileName } from './variables.ts';

function compileItems(items: readonly Expression[], scope: Scope): (...args: Parameters<Evaluate>) => Value[] {
  const evaluators = items.map((item) => scope.compiler.expression(item, scope));
  return (state, frame) => {
    charge(evaluators.length);
    return evaluators.map((evaluate) => evaluate(state, frame));
  };
}

/** @returns a list or tuple; one of constants is made once, as nothing can change it. */
function compileSequence(items: readonly Expression[], scope: Scope, make: (items: Value[]) => Value): Evaluate {
  if (items.every((item) => item.kind === 'Const')) {
    const constant = make(items.map(({ value }) => value));
    return () => constant;
  }
  const evaluate = compileItems(items, scope);
  return (state, frame) => make(evaluate(state, frame));
}

function compileDict(node: DictNode, scope: Scope): Evaluate {
  const entries = node.items.map(({ key, value }): [Evaluate, Evaluate] => [
    scope.compiler.expression(key, scope),
    scope.compiler.expression(value, scope),
  ]);
  return (state, frame) => {
    charge(entries.length);
    const dict = new Dict();
    for (const [key, value] of entries) dict.set(key(state, frame), value(state, frame));
    return dict;
  };
}

function compileConditional(node: Conditional, outer: Scope): Evaluate {
  const scope = conditionalScope(outer);
  const test = compileCondition(node.test, scope);
  const yes = scope.compiler.expression(node.yes, scope);
  const hint = `the inline if-expression on line ${node.line} evaluated to false and no else section was defined.`;
  const no: Evaluate = node.no === undefined ? () => new Undefined(null, undefined, hint) : scope.compiler.expression(node.no, scope);
  return (state, frame) => (test(state, frame) ? yes(state, frame) : no(state, frame));
}

/** Reading a key of a dict by its name is what templates do most: it is tried before the general way. */
function compileGetattr(node: Getattr, scope: Scope): Evaluate {
  const object = scope.compiler.expression(node.object, scope);
  const { name } = node;
  if (isDictAttribute(name)) return (state, frame) => getAttribute(object(state, frame), name);
  return (state, frame) => {
    const value = object(state, frame);
    const item = value instanceof Dict ? value.getName(name) : undefined;
    return item === undefined ? getAttribute(value, name) : item;
  };
}

function compileGetitem(node: Getitem, scope: Scope): Evaluate {
  if (node.key.kind === 'Slice') return compileSlice(node, node.key, scope);
  const object = scope.compiler.expression(node.object, scope);
  if (node.key.kind === 'Const' && typeof node.key.value === 'string') {
    const name = node.key.value;
    if (!name.startsWith('\0')) {
      return (state, frame) => {
        const value = object(state, frame);
        const item = value instanceof Dict ? value.getName(name) : undefined;
        return item === undefined ? getItem(value, name) : item;
      };
    }
  }
  const key = scope.compiler.expression(node.key, scope);
  return (state, frame) => getItem(object(state, frame), key(state, frame));
}

function compileSlice(node: Getitem, { start, stop, step }: SliceNode, scope: Scope): Evaluate {
  const object = scope.compiler.expression(node.object, scope);
  const [from, to, by] = [start, stop, step].map((part) => (part === undefined ? undefined : scope.compiler.expression(part, scope)));
  return (state, frame) =>
    sliceValue(object(state, frame), {
      start: from?.(state, frame) ?? null,
      stop: to?.(state, frame) ?? null,
      step: by?.(state, frame) ?? null,
    });
}

/** @returns what computes the expression. */
export function compileExpression(node: Expression, scope: Scope): Evaluate {
  switch (node.kind) {
    case 'Const': {
      const { value } = node;
      return () => value;
    }
    case 'TemplateData': {
      const { data } = node;
      if (scope.escaping === 'off') return () => data;
      return (state) => (scope.escaping === 'on' || state.autoescape ? new Markup(data) : data);
    }
    case 'Name':
      return compileName(node.name, scope, node.line);
    case 'Getattr':
      return compileGetattr(node, scope);
    case 'Getitem':
      return compileGetitem(node, scope);
    case 'Call':
      return compileCall(node, scope);
    case 'Filter':
      return compileFilter(node, scope);
    case 'Test':
      return compileTest(node, scope);
    case 'Compare':
      return compileCompare(node, scope);
    case 'Binary':
      return compileBinary(node, scope);
    case 'Logical':
      return compileLogical(node, scope);
    case 'Unary':
      return compileUnary(node, scope);
    case 'Concat':
      return compileConcat(node, scope);
    case 'Conditional':
      return compileConditional(node, scope);
    case 'List':
      return compileSequence(node.items, scope, (items) => items);
    case 'Tuple':
      return compileSequence(node.items, scope, (items) => new Tuple(items));
    case 'Dict':
      return compileDict(node, scope);
    default:
      throw syntaxError('invalid syntax', node.line, 'SyntaxError');
  }
}

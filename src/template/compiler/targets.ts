import { charge } from '../budget.ts';
import { PythonError, typeError, valueError } from '../errors.ts';
import type { Frame } from '../render-state.ts';
import type { Expression } from '../syntax/ast.ts';
import { descendants } from '../syntax/walk.ts';
import { Namespace } from '../globals/namespace.ts';
import { iteratorOf, isIterable } from '../values/iterate.ts';
import { typeName } from '../values/type-name.ts';
import type { Value } from '../values/value.ts';
import type { Scope } from './scope.ts';
import { reader, variable, writer } from './variables.ts';

/** Assigns a value to a name, several names, or an attribute of a namespace. */
export type Assign = (frame: Frame, value: Value) => void;

function unpack(value: Value, count: number): Value[] {
  if (!isIterable(value)) throw typeError(`cannot unpack non-iterable ${typeName(value)} object`);
  const items: Value[] = [];
  const iterator = iteratorOf(value);
  for (let step = iterator.next(); step.done !== true; step = iterator.next()) {
    if (items.length === count) throw valueError(`too many values to unpack (expected ${count})`);
    items.push(step.value);
  }
  charge(count);
  if (items.length < count) throw valueError(`not enough values to unpack (expected ${count}, got ${items.length})`);
  return items;
}

/** @returns what assigns to `target`; what is set at the template's top level also goes into the context, where blocks find it. */
export function compileTarget(target: Expression, scope: Scope): Assign {
  if (target.kind === 'Tuple') {
    const parts = target.items.map((item) => compileTarget(item, scope));
    return (frame, value) => {
      const items = unpack(value, parts.length);
      for (let index = 0; index < parts.length; index += 1) (parts[index] as Assign)(frame, items[index] as Value);
    };
  }
  if (target.kind === 'NamespaceTarget') {
    const read = reader(variable(target.name, scope, target.line), scope.symbols.layout);
    const { attribute } = target;
    return (frame, value) => asNamespace(read(frame)).set(attribute, value);
  }
  const { name, line } = target as Extract<Expression, { kind: 'Name' }>;
  const write = writer(variable(name, scope, line), scope.symbols.layout);
  if (!scope.topLevel) return write;
  return (frame, value) => {
    write(frame, value);
    frame.context.set(name, value);
  };
}

function asNamespace(value: Value | undefined): Namespace {
  if (value instanceof Namespace) return value;
  throw new PythonError('TemplateRuntimeError', 'cannot assign attribute on non-namespace object');
}

/** @returns what checks, before the value is computed, that every attribute in the target belongs to a namespace; undefined without attributes. */
export function compileNamespaceCheck(target: Expression, scope: Scope): ((frame: Frame) => void) | undefined {
  const readers = [...descendants([target])].flatMap((node) =>
    node.kind === 'NamespaceTarget' ? [reader(variable(node.name, scope, node.line), scope.symbols.layout)] : [],
  );
  if (readers.length === 0) return undefined;
  return (frame) => {
    for (const read of readers) asNamespace(read(frame));
  };
}

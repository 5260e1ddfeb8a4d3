import { syntaxError } from '../errors.ts';
import type { Frame } from '../render-state.ts';
import { Undefined } from '../values/undefined.ts';
import type { Value } from '../values/value.ts';
import type { Evaluate, Scope } from './scope.ts';
import type { Layout, Variable } from './symbols.ts';

/** @returns the activation `hops` levels out. */
function outward(frame: Frame, hops: number): Frame {
  let holder = frame;
  for (let hop = 0; hop < hops; hop += 1) holder = holder.parent as Frame;
  return holder;
}

/** @returns what reads the variable from an activation of `layout`; undefined where it holds nothing. */
export function reader({ layout: home, slot }: Variable, layout: Layout): (frame: Frame) => Value | undefined {
  const hops = layout.depth - home.depth;
  if (hops === 0) return (frame) => frame.slots[slot];
  if (hops === 1) return (frame) => (frame.parent as Frame).slots[slot];
  return (frame) => outward(frame, hops).slots[slot];
}

/** @returns what sets the variable from an activation of `layout`. */
export function writer({ layout: home, slot }: Variable, layout: Layout): (frame: Frame, value: Value | undefined) => void {
  const hops = layout.depth - home.depth;
  if (hops === 0) return (frame, value) => void (frame.slots[slot] = value);
  return (frame, value) => void (outward(frame, hops).slots[slot] = value);
}

/**
 * @returns the variable that `name` means in the scope.
 * @throws TemplateError where the scope does not know the name: jinja cannot compile such a template either.
 */
export function variable(name: string, scope: Scope, line: number): Variable {
  const found = scope.symbols.find(name);
  if (found === undefined)
    throw syntaxError(`Tried to resolve a name to a reference that was unknown to the frame ('${name}')`, line, 'AssertionError');
  return found;
}

/** @returns what reads a name: Undefined where it holds nothing. */
export function compileName(name: string, scope: Scope, line: number): Evaluate {
  const { layout, slot } = variable(name, scope, line);
  const hops = scope.symbols.layout.depth - layout.depth;
  if (hops === 0) return (_state, frame) => orUndefined(frame.slots[slot], name);
  const read = reader({ layout, slot }, scope.symbols.layout);
  return (_state, frame) => orUndefined(read(frame), name);
}

function orUndefined(value: Value | undefined, name: string): Value {
  return value === undefined ? new Undefined(name) : value;
}

/**
 * @returns what gives the scope's variables the values that they start with, or undefined where there is nothing to do. To be called when all
 * names of the scope are known.
 */
export function compileStart(scope: Scope): ((frame: Frame) => void) | undefined {
  const { layout } = scope.symbols;
  const steps: ((frame: Frame) => void)[] = [];
  for (const [target, start] of scope.symbols.starts) {
    const write = writer(target, layout);
    if (start.kind === 'missing') steps.push((frame) => write(frame, undefined));
    if (start.kind === 'copy') {
      const read = reader(start.from, layout);
      steps.push((frame) => write(frame, read(frame)));
    }
    if (start.kind === 'context') {
      const { name } = start;
      scope.compiler.contextNames.add(name);
      steps.push((frame) => write(frame, frame.context.resolve(name)));
    }
  }
  const [only] = steps;
  if (steps.length < 2) return only;
  return (frame) => {
    for (const step of steps) step(frame);
  };
}

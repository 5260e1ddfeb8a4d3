import { charge, deeper } from '../budget.ts';
import { syntaxError } from '../errors.ts';
import { LoopContext, type Recurse } from '../globals/loop-context.ts';
import { Frame, type RenderState } from '../render-state.ts';
import type { For } from '../syntax/ast.ts';
import { descendants } from '../syntax/walk.ts';
import { iteratorOf, allItems } from '../values/iterate.ts';
import { Markup, Tuple, ValueIterator, type Value } from '../values/value.ts';
import { analyseLoopNames, analyseNames, namesRead } from './analyse-names.ts';
import { compileCondition } from './operators.ts';
import { activationScope, BREAK, CONTINUE, DONE, innerScope, type Completion, type Execute, type Scope } from './scope.ts';
import { Layout } from './symbols.ts';
import { compileTarget, type Assign } from './targets.ts';
import { compileStart, writer } from './variables.ts';

/** Leaves out the items that do not pass the loop's test. */
type Selection = (state: RenderState, frame: Frame, items: Value) => Value;

/** Items are tested one by one, when the loop comes to them: the test sees what the turns before did. */
function compileSelection(node: For, scope: Scope): Selection | undefined {
  if (node.test === undefined) return undefined;
  analyseLoopNames(scope.symbols, node.target, [node.test]);
  const start = compileStart(scope);
  const assign = compileTarget(node.target, scope);
  const condition = compileCondition(node.test, scope);
  // Items that are taken apart come out as tuples.
  const handOn = node.target.kind === 'Tuple' ? (item: Value) => new Tuple(allItems(item)) : (item: Value) => item;
  function* select(state: RenderState, frame: Frame, items: Value): Generator<Value> {
    const iterator = iteratorOf(items);
    for (let step = iterator.next(); step.done !== true; step = iterator.next()) {
      charge(1);
      start?.(frame);
      const item = handOn(step.value);
      assign(frame, item);
      if (condition(state, frame)) yield item;
    }
  }
  return (state, frame, items) => new ValueIterator(select(state, frame, items), 'generator', 't_1');
}

/** The parts of a loop that every turn needs. */
interface LoopParts {
  readonly selection: Selection | undefined;
  readonly setLoop: ((frame: Frame, loop: Value) => void) | undefined;
  readonly assign: Assign;
  readonly start: ((frame: Frame) => void) | undefined;
  readonly body: Execute;
  readonly otherwise: Execute;
  readonly line: number;
}

/** Whether the body asks for `loop`: then a {@link LoopContext} drives the loop. */
function usesLoop(node: For): boolean {
  if (node.recursive || namesRead(node.body, ['loop']).size > 0) return true;
  return [...descendants([node])].some((child) => child.kind === 'Block' && child.scoped);
}

function checkLoopName(node: For): void {
  for (const child of descendants([node])) {
    if (child.kind === 'Name' && child.use === 'store' && child.name === 'loop') {
      throw syntaxError("Can't assign to special loop variable in for-loop target", child.line, 'TemplateAssertionError');
    }
  }
}

/** @param newScope makes the scopes of the body, the test and `else`, which do not see one another. */
function compileParts(node: For, newScope: () => Scope): LoopParts {
  const scope = { ...newScope(), inLoop: true };
  const loopVariable = usesLoop(node) ? scope.symbols.declareParameter('loop') : undefined;
  analyseLoopNames(scope.symbols, node.target, node.body);
  const selection = compileSelection(node, newScope());
  checkLoopName(node);
  const elseScope = newScope();
  analyseNames(elseScope.symbols, node.otherwise);
  const elseStart = compileStart(elseScope);
  const elseBody = scope.compiler.body(node.otherwise, elseScope);
  return {
    selection,
    setLoop: loopVariable === undefined ? undefined : writer(loopVariable, scope.symbols.layout),
    assign: compileTarget(node.target, scope),
    start: compileStart(scope),
    body: scope.compiler.body(node.body, scope),
    otherwise: (state, frame) => {
      elseStart?.(frame);
      return elseBody(state, frame);
    },
    line: node.line,
  };
}

/** What gives the items one by one, undefined at the end. */
function itemSource(items: Value, loop: LoopContext | undefined): () => Value | undefined {
  if (loop !== undefined) return () => loop.advance();
  if (Array.isArray(items)) {
    let index = 0;
    return () => items[index++];
  }
  const iterator = iteratorOf(items);
  return () => {
    const step = iterator.next();
    return step.done === true ? undefined : step.value;
  };
}

function runLoop(
  parts: LoopParts,
  items: Value,
  recurse: Recurse | undefined,
  depth: number,
  state: RenderState,
  frame: Frame,
): Completion {
  const { selection, setLoop, assign, start, body, otherwise, line } = parts;
  const selected = selection === undefined ? items : selection(state, frame, items);
  const loop = setLoop === undefined ? undefined : new LoopContext(selected, depth, recurse);
  const next = itemSource(selected, loop);
  // As in Python, only a turn that came to its end keeps `else` away: one that `break` or `continue` cut short does not.
  let wasEmpty = true;
  for (let item = next(); item !== undefined; item = next()) {
    charge(1);
    assign(frame, item);
    if (loop !== undefined) setLoop?.(frame, loop);
    start?.(frame);
    const completion = body(state, frame);
    state.line = line;
    if (completion === BREAK) break;
    if (completion !== CONTINUE) wasEmpty = false;
  }
  return wasEmpty ? otherwise(state, frame) : DONE;
}

/** A recursive loop is called like a macro: every level has variables of its own. */
function compileRecursive(node: For, outer: Scope): Execute {
  const layout = new Layout(outer.symbols.layout);
  const parts = compileParts(node, () => activationScope(outer, layout));
  const iterable = outer.compiler.expression(node.iterable, outer);
  const { line } = node;
  return (state, frame) => {
    charge(1);
    state.line = line;
    const recurse: Recurse = (items, depth) =>
      deeper(() => {
        const rendered = state.capture(() => runLoop(parts, items, recurse, depth, state, new Frame(layout.size, frame, frame.context)));
        return outer.escaping === 'on' || (outer.escaping === 'dynamic' && state.autoescape) ? new Markup(rendered) : rendered;
      });
    const rendered = recurse(iterable(state, frame), 0);
    state.write(rendered instanceof Markup ? rendered.text : (rendered as string));
    return DONE;
  };
}

export function compileFor(node: For, outer: Scope): Execute {
  if (node.recursive) return compileRecursive(node, outer);
  const parts = compileParts(node, () => innerScope(outer));
  const iterable = outer.compiler.expression(node.iterable, outer);
  const { line } = node;
  return (state, frame) => {
    charge(1);
    state.line = line;
    return runLoop(parts, iterable(state, frame), undefined, 0, state, frame);
  };
}

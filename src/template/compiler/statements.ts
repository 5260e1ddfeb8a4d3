import { charge } from '../budget.ts';
import { syntaxError, typeError, type PythonError } from '../errors.ts';
import type { Frame, RenderState } from '../render-state.ts';
import type {
  Assign,
  AssignBlock,
  Autoescape,
  Expression,
  FilterBlock,
  If,
  Load,
  LoopControl,
  Output,
  Statement,
  With,
} from '../syntax/ast.ts';
import { stringOf } from '../values/compare.ts';
import { escapeHtml } from '../values/markup.ts';
import { text } from '../values/repr.ts';
import { truthy } from '../values/truth.ts';
import { typeName } from '../values/type-name.ts';
import { Markup, type Value } from '../values/value.ts';
import { analyseNames } from './analyse-names.ts';
import { compileFilter } from './calls.ts';
import { compileCondition } from './operators.ts';
import { BREAK, conditionalScope, CONTINUE, DONE, innerScope, type Completion, type Evaluate, type Execute, type Scope } from './scope.ts';
import { compileNamespaceCheck, compileTarget } from './targets.ts';
import { compileStart } from './variables.ts';

/** What prints an expression, as text. */
function compilePrinted(item: Expression, scope: Scope): (state: RenderState, frame: Frame) => string {
  const evaluate = scope.compiler.expression(item, scope);
  if (scope.escaping === 'off') {
    return (state, frame) => {
      const value = evaluate(state, frame);
      return typeof value === 'string' ? value : text(value);
    };
  }
  // jinja prints constants when it compiles, when it does not know yet whether to escape.
  if (scope.escaping === 'dynamic' && item.kind === 'Const') return (state, frame) => text(evaluate(state, frame));
  const always = scope.escaping === 'on';
  return (state, frame) => {
    const value = evaluate(state, frame);
    return always || state.autoescape ? escapeHtml(value).text : text(value);
  };
}

export function compileOutput(node: Output, scope: Scope): Execute {
  const { line, items } = node;
  const [only] = items;
  if (items.length === 1 && only?.kind === 'TemplateData') {
    const { data } = only;
    return (state) => {
      charge(1);
      state.write(data);
      return DONE;
    };
  }
  const printed = items.map((item) => (item.kind === 'TemplateData' ? item.data : compilePrinted(item, scope)));
  const lines = items.map((item) => item.line);
  return (state, frame) => {
    charge(1);
    state.line = line;
    for (let index = 0; index < printed.length; index += 1) {
      const part = printed[index] as (typeof printed)[number];
      if (typeof part === 'string') {
        state.write(part);
      } else {
        state.line = lines[index] as number;
        state.write(part(state, frame));
      }
    }
    return DONE;
  };
}

export function compileIf(node: If, outer: Scope): Execute {
  const scope = conditionalScope(outer);
  const branches = [node, ...node.elifs].map(({ test, body, line }) => ({
    test: compileCondition(test, scope),
    body: scope.compiler.body(body, scope),
    line,
  }));
  const otherwise = scope.compiler.body(node.otherwise, scope);
  return (state, frame) => {
    charge(1);
    for (const { test, body, line } of branches) {
      state.line = line;
      if (test(state, frame)) return body(state, frame);
    }
    return otherwise(state, frame);
  };
}

export function compileAssign(node: Assign, scope: Scope): Execute {
  const check = compileNamespaceCheck(node.target, scope);
  const assign = compileTarget(node.target, scope);
  const value = scope.compiler.expression(node.value, scope);
  const { line } = node;
  return (state, frame) => {
    charge(1);
    state.line = line;
    check?.(frame);
    assign(frame, value(state, frame));
    return DONE;
  };
}

/** @returns what runs the body of a scope of its own, once its variables are in place. */
function compileScopedBody(body: readonly Statement[], scope: Scope): Execute {
  const start = compileStart(scope);
  const run = scope.compiler.body(body, scope);
  if (start === undefined) return run;
  return (state, frame) => {
    start(frame);
    return run(state, frame);
  };
}

/** Renders a body aside. @returns its text, or the jump that it ended with: then its text is lost, as in Python. */
function captured(run: Execute, state: RenderState, frame: Frame): string | Completion {
  let completion: Completion = DONE;
  const rendered = state.capture(() => {
    completion = run(state, frame);
  });
  return completion === DONE ? rendered : completion;
}

function markedText(scope: Scope, state: RenderState, rendered: string): Value {
  return scope.escaping === 'on' || (scope.escaping === 'dynamic' && state.autoescape) ? new Markup(rendered) : rendered;
}

/** A filter that takes a rendered text, which it finds where the text was put. */
function compileTextFilter(filter: FilterBlock['filter'], scope: Scope): (state: RenderState, frame: Frame, rendered: string) => Value {
  let rendered = '';
  const evaluate: Evaluate = compileFilter(filter, scope, (state) => markedText(scope, state, rendered));
  return (state, frame, value) => {
    rendered = value;
    return evaluate(state, frame);
  };
}

export function compileAssignBlock(node: AssignBlock, outer: Scope): Execute {
  const scope = innerScope(outer);
  analyseNames(scope.symbols, node.body);
  const run = compileScopedBody(node.body, scope);
  const filter = node.filter === undefined ? undefined : compileTextFilter(node.filter, scope);
  const assign = compileTarget(node.target, outer);
  const { line } = node;
  return (state, frame) => {
    charge(1);
    const rendered = captured(run, state, frame);
    if (typeof rendered !== 'string') return rendered;
    state.line = line;
    const value = filter === undefined ? rendered : filter(state, frame, rendered);
    assign(frame, state.autoescape ? new Markup(text(value)) : value);
    return DONE;
  };
}

/**
 * @returns what a filter or call block prints: unlike an expression, only text.
 * @throws PythonError `TypeError` for any other value.
 */
export function printedText(value: Value): string {
  const characters = stringOf(value);
  if (characters === undefined) throw typeError(`sequence item 0: expected str instance, ${typeName(value)} found`);
  return characters;
}

export function compileFilterBlock(node: FilterBlock, outer: Scope): Execute {
  const scope = innerScope(outer);
  analyseNames(scope.symbols, [...node.body, node.filter]);
  const run = compileScopedBody(node.body, scope);
  const filter = compileTextFilter(node.filter, scope);
  const { line } = node;
  return (state, frame) => {
    charge(1);
    const rendered = captured(run, state, frame);
    if (typeof rendered !== 'string') return rendered;
    state.line = line;
    state.write(printedText(filter(state, frame, rendered)));
    return DONE;
  };
}

export function compileWith(node: With, outer: Scope): Execute {
  const scope = innerScope(outer);
  analyseNames(scope.symbols, [...node.targets, ...node.body]);
  const start = compileStart(scope);
  const assignments = node.targets.map((target, index) => ({
    assign: compileTarget(target, scope),
    value: scope.compiler.expression(node.values[index] as Expression, outer),
  }));
  const run = scope.compiler.body(node.body, scope);
  const { line } = node;
  return (state, frame) => {
    charge(1);
    state.line = line;
    start?.(frame);
    for (const { assign, value } of assignments) assign(frame, value(state, frame));
    return run(state, frame);
  };
}

export function compileAutoescape(node: Autoescape, outer: Scope): Execute {
  const inner = innerScope(outer);
  analyseNames(inner.symbols, [node.enabled, ...node.body]);
  const start = compileStart(inner);
  const enabled = scopeConstant(node.enabled);
  const scope: Scope = { ...inner, escaping: enabled === undefined ? 'dynamic' : enabled ? 'on' : 'off' };
  const evaluate = inner.compiler.expression(node.enabled, inner);
  const run = scope.compiler.body(node.body, scope);
  return (state, frame) => {
    charge(1);
    start?.(frame);
    const around = state.autoescape;
    state.autoescape = truthy(evaluate(state, frame));
    const completion = run(state, frame);
    // Python leaves the block by a jump too, without putting the setting back.
    if (completion === DONE) state.autoescape = around;
    return completion;
  };
}

function scopeConstant(node: Expression): boolean | undefined {
  return node.kind === 'Const' ? truthy(node.value) : undefined;
}

export function compileLoopControl(node: LoopControl, scope: Scope): Execute {
  if (!scope.inLoop)
    throw syntaxError(node.control === 'break' ? "'break' outside loop" : "'continue' not properly in loop", node.line, 'SyntaxError');
  const completion = node.control === 'break' ? BREAK : CONTINUE;
  return () => completion;
}

/** Other templates cannot be loaded: coming to such a statement is an error. */
export function compileLoad(node: Load, scope: Scope): Execute {
  if (node.tag === 'extends' && !scope.topLevel)
    throw syntaxError('cannot use extend from a non top-level scope', node.line, 'TemplateAssertionError');
  const template = scope.compiler.expression(node.template, scope);
  const { line } = node;
  return (state, frame): Completion => {
    state.line = line;
    template(state, frame);
    throw refusal();
  };
}

function refusal(): PythonError {
  return typeError('no loader for this environment specified');
}

import { charge, checkLength } from '../budget.ts';
import type { Binary, Compare, Comparison, Concat, Expression, Logical, Unary } from '../syntax/ast.ts';
import { add, binary, unary } from '../values/arithmetic.ts';
import { compare, equals } from '../values/compare.ts';
import { contains } from '../values/contains.ts';
import { escapeHtml } from '../values/markup.ts';
import { text } from '../values/repr.ts';
import { truthy } from '../values/truth.ts';
import { Markup, type Value } from '../values/value.ts';
import type { Evaluate, Scope } from './scope.ts';

/** Computes a condition: an expression of which only the truth is asked. */
type Condition = (...args: Parameters<Evaluate>) => boolean;

/** @returns what tells whether the expression is true, without making a value of comparisons. */
export function compileCondition(node: Expression, scope: Scope): Condition {
  if (node.kind === 'Unary' && node.operator === 'not') {
    const operand = compileCondition(node.operand, scope);
    return (state, frame) => !operand(state, frame);
  }
  if (node.kind === 'Logical') {
    const left = compileCondition(node.left, scope);
    const right = compileCondition(node.right, scope);
    if (node.operator === 'and') return (state, frame) => left(state, frame) && right(state, frame);
    return (state, frame) => left(state, frame) || right(state, frame);
  }
  const evaluate = scope.compiler.expression(node, scope);
  return (state, frame) => truthy(evaluate(state, frame));
}

export function compileUnary(node: Unary, scope: Scope): Evaluate {
  if (node.operator === 'not') return compileCondition(node, scope);
  const operand = scope.compiler.expression(node.operand, scope);
  const { operator } = node;
  return (state, frame) => unary(operator, operand(state, frame));
}

export function compileLogical(node: Logical, scope: Scope): Evaluate {
  const left = scope.compiler.expression(node.left, scope);
  const right = scope.compiler.expression(node.right, scope);
  const stopsAt = node.operator === 'or';
  return (state, frame) => {
    const value = left(state, frame);
    return truthy(value) === stopsAt ? value : right(state, frame);
  };
}

export function compileBinary(node: Binary, scope: Scope): Evaluate {
  const left = scope.compiler.expression(node.left, scope);
  const right = scope.compiler.expression(node.right, scope);
  const { operator } = node;
  if (operator === '+') return (state, frame) => add(left(state, frame), right(state, frame));
  return (state, frame) => binary(operator, left(state, frame), right(state, frame));
}

function comparison(operator: Comparison): (left: Value, right: Value) => boolean {
  switch (operator) {
    case '==':
      return equals;
    case '!=':
      return (left, right) => !equals(left, right);
    case 'in':
      return contains;
    case 'not in':
      return (left, right) => !contains(left, right);
    default:
      return (left, right) => compare(left, right, operator);
  }
}

export function compileCompare(node: Compare, scope: Scope): Evaluate {
  const first = scope.compiler.expression(node.left, scope);
  const operands = node.operands.map(({ operator, right }) => ({
    holds: comparison(operator),
    right: scope.compiler.expression(right, scope),
  }));
  const [only] = operands;
  if (operands.length === 1 && only !== undefined) {
    const { holds, right } = only;
    return (state, frame) => holds(first(state, frame), right(state, frame));
  }
  return (state, frame) => {
    let left = first(state, frame);
    for (const { holds, right } of operands) {
      const value = right(state, frame);
      if (!holds(left, value)) return false;
      left = value;
    }
    return true;
  };
}

/** Joins texts; once one of them is Markup, what follows is escaped, and so is what came before. */
function joinMarkup(values: readonly Value[]): Value {
  const isMarkup = values.some((value) => value instanceof Markup);
  const joined = values.map((value) => (isMarkup ? escapeHtml(value).text : text(value))).join('');
  return isMarkup ? new Markup(joined) : joined;
}

export function compileConcat(node: Concat, scope: Scope): Evaluate {
  const items = node.items.map((item) => scope.compiler.expression(item, scope));
  if (scope.escaping === 'on') return (state, frame) => joinMarkup(items.map((item) => item(state, frame)));
  return (state, frame) => {
    let out = '';
    for (const item of items) out += text(item(state, frame));
    charge(1);
    checkLength(out.length);
    return out;
  };
}

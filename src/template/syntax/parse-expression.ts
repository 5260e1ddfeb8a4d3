import type { Binary, Comparison, Expression } from './ast.ts';
import { OperandParser } from './parse-operand.ts';
import { describeToken } from './token.ts';
import type { TokenStream } from './token-stream.ts';

/** Where a list of expressions without brackets ends, besides the end of its tag and a closing parenthesis. */
type TupleEnd = 'in' | 'recursive';

export interface TupleOptions {
  /** Names and literals only: the target of an assignment. */
  readonly simplified?: boolean;
  readonly withConditional?: boolean;
  readonly endsAt?: TupleEnd;
  /** Whether it may be empty. */
  readonly parenthesized?: boolean;
  /** Whether `name.attribute` is the target of an assignment. */
  readonly withNamespace?: boolean;
}

/** Reads expressions, by precedence from `if … else` down to names and literals. */
export class ExpressionParser {
  readonly operands: OperandParser;
  readonly #stream: TokenStream;

  constructor(stream: TokenStream) {
    this.#stream = stream;
    this.operands = new OperandParser(stream, {
      expression: () => this.expression(),
      parenthesized: () => this.tuple({ parenthesized: true }),
    });
  }

  expression(withConditional = true): Expression {
    return this.#stream.nested(() => (withConditional ? this.#conditional() : this.#or()));
  }

  #conditional(): Expression {
    let { line } = this.#stream.current;
    let yes = this.#or();
    while (this.#stream.skip('name', 'if')) {
      const test = this.#or();
      const no = this.#stream.skip('name', 'else') ? this.#stream.nested(() => this.#conditional()) : undefined;
      yes = { kind: 'Conditional', test, yes, no, line };
      ({ line } = this.#stream.current);
    }
    return yes;
  }

  #or(): Expression {
    const { line } = this.#stream.current;
    let left = this.#and();
    while (this.#stream.skip('name', 'or')) left = { kind: 'Logical', operator: 'or', left, right: this.#and(), line };
    return left;
  }

  #and(): Expression {
    const { line } = this.#stream.current;
    let left = this.#not();
    while (this.#stream.skip('name', 'and')) left = { kind: 'Logical', operator: 'and', left, right: this.#not(), line };
    return left;
  }

  #not(): Expression {
    if (!this.#stream.is('name', 'not')) return this.#compare();
    const { line } = this.#stream.next();
    return { kind: 'Unary', operator: 'not', operand: this.#stream.nested(() => this.#not()), line };
  }

  #comparison(): Comparison | undefined {
    const stream = this.#stream;
    if (stream.is('operator', '==', '!=', '<', '<=', '>', '>=')) return stream.next().text as Comparison;
    if (stream.skip('name', 'in')) return 'in';
    if (!stream.is('name', 'not') || stream.following.type !== 'name' || stream.following.text !== 'in') return undefined;
    stream.next();
    stream.next();
    return 'not in';
  }

  #compare(): Expression {
    const { line } = this.#stream.current;
    const left = this.#sum();
    const operands: { operator: Comparison; right: Expression }[] = [];
    for (let operator = this.#comparison(); operator !== undefined; operator = this.#comparison())
      operands.push({ operator, right: this.#sum() });
    return operands.length === 0 ? left : { kind: 'Compare', left, operands, line };
  }

  #binary(operators: readonly Binary['operator'][], operand: () => Expression): Expression {
    const { line } = this.#stream.current;
    let left = operand();
    while (this.#stream.is('operator', ...operators)) {
      const operator = this.#stream.next().text as Binary['operator'];
      left = { kind: 'Binary', operator, left, right: operand(), line };
    }
    return left;
  }

  #sum(): Expression {
    return this.#binary(['+', '-'], () => this.#concat());
  }

  #concat(): Expression {
    const { line } = this.#stream.current;
    const items = [this.#product()];
    while (this.#stream.skip('operator', '~')) items.push(this.#product());
    return items.length === 1 ? (items[0] as Expression) : { kind: 'Concat', items, line };
  }

  #product(): Expression {
    return this.#binary(['*', '/', '//', '%'], () => this.#binary(['**'], () => this.#unary(true)));
  }

  #unary(withFilters: boolean): Expression {
    const { current } = this.#stream;
    let node: Expression;
    if (this.#stream.is('operator', '-', '+')) {
      this.#stream.next();
      node = {
        kind: 'Unary',
        operator: current.text as '-' | '+',
        operand: this.#stream.nested(() => this.#unary(false)),
        line: current.line,
      };
    } else node = this.operands.primary();
    node = this.operands.postfix(node);
    return withFilters ? this.operands.filtersAndTests(node) : node;
  }

  #tupleEnds(endsAt: TupleEnd | undefined): boolean {
    const stream = this.#stream;
    return (
      stream.is('variable-end') ||
      stream.is('block-end') ||
      stream.is('operator', ')') ||
      (endsAt !== undefined && stream.is('name', endsAt))
    );
  }

  /** One expression, or several with commas between them: then a tuple. */
  tuple(options: TupleOptions = {}): Expression {
    const { simplified = false, withConditional = true, endsAt, parenthesized = false, withNamespace = false } = options;
    let { line } = this.#stream.current;
    const items: Expression[] = [];
    let isTuple = false;
    for (;;) {
      if (items.length > 0) this.#stream.expect('operator', ',');
      if (this.#tupleEnds(endsAt)) break;
      items.push(simplified ? this.operands.primary(withNamespace) : this.expression(withConditional));
      if (!this.#stream.is('operator', ',')) break;
      isTuple = true;
      ({ line } = this.#stream.current);
    }
    if (!isTuple) {
      if (items[0] !== undefined) return items[0];
      if (!parenthesized) throw this.#stream.error(`Expected an expression, got '${describeToken(this.#stream.current)}'`);
    }
    return { kind: 'Tuple', items, line };
  }
}

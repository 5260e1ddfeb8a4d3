import { Float } from '../values/value.ts';
import { integer } from '../values/integer.ts';
import type { Binary, Call, CallArguments, Comparison, Expression, Filter, Keyword, NamespaceTarget, SliceNode, Test } from './ast.ts';
import { describeToken, type NumberValue, type Token } from './token.ts';
import type { TokenStream } from './token-stream.ts';

const CONSTANTS: Record<string, boolean | null> = { true: true, True: true, false: false, False: false, none: null, None: null };

function numberOf(number: NumberValue): number | bigint | Float {
  return number.kind === 'int' ? integer(number.value) : new Float(number.value);
}

/** Where a list of expressions without brackets ends, besides the end of its tag and a closing parenthesis. */
export type TupleEnd = 'in' | 'recursive';

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
  readonly #stream: TokenStream;

  constructor(stream: TokenStream) {
    this.#stream = stream;
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
    } else node = this.primary();
    node = this.#postfix(node);
    return withFilters ? this.#filtersAndTests(node) : node;
  }

  /** A name or a literal. */
  primary(withNamespace = false): Expression {
    const token = this.#stream.current;
    const { line } = token;
    if (token.type === 'name') return this.#name(withNamespace);
    if (token.type === 'string') return { kind: 'Const', value: this.#strings(), line };
    if (token.type === 'number') {
      this.#stream.next();
      return { kind: 'Const', value: numberOf(token.number as NumberValue), line };
    }
    if (this.#stream.skip('operator', '(')) {
      const node = this.#stream.nested(() => this.tuple({ parenthesized: true }));
      this.#stream.expect('operator', ')');
      return node;
    }
    if (this.#stream.skip('operator', '[')) return { kind: 'List', items: this.#listed(']', () => this.expression()), line };
    if (this.#stream.skip('operator', '{')) return { kind: 'Dict', items: this.#listed('}', () => this.#pair()), line };
    throw this.#stream.error(`unexpected '${describeToken(token)}'`);
  }

  #name(withNamespace: boolean): Expression {
    const { text, line } = this.#stream.next();
    const constant = Object.hasOwn(CONSTANTS, text) ? CONSTANTS[text] : undefined;
    if (constant !== undefined) return { kind: 'Const', value: constant, line };
    if (!withNamespace || !this.#stream.skip('operator', '.')) return { kind: 'Name', name: text, use: 'load', line };
    const target: NamespaceTarget = { kind: 'NamespaceTarget', name: text, attribute: this.#stream.expect('name').text, line };
    return target;
  }

  #strings(): string {
    let text = '';
    while (this.#stream.is('string')) text += this.#stream.next().text;
    return text;
  }

  #listed<Item>(closing: string, item: () => Item): Item[] {
    const items: Item[] = [];
    while (!this.#stream.is('operator', closing)) {
      if (items.length > 0) this.#stream.expect('operator', ',');
      if (this.#stream.is('operator', closing)) break;
      items.push(item());
    }
    this.#stream.expect('operator', closing);
    return items;
  }

  #pair(): { key: Expression; value: Expression } {
    const key = this.expression();
    this.#stream.expect('operator', ':');
    return { key, value: this.expression() };
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
      items.push(simplified ? this.primary(withNamespace) : this.expression(withConditional));
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

  #postfix(node: Expression): Expression {
    let result = node;
    for (;;) {
      if (this.#stream.is('operator', '.', '[')) result = this.#subscript(result);
      else if (this.#stream.is('operator', '(')) result = this.#call(result);
      else return result;
    }
  }

  #filtersAndTests(node: Expression): Expression {
    let result = node;
    for (;;) {
      if (this.#stream.is('operator', '|')) result = this.filters(result);
      else if (this.#stream.is('name', 'is')) result = this.#test(result);
      else if (this.#stream.is('operator', '(')) result = this.#call(result);
      else return result;
    }
  }

  #subscript(object: Expression): Expression {
    const token = this.#stream.next();
    const { line } = token;
    if (token.text === '.') {
      const attribute = this.#stream.next();
      if (attribute.type === 'name') return { kind: 'Getattr', object, name: attribute.text, line };
      if (attribute.number?.kind !== 'int') throw this.#stream.error('expected name or number', attribute.line);
      return { kind: 'Getitem', object, key: { kind: 'Const', value: numberOf(attribute.number), line: attribute.line }, line };
    }
    const keys: Expression[] = [];
    while (!this.#stream.is('operator', ']')) {
      if (keys.length > 0) this.#stream.expect('operator', ',');
      keys.push(this.#key());
    }
    this.#stream.next();
    const [key] = keys;
    return { kind: 'Getitem', object, key: keys.length === 1 && key !== undefined ? key : { kind: 'Tuple', items: keys, line }, line };
  }

  #key(): Expression {
    const { line } = this.#stream.current;
    const start = this.#stream.is('operator', ':') ? undefined : this.expression();
    if (start !== undefined && !this.#stream.is('operator', ':')) return start;
    this.#stream.next();
    const stop = this.#stream.is('operator', ':', ']', ',') ? undefined : this.expression();
    const hasStep = this.#stream.skip('operator', ':');
    const step = !hasStep || this.#stream.is('operator', ']', ',') ? undefined : this.expression();
    const slice: SliceNode = { kind: 'Slice', start, stop, step, line };
    return slice;
  }

  #call(callee: Expression): Call {
    const { line } = this.#stream.current;
    return { kind: 'Call', callee, ...this.#callArguments(), line };
  }

  #callArguments(): CallArguments {
    const { line } = this.#stream.expect('operator', '(');
    const args: Expression[] = [];
    const keywords: Keyword[] = [];
    let rest: Expression | undefined;
    let restKeywords: Expression | undefined;
    const ensure = (allowed: boolean): void => {
      if (!allowed) throw this.#stream.error('invalid syntax for function call expression', line);
    };
    this.#listed(')', () => {
      if (this.#stream.skip('operator', '*')) {
        ensure(rest === undefined && restKeywords === undefined);
        rest = this.expression();
      } else if (this.#stream.skip('operator', '**')) {
        ensure(restKeywords === undefined);
        restKeywords = this.expression();
      } else if (this.#stream.is('name') && this.#stream.following.type === 'operator' && this.#stream.following.text === '=') {
        ensure(restKeywords === undefined);
        const key = this.#stream.next().text;
        this.#stream.next();
        if (keywords.some((keyword) => keyword.key === key)) throw this.#stream.error(`keyword argument repeated: ${key}`, line);
        keywords.push({ key, value: this.expression() });
      } else {
        ensure(rest === undefined && restKeywords === undefined && keywords.length === 0);
        args.push(this.expression());
      }
    });
    return { args, keywords, rest, restKeywords };
  }

  #dottedName(): Token {
    const token = this.#stream.expect('name');
    let { text } = token;
    while (this.#stream.skip('operator', '.')) text += `.${this.#stream.expect('name').text}`;
    return { ...token, text };
  }

  #optionalArguments(): CallArguments {
    return this.#stream.is('operator', '(') ? this.#callArguments() : { args: [], keywords: [], rest: undefined, restKeywords: undefined };
  }

  #filter(target: Expression | undefined): Filter {
    const { text: name, line } = this.#dottedName();
    return { kind: 'Filter', target, name, ...this.#optionalArguments(), line };
  }

  /** Filters behind `target`, each with its bar. */
  filters(target: Expression): Expression {
    let node = target;
    while (this.#stream.skip('operator', '|')) node = this.#filter(node);
    return node;
  }

  /** The filters of a block: `first` without a bar, the others with theirs. */
  blockFilters(first: 'inline' | 'bar'): Filter | undefined {
    let node: Filter | undefined = first === 'inline' ? this.#filter(undefined) : undefined;
    while (this.#stream.skip('operator', '|')) node = this.#filter(node);
    return node;
  }

  #test(target: Expression): Expression {
    const { line } = this.#stream.next();
    const negated = this.#stream.skip('name', 'not');
    const { text: name } = this.#dottedName();
    const test: Test = { kind: 'Test', target, name, ...this.#testArguments(), line };
    return negated ? { kind: 'Unary', operator: 'not', operand: test, line } : test;
  }

  #testArguments(): CallArguments {
    const stream = this.#stream;
    const startsOperand = stream.is('name') || stream.is('string') || stream.is('number') || stream.is('operator', '[', '{');
    if (stream.is('operator', '(') || !startsOperand || stream.is('name', 'else', 'or', 'and')) return this.#optionalArguments();
    if (stream.is('name', 'is')) throw stream.error('You cannot chain multiple tests with is');
    return { args: [this.#postfix(this.primary())], keywords: [], rest: undefined, restKeywords: undefined };
  }
}

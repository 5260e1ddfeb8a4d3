import { Float } from '../values/value.ts';
import { integer } from '../values/integer.ts';
import type { Call, CallArguments, Expression, Filter, Keyword, NamespaceTarget, SliceNode, Test } from './ast.ts';
import { describeToken, type NumberValue, type Token } from './token.ts';
import type { TokenStream } from './token-stream.ts';

const CONSTANTS: Record<string, boolean | null> = { true: true, True: true, false: false, False: false, none: null, None: null };

function numberOf(number: NumberValue): number | bigint | Float {
  return number.kind === 'int' ? integer(number.value) : new Float(number.value);
}

/** Reads whole expressions, which stand in brackets and between them. */
interface ExpressionReader {
  expression(): Expression;
  /** What stands in parentheses: an expression or a tuple, which may be empty. */
  parenthesized(): Expression;
}

/** Reads operands: names and literals, and the subscripts, calls, filters and tests behind them. */
export class OperandParser {
  readonly #stream: TokenStream;
  readonly #reader: ExpressionReader;

  constructor(stream: TokenStream, reader: ExpressionReader) {
    this.#stream = stream;
    this.#reader = reader;
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
      const node = this.#stream.nested(() => this.#reader.parenthesized());
      this.#stream.expect('operator', ')');
      return node;
    }
    if (this.#stream.skip('operator', '[')) return { kind: 'List', items: this.#listed(']', () => this.#reader.expression()), line };
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
    const key = this.#reader.expression();
    this.#stream.expect('operator', ':');
    return { key, value: this.#reader.expression() };
  }

  /** Subscripts and calls behind `node`. */
  postfix(node: Expression): Expression {
    let result = node;
    for (;;) {
      if (this.#stream.is('operator', '.', '[')) result = this.#subscript(result);
      else if (this.#stream.is('operator', '(')) result = this.#call(result);
      else return result;
    }
  }

  /** Filters, tests and calls behind `node`. */
  filtersAndTests(node: Expression): Expression {
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
    const start = this.#stream.is('operator', ':') ? undefined : this.#reader.expression();
    if (start !== undefined && !this.#stream.is('operator', ':')) return start;
    this.#stream.next();
    const stop = this.#stream.is('operator', ':', ']', ',') ? undefined : this.#reader.expression();
    const hasStep = this.#stream.skip('operator', ':');
    const step = !hasStep || this.#stream.is('operator', ']', ',') ? undefined : this.#reader.expression();
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
        rest = this.#reader.expression();
      } else if (this.#stream.skip('operator', '**')) {
        ensure(restKeywords === undefined);
        restKeywords = this.#reader.expression();
      } else if (this.#stream.is('name') && this.#stream.following.type === 'operator' && this.#stream.following.text === '=') {
        ensure(restKeywords === undefined);
        const key = this.#stream.next().text;
        this.#stream.next();
        if (keywords.some((keyword) => keyword.key === key)) throw this.#stream.error(`keyword argument repeated: ${key}`, line);
        keywords.push({ key, value: this.#reader.expression() });
      } else {
        ensure(rest === undefined && restKeywords === undefined && keywords.length === 0);
        args.push(this.#reader.expression());
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
    return { args: [this.postfix(this.primary())], keywords: [], rest: undefined, restKeywords: undefined };
  }
}

import type { TemplateError } from '../errors.ts';
import type { Callee, Expression, Name, NameUse, Statement } from './ast.ts';
import { tokenize } from './lexer.ts';
import { ExpressionParser, type TupleOptions } from './parse-expression.ts';
import { TokenStream } from './token-stream.ts';

const RESERVED = new Set(['true', 'false', 'none', 'True', 'False', 'None']);

class Parser {
  readonly #stream: TokenStream;
  readonly #expressions: ExpressionParser;
  /** The tags that are open, and what ends each of them. */
  readonly #open: { readonly tag: string; readonly ends: readonly string[] }[] = [];

  constructor(source: string) {
    this.#stream = new TokenStream(tokenize(source));
    this.#expressions = new ExpressionParser(this.#stream);
  }

  template(): Statement[] {
    return this.#body([]);
  }

  /** Statements up to a tag of `ends`, which is then the current token; up to the template's end where there is none. */
  #body(ends: readonly string[]): Statement[] {
    const body: Statement[] = [];
    let items: Expression[] = [];
    const flush = (): void => {
      if (items[0] !== undefined) body.push({ kind: 'Output', items, line: items[0].line });
      items = [];
    };
    while (!this.#stream.is('end')) {
      const token = this.#stream.next();
      if (token.type === 'data') items.push({ kind: 'TemplateData', data: token.text, line: token.line });
      else if (token.type === 'variable-begin') {
        items.push(this.#expressions.tuple());
        this.#stream.expect('variable-end');
      } else {
        flush();
        if (this.#stream.is('name', ...ends) && ends.length > 0) return body;
        body.push(this.#stream.nested(() => this.#statement()));
        this.#stream.expect('block-end');
      }
    }
    flush();
    if (ends.length > 0) throw this.#unexpected(undefined);
    return body;
  }

  /** The body of the tag that is being read, with its end tag. @returns the tag that ended it. */
  #block(tag: string, ends: readonly string[]): { body: Statement[]; end: string } {
    this.#stream.skip('operator', ':');
    this.#stream.expect('block-end');
    this.#open.push({ tag, ends });
    const body = this.#body(ends);
    this.#open.pop();
    return { body, end: this.#stream.next().text };
  }

  #unexpected(tag: string | undefined, line?: number): TemplateError {
    const innermost = this.#open.at(-1);
    const parts = [tag === undefined ? 'Unexpected end of template.' : `Encountered unknown tag '${tag}'.`];
    if (innermost !== undefined) {
      const wanted = innermost.ends.map((end) => `'${end}'`).join(' or ');
      const isNested = tag !== undefined && this.#open.some(({ ends }) => ends.includes(tag));
      parts.push(
        isNested
          ? `You probably made a nesting mistake. Jinja is expecting this tag, but currently looking for ${wanted}.`
          : `Jinja was looking for the following tags: ${wanted}.`,
      );
      parts.push(`The innermost block that needs to be closed is '${innermost.tag}'.`);
    }
    return this.#stream.error(parts.join(' '), line);
  }

  #statement(): Statement {
    const { line, type, text } = this.#stream.current;
    if (type !== 'name') throw this.#stream.error('tag name expected');
    const parse = this.#statements[text];
    if (parse === undefined || !Object.hasOwn(this.#statements, text)) throw this.#unexpected(text, line);
    this.#stream.next();
    return parse(line);
  }

  readonly #statements: Record<string, (line: number) => Statement> = {
    for: (line) => this.#for(line),
    if: (line) => this.#if(line),
    set: (line) => this.#set(line),
    macro: (line) => ({ kind: 'Macro', name: this.#targetName(), ...this.#callee('macro', this.#parameters()), line }),
    call: (line) => this.#call(line),
    generation: (line) => ({ kind: 'CallBlock', call: undefined, ...this.#callee('generation', { parameters: [], defaults: [] }), line }),
    filter: (line) => this.#filter(line),
    with: (line) => this.#with(line),
    block: (line) => this.#namedBlock(line),
    autoescape: (line) => ({
      kind: 'Autoescape',
      enabled: this.#expressions.expression(),
      body: this.#block('autoescape', ['endautoescape']).body,
      line,
    }),
    print: (line) => this.#print(line),
    break: (line) => ({ kind: 'LoopControl', control: 'break', line }),
    continue: (line) => ({ kind: 'LoopControl', control: 'continue', line }),
    extends: (line) => ({ kind: 'Load', tag: 'extends', template: this.#expressions.expression(), names: [], line }),
    include: (line) => this.#include(line),
    import: (line) => this.#import(line),
    from: (line) => this.#from(line),
  };

  #for(line: number): Statement {
    const target = this.#target('store', { simplified: true, endsAt: 'in' });
    this.#stream.expect('name', 'in');
    const iterable = this.#expressions.tuple({ withConditional: false, endsAt: 'recursive' });
    const test = this.#stream.skip('name', 'if') ? this.#expressions.expression() : undefined;
    const recursive = this.#stream.skip('name', 'recursive');
    const { body, end } = this.#block('for', ['endfor', 'else']);
    const otherwise = end === 'else' ? this.#block('for', ['endfor']).body : [];
    return { kind: 'For', target, iterable, body, otherwise, test, recursive, line };
  }

  #if(line: number): Statement {
    const test = this.#expressions.tuple({ withConditional: false });
    const ends = ['elif', 'else', 'endif'];
    let { body, end } = this.#block('if', ends);
    const first = body;
    const elifs: Extract<Statement, { kind: 'If' }>[] = [];
    while (end === 'elif') {
      const at = this.#stream.current.line;
      const elifTest = this.#expressions.tuple({ withConditional: false });
      ({ body, end } = this.#block('if', ends));
      elifs.push({ kind: 'If', test: elifTest, body, elifs: [], otherwise: [], line: at });
    }
    const otherwise = end === 'else' ? this.#block('if', ['endif']).body : [];
    return { kind: 'If', test, body: first, elifs, otherwise, line };
  }

  #set(line: number): Statement {
    const target = this.#target('store', { simplified: true, withNamespace: true });
    if (this.#stream.skip('operator', '=')) return { kind: 'Assign', target, value: this.#expressions.tuple(), line };
    const filter = this.#expressions.operands.blockFilters('bar');
    return { kind: 'AssignBlock', target, filter, body: this.#block('set', ['endset']).body, line };
  }

  #call(line: number): Statement {
    const parameters = this.#stream.is('operator', '(') ? this.#parameters() : { parameters: [], defaults: [] };
    const call = this.#expressions.expression();
    if (call.kind !== 'Call') throw this.#stream.error('expected call', line);
    return { kind: 'CallBlock', call, ...this.#callee('call', parameters), line };
  }

  #callee(tag: 'macro' | 'call' | 'generation', { parameters, defaults }: Omit<Callee, 'body'>): Callee {
    return { parameters, defaults, body: this.#block(tag, [`end${tag}`]).body };
  }

  #parameters(): Omit<Callee, 'body'> {
    const parameters: Name[] = [];
    const defaults: Expression[] = [];
    this.#stream.expect('operator', '(');
    while (!this.#stream.is('operator', ')')) {
      if (parameters.length > 0) this.#stream.expect('operator', ',');
      const { line } = this.#stream.current;
      const name = this.#targetName();
      if (this.#stream.skip('operator', '=')) defaults.push(this.#expressions.expression());
      else if (defaults.length > 0) throw this.#stream.error('non-default argument follows default argument');
      if (parameters.some((other) => other.name === name))
        throw this.#stream.error(`duplicate argument '${name}' in function definition`, line);
      parameters.push({ kind: 'Name', name, use: 'param', line });
    }
    this.#stream.next();
    return { parameters, defaults };
  }

  #filter(line: number): Statement {
    const filter = this.#expressions.operands.blockFilters('inline');
    if (filter === undefined) throw this.#stream.error('expected a filter', line);
    return { kind: 'FilterBlock', filter, body: this.#block('filter', ['endfilter']).body, line };
  }

  #with(line: number): Statement {
    const targets: Expression[] = [];
    const values: Expression[] = [];
    while (!this.#stream.is('block-end')) {
      if (targets.length > 0) this.#stream.expect('operator', ',');
      targets.push(this.#target('param', { simplified: true }));
      this.#stream.expect('operator', '=');
      values.push(this.#expressions.expression());
    }
    return { kind: 'With', targets, values, body: this.#block('with', ['endwith']).body, line };
  }

  #namedBlock(line: number): Statement {
    const name = this.#stream.expect('name').text;
    const scoped = this.#stream.skip('name', 'scoped');
    const required = this.#stream.skip('name', 'required');
    if (this.#stream.is('operator', '-')) {
      throw this.#stream.error(
        'Block names in Jinja have to be valid Python identifiers and may not contain hyphens, use an underscore instead.',
      );
    }
    const { body } = this.#block('block', ['endblock']);
    const isBlank = body.every(
      (node) => node.kind === 'Output' && node.items.every((item) => item.kind === 'TemplateData' && item.data.trim() === ''),
    );
    if (required && !isBlank) throw this.#stream.error('Required blocks can only contain comments or whitespace');
    this.#stream.skip('name', name);
    return { kind: 'Block', name, body, scoped, required, line };
  }

  #print(line: number): Statement {
    const items: Expression[] = [];
    while (!this.#stream.is('block-end')) {
      if (items.length > 0) this.#stream.expect('operator', ',');
      items.push(this.#expressions.expression());
    }
    return { kind: 'Output', items, line };
  }

  #skipContext(): boolean {
    const { following } = this.#stream;
    if (!this.#stream.is('name', 'with', 'without') || following.type !== 'name' || following.text !== 'context') return false;
    this.#stream.next();
    this.#stream.next();
    return true;
  }

  #include(line: number): Statement {
    const template = this.#expressions.expression();
    if (this.#stream.is('name', 'ignore') && this.#stream.following.text === 'missing') {
      this.#stream.next();
      this.#stream.next();
    }
    this.#skipContext();
    return { kind: 'Load', tag: 'include', template, names: [], line };
  }

  #import(line: number): Statement {
    const template = this.#expressions.expression();
    this.#stream.expect('name', 'as');
    const names = [this.#targetName()];
    this.#skipContext();
    return { kind: 'Load', tag: 'import', template, names, line };
  }

  #from(line: number): Statement {
    const template = this.#expressions.expression();
    this.#stream.expect('name', 'import');
    const names: string[] = [];
    for (;;) {
      if (names.length > 0) this.#stream.expect('operator', ',');
      if (this.#skipContext()) break;
      const name = this.#targetName();
      if (name.startsWith('_')) throw this.#stream.error('names starting with an underline can not be imported');
      names.push(this.#stream.skip('name', 'as') ? this.#targetName() : name);
      if (this.#skipContext() || !this.#stream.is('operator', ',')) break;
    }
    return { kind: 'Load', tag: 'from', template, names, line };
  }

  #targetName(): string {
    const { text, line } = this.#stream.expect('name');
    if (RESERVED.has(text)) throw this.#stream.error(`can't assign to '${text}'`, line);
    return text;
  }

  #target(use: NameUse, options: TupleOptions): Expression {
    return this.#assignable(this.#expressions.tuple(options), use);
  }

  #assignable(node: Expression, use: NameUse): Expression {
    if (node.kind === 'Name') return { ...node, use };
    if (node.kind === 'NamespaceTarget') return node;
    if (node.kind === 'Tuple') return { ...node, items: node.items.map((item) => this.#assignable(item, use)) };
    throw this.#stream.error(`can't assign to '${node.kind.toLowerCase()}'`, node.line);
  }
}

/**
 * @returns the template's statements.
 * @throws TemplateError of kind `syntax` where the text is no template.
 */
export function parseTemplate(source: string): Statement[] {
  return new Parser(source).template();
}

/** Cuts a template into tokens as jinja does with `trim_blocks` and `lstrip_blocks`. */
import { syntaxError } from '../errors.ts';
import { isSpace, SPACES, trimEnd } from '../values/text.ts';
import { isIdentifier } from '../values/unicode.ts';
import { unescapeString } from './string-literal.ts';
import type { NumberValue, Token, TokenType } from './token.ts';

const SPACE = `[${SPACES}]*`;
const RAW_BEGIN = new RegExp(String.raw`\{%([-+]?)${SPACE}raw${SPACE}(?:-%\}${SPACE}|%\})`, 'y');
const RAW_END = new RegExp(String.raw`\{%([-+]?)${SPACE}endraw${SPACE}(?:\+%\}|-%\}${SPACE}|%\}\n?)`, 'g');
const BLOCK_END = new RegExp(String.raw`\+%\}|-%\}${SPACE}|%\}\n?`, 'y');
const VARIABLE_END = new RegExp(String.raw`-\}\}${SPACE}|\}\}`, 'y');
const FLOAT = /(?<!\.)(?:\d+_)*\d+(?:(?:\.(?:\d+_)*\d+)?[eE][+-]?(?:\d+_)*\d+|\.(?:\d+_)*\d+)/y;
const INTEGER = /0[bB](?:_?[01])+|0[oO](?:_?[0-7])+|0[xX](?:_?[\da-fA-F])+|[1-9](?:_?\d)*|0(?:_?0)*/y;
const NAME = /[\p{XIDC}_]+/uy;
const STRING = /'[^'\\]*(?:\\.[^'\\]*)*'|"[^"\\]*(?:\\.[^"\\]*)*"/sy;
const OPERATOR = /\/\/|\*\*|==|!=|>=|<=|[-+/*%~[\](){}<>=.:|,;]/y;
const CLOSING: Record<string, string> = { '(': ')', '[': ']', '{': '}' };

class Lexer {
  readonly tokens: Token[] = [];
  readonly #source: string;
  #position = 0;
  #line = 1;
  #nextNewline: number;
  /** Whether what was read last ended a line: then blanks in front of a tag are its line's indent. */
  #lineStarting = true;

  constructor(source: string) {
    this.#source = source;
    this.#nextNewline = source.indexOf('\n');
  }

  run(): Token[] {
    while (this.#position < this.#source.length) this.#root();
    this.#push('end', '', this.#position);
    return this.tokens;
  }

  #lineAt(position: number): number {
    while (this.#nextNewline >= 0 && this.#nextNewline < position) {
      this.#line += 1;
      this.#nextNewline = this.#source.indexOf('\n', this.#nextNewline + 1);
    }
    return this.#line;
  }

  #push(type: TokenType, text: string, position: number, number?: NumberValue): void {
    const line = this.#lineAt(position);
    this.tokens.push(number === undefined ? { type, text, line } : { type, text, line, number });
  }

  #fail(message: string, position: number): never {
    throw syntaxError(message, this.#lineAt(position));
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#position;
    return pattern.exec(this.#source);
  }

  #advance(end: number): void {
    this.#lineStarting = this.#source[end - 1] === '\n';
    this.#position = end;
  }

  /** Reads template data up to the next tag, and that tag. */
  #root(): void {
    const start = this.#position;
    let at = this.#source.indexOf('{', start);
    while (at >= 0 && !'{%#'.includes(this.#source[at + 1] ?? ' ')) at = this.#source.indexOf('{', at + 1);
    if (at < 0) {
      this.#push('data', this.#source.slice(start), start);
      this.#position = this.#source.length;
      return;
    }
    this.#position = at;
    const raw = this.#match(RAW_BEGIN);
    const kind = this.#source[at + 1] as string;
    const sign = raw?.[1] ?? /[-+]/.exec(this.#source[at + 2] ?? '')?.[0] ?? '';
    this.#data(start, at, sign, kind !== '{');
    this.#advance(at + (raw === null ? 2 + sign.length : raw[0].length));
    if (raw !== null) this.#raw();
    else if (kind === '#') this.#comment(at);
    else this.#code(kind === '{' ? 'variable' : 'block', at);
  }

  /** Template data in front of a tag: `-` strips its end, and a tag that stands first on its line takes the blanks before it away. */
  #data(start: number, end: number, sign: string, isBlock: boolean): void {
    let text = this.#source.slice(start, end);
    if (sign === '-') text = trimEnd(text);
    else if (sign !== '+' && isBlock) {
      const lineStart = text.lastIndexOf('\n') + 1;
      const indent = text.slice(lineStart);
      if ((lineStart > 0 || this.#lineStarting) && indent !== '' && trimEnd(indent) === '') text = text.slice(0, lineStart);
    }
    if (text !== '') this.#push('data', text, start);
  }

  #raw(): void {
    const start = this.#position;
    // What opens at the template's very end is not missed.
    if (start === this.#source.length) return;
    RAW_END.lastIndex = start;
    const end = RAW_END.exec(this.#source);
    if (end === null) this.#fail('Missing end of raw directive', start);
    this.#data(start, end.index, end[1] as string, true);
    this.#advance(end.index + end[0].length);
  }

  #comment(start: number): void {
    if (this.#position === this.#source.length) return;
    const end = this.#source.indexOf('#}', this.#position);
    if (end < 0) this.#fail('Missing end of comment tag', start);
    const sign = end > this.#position ? this.#source[end - 1] : '';
    let after = end + 2;
    if (sign === '-') while (isSpace(this.#source.charCodeAt(after))) after += 1;
    else if (sign !== '+' && this.#source[after] === '\n') after += 1;
    this.#advance(after);
  }

  #code(kind: 'variable' | 'block', start: number): void {
    this.#push(`${kind}-begin`, '', start);
    const ending = kind === 'variable' ? VARIABLE_END : BLOCK_END;
    const open: string[] = [];
    while (this.#position < this.#source.length) {
      const end = open.length === 0 ? this.#match(ending) : null;
      if (end !== null) {
        this.#push(`${kind}-end`, '', this.#position);
        this.#advance(this.#position + end[0].length);
        return;
      }
      this.#token(open);
    }
  }

  #token(open: string[]): void {
    const start = this.#position;
    if (isSpace(this.#source.charCodeAt(start))) {
      this.#advance(start + 1);
      return;
    }
    const length = this.#number(start) ?? this.#name(start) ?? this.#string(start) ?? this.#operator(start, open);
    if (length === undefined)
      this.#fail(`unexpected char '${String.fromCodePoint(this.#source.codePointAt(start) as number)}' at ${start}`, start);
    this.#advance(start + length);
  }

  #number(start: number): number | undefined {
    const float = this.#match(FLOAT);
    const match = float ?? this.#match(INTEGER);
    if (match === null) return undefined;
    const digits = match[0].replaceAll('_', '');
    if (float === null && digits.length > 4300) this.#fail('Exceeds the limit (4300 digits) for integer string conversion', start);
    this.#push(
      'number',
      match[0],
      start,
      float === null ? { kind: 'int', value: BigInt(digits) } : { kind: 'float', value: Number(digits) },
    );
    return match[0].length;
  }

  #name(start: number): number | undefined {
    const match = this.#match(NAME);
    if (match === null) return undefined;
    if (!isIdentifier(match[0])) this.#fail('Invalid character in identifier', start);
    this.#push('name', match[0], start);
    return match[0].length;
  }

  #string(start: number): number | undefined {
    const match = this.#match(STRING);
    if (match === null) return undefined;
    try {
      this.#push('string', unescapeString(match[0].slice(1, -1)), start);
    } catch (error) {
      if (error instanceof RangeError) this.#fail(error.message, start);
      throw error;
    }
    return match[0].length;
  }

  #operator(start: number, open: string[]): number | undefined {
    const operator = this.#match(OPERATOR)?.[0];
    if (operator === undefined) return undefined;
    const closing = CLOSING[operator];
    if (closing !== undefined) open.push(closing);
    else if (operator === ')' || operator === ']' || operator === '}') {
      const expected = open.pop();
      if (expected === undefined) this.#fail(`unexpected '${operator}'`, start);
      if (expected !== operator) this.#fail(`unexpected '${operator}', expected '${expected}'`, start);
    }
    this.#push('operator', operator, start);
    return operator.length;
  }
}

/**
 * @returns the template's tokens; the last one is `end`. One newline at the template's end is dropped, as jinja does.
 * @throws TemplateError of kind `syntax`.
 */
export function tokenize(source: string): Token[] {
  return new Lexer(source.replaceAll(/\r\n?/g, '\n').replace(/\n$/, '')).run();
}

import { syntaxError, type TemplateError } from '../errors.ts';
import { describeToken, type Token, type TokenType } from './token.ts';

// Deeper nesting than any template has; far less than the stack holds.
const MAX_NESTING = 120;

/** The tokens of a template, read one after the other. */
export class TokenStream {
  readonly #tokens: readonly Token[];
  #index = 0;
  #nesting = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  get current(): Token {
    return this.#tokens[this.#index] as Token;
  }

  get following(): Token {
    return this.#tokens[Math.min(this.#index + 1, this.#tokens.length - 1)] as Token;
  }

  next(): Token {
    const token = this.current;
    if (this.#index < this.#tokens.length - 1) this.#index += 1;
    return token;
  }

  is(type: TokenType, ...texts: string[]): boolean {
    const { current } = this;
    return current.type === type && (texts.length === 0 || texts.includes(current.text));
  }

  skip(type: TokenType, text: string): boolean {
    if (!this.is(type, text)) return false;
    this.next();
    return true;
  }

  /** @throws TemplateError where another token is there. */
  expect(type: TokenType, text?: string): Token {
    if (text === undefined ? this.is(type) : this.is(type, text)) return this.next();
    const wanted = text ?? describeToken({ type, text: type, line: 0 });
    if (this.is('end')) throw this.error(`unexpected end of template, expected '${wanted}'.`);
    throw this.error(`expected token '${wanted}', got '${describeToken(this.current)}'`);
  }

  error(message: string, line: number = this.current.line): TemplateError {
    return syntaxError(message, line);
  }

  /** Runs `parse` one level deeper. @throws TemplateError where the template nests too deeply. */
  nested<Result>(parse: () => Result): Result {
    if (this.#nesting >= MAX_NESTING) throw this.error(`the template nests more than ${MAX_NESTING} deep`);
    this.#nesting += 1;
    const result = parse();
    this.#nesting -= 1;
    return result;
  }
}

/** The kinds of tokens that the parser sees; operators and brackets are named by themselves. */
export type TokenType =
  | 'data'
  | 'variable-begin'
  | 'variable-end'
  | 'block-begin'
  | 'block-end'
  | 'name'
  | 'string'
  | 'number'
  | 'operator'
  | 'end';

export interface Token {
  readonly type: TokenType;
  /** The text: of a name, of an operator, of a string without its quotes and escapes, of template data. */
  readonly text: string;
  readonly line: number;
  /** Value of a number. */
  readonly number?: NumberValue;
}

/** An int, or a float as its double. */
export type NumberValue = { readonly kind: 'int'; readonly value: bigint } | { readonly kind: 'float'; readonly value: number };

/** @returns the token as an error message names it. */
export function describeToken(token: Token): string {
  const names: Partial<Record<TokenType, string>> = {
    data: 'template data / text',
    'variable-begin': 'begin of print statement',
    'variable-end': 'end of print statement',
    'block-begin': 'begin of statement block',
    'block-end': 'end of statement block',
    string: 'string',
    number: 'number',
    end: 'end of template',
  };
  return names[token.type] ?? token.text;
}

import { numberLiteral } from './integer.ts';

const FLOAT = /^[+-]?(?:(?:\d+(?:_\d+)*)(?:\.(?:\d+(?:_\d+)*)?)?|\.\d+(?:_\d+)*)(?:[eE][+-]?\d+(?:_\d+)*)?$/;

/** @returns Python's `float(text)`, or undefined where the text is no number. */
export function parseFloatText(text: string): number | undefined {
  const literal = numberLiteral(text);
  if (FLOAT.test(literal)) return Number(literal.replaceAll('_', ''));
  const word = /^([+-]?)(inf|infinity|nan)$/i.exec(literal);
  if (word === null) return undefined;
  if ((word[2] as string).toLowerCase() === 'nan') return Number.NaN;
  return word[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
}

import { floatText } from '../../core/python-json.ts';

const NAMES = new Map([
  ['True', 'true'],
  ['False', 'false'],
  ['None', 'null'],
  ['true', 'true'],
  ['false', 'false'],
  ['null', 'null'],
]);
const DECIMAL = /^\d+$/;
const BASED = /^0(?:[xX][\da-fA-F]+|[oO][0-7]+|[bB][01]+)$/;
const FLOAT = /^(?:\d+\.\d*|\.\d+|\d+(?=[eE]))(?:[eE][-+]?\d+)?$/;
const MAX_DIGITS = 4300;

/**
 * The JSON of a Python number, or of one of the names that JSON has too (in either spelling); null for anything else. Leading zeros are
 * taken for what they seem to mean.
 */
export function scalarJson(text: string): string | null {
  const name = NAMES.get(text);
  if (name !== undefined) return name;
  const signs = /^[-+]*/.exec(text)?.[0] ?? '';
  const digits = text.slice(signs.length).replace(/(?<=[\da-fA-F])_(?=[\da-fA-F])/g, '');
  const negative = signs.replaceAll('+', '').length % 2 === 1;
  if (digits.length <= MAX_DIGITS && (DECIMAL.test(digits) || BASED.test(digits))) {
    const value = BigInt(digits);
    return (negative ? -value : value).toString();
  }
  if (!FLOAT.test(digits)) return null;
  return floatText(negative ? -Number(digits) : Number(digits));
}

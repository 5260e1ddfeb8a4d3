import { badRequest } from '../../core/errors.ts';
import { PythonNumber, type PythonValue } from '../../core/python-json.ts';

/** JSON as libraries written in Rust (serde_json) print it: numbers differ from Python's. */

const INT64_MIN = -(2n ** 63n);
const UINT64_MAX = 2n ** 64n - 1n;

/** How a library's version of serde_json prints. */
export interface RustJsonStyle {
  readonly itemSeparator: string;
  readonly keySeparator: string;
  /** Whether a positive exponent has a sign. */
  readonly plusInExponent: boolean;
  /** Whether integers beyond 64 bits are refused; they are floats else. */
  readonly refusesBigIntegers: boolean;
}

/** No spaces; `1e+20`. */
export const COMPACT: RustJsonStyle = { itemSeparator: ',', keySeparator: ':', plusInExponent: true, refusesBigIntegers: false };

function floatText(value: number, { plusInExponent }: RustJsonStyle): string {
  if (!Number.isFinite(value)) throw badRequest('NaN, Infinity and numbers beyond 64-bit floats have no place in this prompt.');
  if (value === 0) return Object.is(value, -0) ? '-0.0' : '0.0';
  const [digits, exponentText] = value.toExponential().split('e') as [string, string];
  const exponent = Number(exponentText);
  if (exponent < -5) return `${digits}e${exponent}`;
  if (exponent > 15) return `${digits}e${plusInExponent ? '+' : ''}${exponent}`;
  const text = exponent < 0 ? value.toFixed(-exponent + digits.replace(/^-|\./g, '').length - 1).replace(/0+$/, '') : String(value);
  return text.includes('.') ? text : `${text}.0`;
}

function numberText(value: number | PythonNumber, style: RustJsonStyle): string {
  if (value instanceof PythonNumber) {
    if (value.isFloat) return floatText(Number(value.text), style);
    const integer = BigInt(value.text);
    if (integer >= INT64_MIN && integer <= UINT64_MAX) return value.text;
    if (style.refusesBigIntegers) throw badRequest('An integer of a tool or document is beyond 64 bits.');
    return floatText(Number(value.text), style);
  }
  return Number.isInteger(value) ? String(value) : floatText(value, style);
}

/** @throws ApiError (400) for numbers that JSON does not have */
export function rustJson(value: PythonValue, style: RustJsonStyle): string {
  const { itemSeparator, keySeparator } = style;
  const write = (item: PythonValue): string => {
    if (item === null || typeof item === 'boolean') return String(item);
    if (typeof item === 'string') return JSON.stringify(item);
    if (typeof item === 'number' || item instanceof PythonNumber) return numberText(item, style);
    if (Array.isArray(item)) return `[${item.map(write).join(itemSeparator)}]`;
    return `{${Array.from(item, ([key, member]) => JSON.stringify(key) + keySeparator + write(member)).join(itemSeparator)}}`;
  };
  return write(value);
}

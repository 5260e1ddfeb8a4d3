import { badRequest } from '../../../core/errors.ts';
import { PythonNumber, type PythonValue } from '../../../core/python-json.ts';

/** JSON as the Harmony library (Rust) prints it: no spaces, its own way with numbers. */

const INT64_MIN = -(2n ** 63n);
const UINT64_MAX = 2n ** 64n - 1n;

function floatText(value: number): string {
  if (!Number.isFinite(value)) throw badRequest('NaN, Infinity and numbers beyond 64-bit floats have no place in a tool definition.');
  if (value === 0) return Object.is(value, -0) ? '-0.0' : '0.0';
  const [digits, exponentText] = value.toExponential().split('e') as [string, string];
  const exponent = Number(exponentText);
  if (exponent < -5 || exponent > 15) return `${digits}e${exponent < 0 ? '-' : '+'}${Math.abs(exponent)}`;
  const text = exponent < 0 ? value.toFixed(-exponent + digits.replace(/^-|\./g, '').length - 1).replace(/0+$/, '') : String(value);
  return text.includes('.') ? text : `${text}.0`;
}

function numberText(value: number | PythonNumber): string {
  if (value instanceof PythonNumber) {
    if (value.isFloat) return floatText(Number(value.text));
    const integer = BigInt(value.text);
    return integer >= INT64_MIN && integer <= UINT64_MAX ? value.text : floatText(Number(value.text));
  }
  return Number.isInteger(value) ? String(value) : floatText(value);
}

/** @throws ApiError (400) for numbers that JSON does not have */
export function rustJson(value: PythonValue): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number' || value instanceof PythonNumber) return numberText(value);
  if (Array.isArray(value)) return `[${value.map(rustJson).join(',')}]`;
  return `{${Array.from(value, ([key, item]) => `${JSON.stringify(key)}:${rustJson(item)}`).join(',')}}`;
}

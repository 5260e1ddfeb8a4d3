import { floatText, PythonNumber } from '../../core/python-json.ts';
import { strip } from './white-space.ts';

const INTEGER = /^[+-]?\d+(?:_\d+)*$/;
const FLOAT = /^[+-]?(?:\d+(?:_\d+)*(?:\.(?:\d+(?:_\d+)*)?)?|\.\d+(?:_\d+)*)(?:[eE][+-]?\d+(?:_\d+)*)?$/;
/** Python converts no longer integers from text. */
const MAX_DIGITS = 4300;

function exactInteger(value: bigint): number | PythonNumber {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : new PythonNumber(value.toString(), false);
}

/** Python's `int(text)`: white space around, a sign and single underscores between digits are allowed. Undefined where Python raises. */
export function integerOfText(text: string): number | PythonNumber | undefined {
  const digits = strip(text);
  if (!INTEGER.test(digits) || digits.length > MAX_DIGITS) return undefined;
  return exactInteger(BigInt(digits.replaceAll('_', '').replace(/^\+/, '')));
}

/** Python's `float(text)`, an integer where the value is integral. Undefined where Python raises, and for what JSON cannot hold. */
export function numberOfText(text: string): number | PythonNumber | undefined {
  const digits = strip(text);
  if (!FLOAT.test(digits)) return undefined;
  const value = Number(digits.replaceAll('_', ''));
  if (!Number.isFinite(value)) return undefined;
  return Number.isInteger(value) ? exactInteger(BigInt(value)) : value;
}

/** Python's `float(text)`, always a float. Undefined where Python raises, and for what JSON cannot hold. */
export function floatOfText(text: string): number | PythonNumber | undefined {
  const digits = strip(text);
  if (!FLOAT.test(digits)) return undefined;
  const value = Number(digits.replaceAll('_', ''));
  if (!Number.isFinite(value)) return undefined;
  return Number.isInteger(value) ? new PythonNumber(floatText(value), true) : value;
}

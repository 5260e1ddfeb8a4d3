/** Numbers as text: Python's `repr` of floats, exact decimal digits with ties to even, and the limit on the digits of ints. */
import { LimitError, valueError } from '../errors.ts';
import { charge } from '../budget.ts';

/** Python refuses to convert longer integers from and to text. */
const MAX_INT_DIGITS = 4300;

// No decimal expansion of a double has more digits before or after its point.
const MAX_DOUBLE_DIGITS = 1100;

/** @returns `repr(value)` of a float: the shortest text that reads back as the same number. */
export function floatText(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  if (value === 0) return Object.is(value, -0) ? '-0.0' : '0.0';
  const [mantissa, power] = value.toExponential().split('e') as [string, string];
  const exponent = Number(power);
  if (exponent < -4 || exponent >= 16) return `${mantissa}e${exponentText(exponent)}`;
  const text = String(value);
  if (exponent < 0) return plainSmall(mantissa, exponent);
  return text.includes('.') ? text : `${text}.0`;
}

// JavaScript writes 1e-7 to 9e-5 differently from case to case; here the digits are placed by hand.
function plainSmall(mantissa: string, exponent: number): string {
  const sign = mantissa.startsWith('-') ? '-' : '';
  const digits = mantissa.replaceAll(/[-.]/g, '');
  return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`;
}

/** @returns the exponent as C writes it: a sign and at least two digits. */
export function exponentText(exponent: number): string {
  return `${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

/**
 * @returns the digits of an int.
 * @throws PythonError `ValueError` beyond 4,300 digits, as Python.
 */
export function integerText(value: number | bigint): string {
  if (typeof value === 'number') return String(value);
  // 3.33 bits a digit: far too long ones are refused before they are converted.
  const text = bitLength(value) > MAX_INT_DIGITS * 4 ? undefined : String(value);
  if (text === undefined || text.length - (value < 0n ? 1 : 0) > MAX_INT_DIGITS) {
    throw valueError(
      `Exceeds the limit (${MAX_INT_DIGITS} digits) for integer string conversion; use sys.set_int_max_str_digits() to increase the limit`,
    );
  }
  charge(text.length / 8);
  return text;
}

/** @throws PythonError `ValueError` where a text of `digits` digits is too long for an int. */
export function checkDigits(digits: number): void {
  if (digits > MAX_INT_DIGITS) {
    throw valueError(
      `Exceeds the limit (${MAX_INT_DIGITS} digits) for integer string conversion: value has ${digits} digits; use sys.set_int_max_str_digits() to increase the limit`,
    );
  }
}

/** @returns Python's `int.bit_length()`. */
export function bitLength(value: bigint): number {
  const hexadecimal = (value < 0n ? -value : value).toString(16);
  return value === 0n ? 0 : (hexadecimal.length - 1) * 4 + (32 - Math.clz32(Number.parseInt(hexadecimal[0] as string, 16)));
}

/** @returns the finite double `value` as the fraction numerator / 2^shift, exactly. */
function exactFraction(value: number): { numerator: bigint; shift: bigint } {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  const biased = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & 0xfffffffffffffn;
  const mantissa = biased === 0 ? fraction : fraction | 0x10000000000000n;
  const exponent = (biased === 0 ? 1 : biased) - 1075;
  return exponent >= 0 ? { numerator: mantissa << BigInt(exponent), shift: 0n } : { numerator: mantissa, shift: BigInt(-exponent) };
}

/** @returns `numerator / denominator`, both positive, as the nearest integer, ties to the even one. */
export function divideToEven(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator;
  const twice = (numerator % denominator) * 2n;
  const up = twice > denominator || (twice === denominator && (quotient & 1n) === 1n);
  return up ? quotient + 1n : quotient;
}

/** @returns |value| × 10^places as the nearest integer, exactly rounded, ties to even. `places` may be negative. */
export function scaledDigits(value: number, places: number): bigint {
  const { numerator, shift } = exactFraction(Math.abs(value));
  if (places >= 0) return divideToEven(numerator * 10n ** BigInt(places), 1n << shift);
  if (places < -400) return 0n;
  return divideToEven(numerator, (10n ** BigInt(-places)) << shift);
}

/** @returns |value| with `precision` digits after the point, exactly rounded. `value` is finite. */
export function fixedDigits(value: number, precision: number): string {
  checkPrecision(precision);
  const exact = Math.min(precision, MAX_DOUBLE_DIGITS);
  const digits = String(scaledDigits(value, exact)).padStart(exact + 1, '0');
  const zeros = '0'.repeat(precision - exact);
  return precision === 0 ? digits : `${digits.slice(0, digits.length - exact)}.${digits.slice(digits.length - exact)}${zeros}`;
}

/** @returns |value| as `count` significant digits and the exponent of the first one, exactly rounded. `value` is finite, `count` at least 1. */
export function significantDigits(value: number, count: number): { digits: string; exponent: number } {
  checkPrecision(count);
  if (value === 0) return { digits: '0'.repeat(count), exponent: 0 };
  const exact = Math.min(count, MAX_DOUBLE_DIGITS);
  let exponent = Number(value.toExponential().split('e')[1]);
  let digits = String(scaledDigits(value, exact - 1 - exponent));
  // Rounding up to the next power of ten, or a shortest form that had rounded there already.
  if (digits.length > exact) exponent += 1;
  else if (digits.length < exact) exponent -= 1;
  if (digits.length !== exact) digits = String(scaledDigits(value, exact - 1 - exponent));
  return { digits: digits.padEnd(count, '0'), exponent };
}

function checkPrecision(precision: number): void {
  if (precision > 100_000) throw new LimitError('a number is asked for with more than 100,000 digits');
  charge(precision / 8);
}

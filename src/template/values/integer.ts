/** Ints of any size: numbers while they are safe integers, bigints beyond. Never -0. */
import { charge } from '../budget.ts';
import { LimitError, PythonError, valueError } from '../errors.ts';
import { bitLength, checkDigits, divideToEven } from './number-text.ts';
import { trimEnd, trimStart } from './text.ts';

/** An int as a value: a number if it is a safe integer, else a bigint. */
export type Integer = number | bigint;

/** @returns the int as a value. */
export function integer(value: bigint): Integer {
  return value >= -9007199254740991n && value <= 9007199254740991n ? Number(value) : value;
}

/**
 * @returns the integer of a double that has no fraction, exactly.
 * @throws PythonError as Python for infinities and NaN.
 */
export function integerOfFloat(value: number): Integer {
  if (Number.isNaN(value)) throw valueError('cannot convert float NaN to integer');
  if (!Number.isFinite(value)) throw new PythonError('OverflowError', 'cannot convert float infinity to integer');
  const whole = Math.trunc(value) + 0;
  return Number.isSafeInteger(whole) ? whole : BigInt(whole);
}

/**
 * @returns the nearest double.
 * @throws PythonError `OverflowError` where there is none.
 */
export function floatOfInteger(value: Integer): number {
  const float = Number(value);
  if (!Number.isFinite(float)) throw new PythonError('OverflowError', 'int too large to convert to float');
  return float;
}

export function addIntegers(left: Integer, right: Integer): Integer {
  if (typeof left === 'number' && typeof right === 'number') {
    const sum = left + right;
    if (Number.isSafeInteger(sum)) return sum;
  }
  return integer(BigInt(left) + BigInt(right));
}

export function multiplyIntegers(left: Integer, right: Integer): Integer {
  if (typeof left === 'number' && typeof right === 'number') {
    const product = left * right;
    if (Number.isSafeInteger(product)) return product + 0;
  }
  const a = BigInt(left);
  const b = BigInt(right);
  payForBits(bitLength(a) + bitLength(b));
  return integer(a * b);
}

function payForBits(bits: number): void {
  if (bits > 1_000_000) throw new LimitError('an integer has more than 1,000,000 bits');
  charge(bits / 64);
}

/** @throws PythonError `ZeroDivisionError` */
export function divideIntegers(left: Integer, right: Integer): number {
  if (right === 0) throw new PythonError('ZeroDivisionError', 'division by zero');
  if (typeof left === 'number' && typeof right === 'number') return left / right;
  const a = BigInt(left);
  const b = BigInt(right);
  const sign = a < 0n === b < 0n ? 1 : -1;
  const numerator = a < 0n ? -a : a;
  const denominator = b < 0n ? -b : b;
  // Scaled so that the quotient has more bits than a double keeps; the sticky last bit makes the second rounding exact.
  const shift = BigInt(Math.max(0, 66 - bitLength(numerator) + bitLength(denominator)));
  const quotient = (numerator << shift) / denominator;
  const sticky = (numerator << shift) % denominator === 0n ? 0n : 1n;
  const result = sign * scaleDown(quotient | sticky, Number(shift));
  if (!Number.isFinite(result)) throw new PythonError('OverflowError', 'integer division result too large for a float');
  return result;
}

function scaleDown(quotient: bigint, shift: number): number {
  const first = Math.min(shift, 1000);
  return Number(quotient) / 2 ** first / 2 ** (shift - first);
}

/** @throws PythonError `ZeroDivisionError` */
export function floorDivideIntegers(left: Integer, right: Integer): Integer {
  if (right === 0) throw new PythonError('ZeroDivisionError', 'integer division or modulo by zero');
  if (typeof left === 'number' && typeof right === 'number') {
    // The remainder is exact, so the division of what it leaves is too.
    return (left - moduloIntegers(left, right)) / right + 0;
  }
  const a = BigInt(left);
  const b = BigInt(right);
  return integer((a - flooredRemainder(a, b)) / b);
}

function flooredRemainder(left: bigint, right: bigint): bigint {
  const remainder = left % right;
  return remainder !== 0n && remainder < 0n !== right < 0n ? remainder + right : remainder;
}

function moduloIntegers(left: number, right: number): number {
  const remainder = left % right;
  return remainder !== 0 && remainder < 0 !== right < 0 ? remainder + right : remainder + 0;
}

/** @throws PythonError `ZeroDivisionError` */
export function remainderOfIntegers(left: Integer, right: Integer): Integer {
  if (right === 0) throw new PythonError('ZeroDivisionError', 'integer modulo by zero');
  if (typeof left === 'number' && typeof right === 'number') return moduloIntegers(left, right);
  return integer(flooredRemainder(BigInt(left), BigInt(right)));
}

/** @returns `base ** exponent` for an exponent that is not negative. */
export function powerOfIntegers(base: Integer, exponent: Integer): Integer {
  const a = BigInt(base);
  if (a === 0n || a === 1n) return exponent === 0 ? 1 : Number(a);
  if (a === -1n) return BigInt(exponent) % 2n === 0n ? 1 : -1;
  payForBits(bitLength(a) * Number(exponent));
  return integer(a ** BigInt(exponent));
}

/** @returns `round(value, -places)`: to a multiple of 10^places, ties to the even one. */
export function roundInteger(value: Integer, places: number): Integer {
  if (places > 5000) return 0;
  const unit = 10n ** BigInt(places);
  const magnitude = divideToEven(BigInt(value) < 0n ? -BigInt(value) : BigInt(value), unit) * unit;
  return integer(BigInt(value) < 0n ? -magnitude : magnitude);
}

const DIGITS = '0123456789abcdefghijklmnopqrstuvwxyz';

/** Unicode's other decimal digits count as those of ASCII. */
function asciiDigits(text: string): string {
  return text.replaceAll(/[^\0-\x7f]/gu, (character) => (/\p{Nd}/u.test(character) ? decimalValue(character) : character));
}

// Every block of ten decimal digits is contiguous: the value is the distance from the first that is no digit.
function decimalValue(character: string): string {
  const code = character.codePointAt(0) as number;
  let distance = 0;
  while (distance < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - distance - 1))) distance += 1;
  // Two blocks side by side (mathematical digits) start at U+1D7CE.
  return String(code >= 0x1d7ce && code <= 0x1d7ff ? (code - 0x1d7ce) % 10 : distance);
}

/** @returns the text as `int` and `float` read it: without white space around, with ASCII digits. */
export function numberLiteral(text: string): string {
  return asciiDigits(trimEnd(trimStart(text)));
}

/**
 * @returns Python's `int(text, base)`, or undefined where the text is no such int.
 * @throws PythonError `ValueError` where it has too many digits.
 */
export function parseInteger(text: string, base: number): Integer | undefined {
  const match = /^([+-]?)(0[xX]_?|0[oO]_?|0[bB]_?)?([0-9a-zA-Z]+(?:_[0-9a-zA-Z]+)*)$/.exec(numberLiteral(text));
  if (match === null) return undefined;
  const prefix = (match[2] ?? '').toLowerCase().replace('_', '');
  const prefixBase = { '0x': 16, '0o': 8, '0b': 2 }[prefix];
  const usesPrefix = prefixBase !== undefined && (base === 0 || base === prefixBase);
  const radix = usesPrefix ? prefixBase : base === 0 ? 10 : base;
  const digits = (usesPrefix ? '' : prefix) + (match[3] as string).toLowerCase().replaceAll('_', '');
  if (base === 0 && !usesPrefix && /^0+[1-9]/.test(digits)) return undefined;
  if (Array.from(digits).some((digit) => DIGITS.indexOf(digit) >= radix)) return undefined;
  const value = digitsValue(digits, radix);
  return integer(match[1] === '-' ? -value : value);
}

function digitsValue(digits: string, radix: number): bigint {
  if (radix === 10) {
    checkDigits(digits.length);
    return BigInt(digits);
  }
  const native = { 16: '0x', 8: '0o', 2: '0b' }[radix];
  if (native !== undefined) return BigInt(native + digits);
  checkDigits(digits.length);
  return Array.from(digits).reduce((value, digit) => value * BigInt(radix) + BigInt(DIGITS.indexOf(digit)), 0n);
}

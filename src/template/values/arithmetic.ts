import { checkLength, reserve, reserveItems } from '../budget.ts';
import { LimitError, PythonError, typeError } from '../errors.ts';
import { asSet, stringOf } from './compare.ts';
import { ValueSet } from './dict.ts';
import {
  addIntegers,
  divideIntegers,
  floatOfInteger,
  floorDivideIntegers,
  multiplyIntegers,
  powerOfIntegers,
  remainderOfIntegers,
  type Integer,
} from './integer.ts';
import { escapeHtml } from './markup.ts';
import { percentFormat } from './percent-format.ts';
import { undefinedError } from './repr.ts';
import { typeName } from './type-name.ts';
import { Undefined } from './undefined.ts';
import { Bytes, Float, Markup, Tuple, type Value } from './value.ts';

type BinaryOperator = '+' | '-' | '*' | '/' | '//' | '%' | '**';

/** @returns an int's number (bools count), or undefined for every other value. */
export function integerOf(value: Value): Integer | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return value;
  return typeof value === 'boolean' ? Number(value) : undefined;
}

function isFloat(left: Value, right: Value): boolean {
  return left instanceof Float || right instanceof Float;
}

/** @returns the number as a double, or undefined for what is no number. */
export function floatOf(value: Value): number | undefined {
  if (value instanceof Float) return value.value;
  const int = integerOf(value);
  return int === undefined ? undefined : floatOfInteger(int);
}

function floorModulo(left: number, right: number): number {
  const remainder = left % right;
  if (remainder === 0) return right < 0 ? -0 : 0;
  return remainder < 0 !== right < 0 ? remainder + right : remainder;
}

function floorDivide(left: number, right: number): number {
  const quotient = (left - floorModulo(left, right)) / right;
  if (quotient === 0) return left / right < 0 || Object.is(left / right, -0) ? -0 : 0;
  const floor = Math.floor(quotient);
  return quotient - floor > 0.5 ? floor + 1 : floor;
}

function floatPower(base: number, exponent: number): number {
  if (base === 0 && exponent < 0) throw new PythonError('ZeroDivisionError', '0.0 cannot be raised to a negative power');
  if (base === 1 || exponent === 0) return 1;
  if (base < 0 && Number.isFinite(base) && Number.isFinite(exponent) && !Number.isInteger(exponent)) {
    throw new LimitError('complex numbers are not supported');
  }
  if (base === -1 && !Number.isFinite(exponent) && !Number.isNaN(exponent)) return 1;
  const power = base ** exponent;
  if (!Number.isFinite(power) && Number.isFinite(base) && Number.isFinite(exponent))
    throw new PythonError('OverflowError', "(34, 'Numerical result out of range')");
  return power;
}

function floatOperation(operator: BinaryOperator, left: number, right: number): number {
  if (operator === '+') return left + right;
  if (operator === '-') return left - right;
  if (operator === '*') return left * right;
  if (operator === '**') return floatPower(left, right);
  if (right === 0)
    throw new PythonError(
      'ZeroDivisionError',
      operator === '/' ? 'float division by zero' : operator === '%' ? 'float modulo' : 'float floor division by zero',
    );
  if (operator === '/') return left / right;
  return operator === '%' ? floorModulo(left, right) : floorDivide(left, right);
}

function integerOperation(operator: BinaryOperator, left: Integer, right: Integer): Value {
  switch (operator) {
    case '+':
      return addIntegers(left, right);
    case '-':
      return addIntegers(left, typeof right === 'number' ? 0 - right : -right);
    case '*':
      return multiplyIntegers(left, right);
    case '/':
      return new Float(divideIntegers(left, right));
    case '//':
      return floorDivideIntegers(left, right);
    case '%':
      return remainderOfIntegers(left, right);
    default:
      return right < 0 ? new Float(floatPower(floatOfInteger(left), floatOfInteger(right))) : powerOfIntegers(left, right);
  }
}

function repeatCount(value: Value): number | undefined {
  const count = integerOf(value);
  if (typeof count === 'bigint') {
    if (count < 0n) return 0;
    throw new PythonError('OverflowError', "cannot fit 'int' into an index-sized integer");
  }
  return count === undefined ? undefined : Math.max(0, count);
}

function repeatItems(items: readonly Value[], count: number): Value[] {
  reserveItems(items.length * count);
  return Array.from({ length: items.length * count }, (_, index) => items[index % items.length] as Value);
}

function repeated(sequence: Value, times: Value): Value | undefined {
  const count = repeatCount(times);
  if (count === undefined) return undefined;
  const text = stringOf(sequence);
  if (text !== undefined) {
    reserve(text.length * count);
    return sequence instanceof Markup ? new Markup(text.repeat(count)) : text.repeat(count);
  }
  if (Array.isArray(sequence)) return repeatItems(sequence, count);
  if (sequence instanceof Tuple) return new Tuple(repeatItems(sequence.items, count));
  return sequence instanceof Bytes ? new Bytes(Uint8Array.from(repeatItems([...sequence.bytes], count) as number[])) : undefined;
}

function isSequence(value: Value): boolean {
  return Array.isArray(value) || value instanceof Tuple || value instanceof Bytes || stringOf(value) !== undefined;
}

function refuseToRepeat(left: Value, right: Value): undefined {
  if (!isSequence(left) && !isSequence(right)) return undefined;
  throw typeError(`can't multiply sequence by non-int of type '${typeName(isSequence(left) ? right : left)}'`);
}

/** @returns `left + right` of two strings, of which one is Markup: the other is escaped. */
function addMarkup(left: Value, right: Value): Value {
  const joined = escapeHtml(left).text + escapeHtml(right).text;
  checkLength(joined.length);
  return new Markup(joined);
}

function concatenated(left: Value, right: Value): Value | undefined {
  const first = stringOf(left);
  if (first !== undefined) {
    if (stringOf(right) !== undefined) return addMarkup(left, right);
    if (left instanceof Markup) return undefined;
    throw typeError(`can only concatenate str (not "${typeName(right)}") to str`);
  }
  if (Array.isArray(left)) {
    if (!Array.isArray(right)) throw typeError(`can only concatenate list (not "${typeName(right)}") to list`);
    reserveItems(left.length + right.length);
    return [...left, ...right];
  }
  if (left instanceof Bytes && right instanceof Bytes) return new Bytes(Buffer.concat([left.bytes, right.bytes]));
  if (!(left instanceof Tuple)) return undefined;
  if (!(right instanceof Tuple)) throw typeError(`can only concatenate tuple (not "${typeName(right)}") to tuple`);
  reserveItems(left.items.length + right.items.length);
  return new Tuple([...left.items, ...right.items]);
}

function setDifference(left: Value, right: Value): Value | undefined {
  const first = asSet(left);
  const second = asSet(right);
  if (first === undefined || second === undefined) return undefined;
  return new ValueSet(first.items().filter((item) => !second.has(item)));
}

function sequenceOperation(operator: BinaryOperator, left: Value, right: Value): Value | undefined {
  if (operator === '+') return concatenated(left, right);
  if (operator === '*') return repeated(left, right) ?? repeated(right, left) ?? refuseToRepeat(left, right);
  return operator === '-' ? setDifference(left, right) : undefined;
}

/**
 * @returns Python's `left operator right`.
 * @throws PythonError as Python does.
 */
export function binary(operator: BinaryOperator, left: Value, right: Value): Value {
  const a = integerOf(left);
  const b = integerOf(right);
  if (a !== undefined && b !== undefined) return integerOperation(operator, a, b);
  if (isFloat(left, right)) {
    const x = floatOf(left);
    const y = floatOf(right);
    if (x !== undefined && y !== undefined) return new Float(floatOperation(operator, x, y));
  }
  if (left instanceof Undefined) throw undefinedError(left);
  if (operator === '%' && stringOf(left) !== undefined) return percentFormat(left, right);
  if (right instanceof Undefined) throw undefinedError(right);
  const result = sequenceOperation(operator, left, right);
  if (result !== undefined) return result;
  throw typeError(
    `unsupported operand type(s) for ${operator === '**' ? '** or pow()' : operator}: '${typeName(left)}' and '${typeName(right)}'`,
  );
}

/** @returns Python's `left + right`; the two usual cases come first. */
export function add(left: Value, right: Value): Value {
  if (typeof left === 'string' && typeof right === 'string') {
    checkLength(left.length + right.length);
    return left + right;
  }
  if (typeof left === 'number' && typeof right === 'number') {
    const sum = left + right;
    if (Number.isSafeInteger(sum)) return sum;
  }
  return binary('+', left, right);
}

/**
 * @returns Python's `-value`, or `+value`.
 * @throws PythonError `TypeError` where it is no number.
 */
export function unary(operator: '-' | '+', value: Value): Value {
  if (value instanceof Undefined) throw undefinedError(value);
  if (value instanceof Float) return operator === '-' ? new Float(-value.value) : value;
  const int = integerOf(value);
  if (int === undefined) throw typeError(`bad operand type for unary ${operator}: '${typeName(value)}'`);
  if (operator === '+') return int;
  return typeof int === 'number' ? 0 - int : addIntegers(-int, 0);
}

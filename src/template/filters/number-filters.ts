import { PythonError, filterArgumentError, typeError } from '../errors.ts';
import { binary, floatOf, integerOf } from '../values/arithmetic.ts';
import type { Arguments } from '../values/callable.ts';
import { stringOf } from '../values/compare.ts';
import { integerOfFloat, multiplyIntegers, parseInteger, roundInteger } from '../values/integer.ts';
import { indexArgument } from '../values/method.ts';
import { fixedDigits, scaledDigits } from '../values/number-text.ts';
import { parseFloatText } from '../values/parse-float.ts';
import { repr, undefinedError } from '../values/repr.ts';
import { typeName } from '../values/type-name.ts';
import { Undefined } from '../values/undefined.ts';
import { Float, type Value } from '../values/value.ts';
import { filter, type NamedFilter } from './filter.ts';

/** @returns the value as a float: a number, or a text that is one; undefined for everything else. */
function toFloat(value: Value): number | undefined {
  if (value instanceof Undefined) throw undefinedError(value);
  const characters = stringOf(value);
  return characters === undefined ? floatOf(value) : parseFloatText(characters);
}

function toInteger(value: Value, base: number): Value | undefined {
  if (value instanceof Undefined) throw undefinedError(value);
  const characters = stringOf(value);
  if (characters !== undefined) return base === 0 || (base >= 2 && base <= 36) ? parseInteger(characters, base) : undefined;
  if (value instanceof Float) return Number.isNaN(value.value) ? undefined : integerOfFloat(value.value);
  return integerOf(value);
}

function intFilter([value, fallback = 0, base = 10]: Arguments): Value {
  const int = parsedInteger(value as Value, indexArgument(base));
  if (int !== undefined) return int;
  const float = toFloat(value as Value);
  return float === undefined || !Number.isFinite(float) ? fallback : integerOfFloat(float);
}

/** A text with too many digits is no int to the filter; it may be a float. */
function parsedInteger(value: Value, base: number): Value | undefined {
  try {
    return toInteger(value, base);
  } catch (error) {
    if (error instanceof PythonError && error.pythonType === 'ValueError') return undefined;
    throw error;
  }
}

function floatFilter([value, fallback = new Float(0)]: Arguments): Value {
  const float = toFloat(value as Value);
  return float === undefined ? fallback : new Float(float);
}

function absolute([value]: Arguments): Value {
  if (value instanceof Float) return new Float(Math.abs(value.value));
  const int = integerOf(value as Value);
  if (int === undefined) throw typeError(`bad operand type for abs(): '${typeName(value as Value)}'`);
  return int < 0 ? multiplyIntegers(int, -1) : int;
}

/** @returns Python's `round(value, places)` of a float. */
function roundFloat(value: number, places: number): number {
  if (!Number.isFinite(value) || places > 400) return value;
  const magnitude =
    places >= 0 ? Number(fixedDigits(value, places)) : Number(scaledDigits(value, places) * 10n ** BigInt(Math.min(-places, 400)));
  if (!Number.isFinite(magnitude)) throw new PythonError('OverflowError', 'rounded value too large to represent');
  return value < 0 || Object.is(value, -0) ? -magnitude : magnitude;
}

function round(value: Value, places: number): Value {
  if (value instanceof Float) return new Float(roundFloat(value.value, places));
  const int = integerOf(value);
  if (int === undefined) throw typeError(`type ${typeName(value)} doesn't define __round__ method`);
  return places >= 0 ? int : roundInteger(int, -places);
}

function roundFilter([value, precision = 0, method = 'common']: Arguments): Value {
  if (method !== 'common' && method !== 'ceil' && method !== 'floor') throw filterArgumentError('method must be common, ceil or floor');
  if (method === 'common') return round(value as Value, indexArgument(precision));
  const unit = binary('**', 10, precision);
  const scaled = binary('*', value as Value, unit);
  return binary('/', wholeNumber(scaled, method), unit);
}

function wholeNumber(value: Value, method: 'ceil' | 'floor'): Value {
  const int = integerOf(value);
  if (int !== undefined) return int;
  if (!(value instanceof Float)) throw typeError(`must be real number, not ${typeName(value)}`);
  return integerOfFloat(Math[method](value.value));
}

function fileSize([value, binaryUnits = false]: Arguments): Value {
  const bytes = toFloat(value as Value);
  if (bytes === undefined) {
    if (stringOf(value as Value) !== undefined)
      throw new PythonError('ValueError', `could not convert string to float: ${repr(value as Value)}`);
    throw typeError(`float() argument must be a string or a real number, not '${typeName(value as Value)}'`);
  }
  const isBinary = binaryUnits !== false && binaryUnits !== null && binaryUnits !== 0;
  const base = isBinary ? 1024 : 1000;
  if (bytes === 1) return '1 Byte';
  if (bytes < base) return `${repr(integerOfFloat(bytes))} Bytes`;
  const prefixes = ['k', 'M', 'G', 'T', 'P', 'E', 'Z', 'Y'];
  let index = prefixes.findIndex((_prefix, power) => bytes < base ** (power + 2));
  if (index < 0) index = prefixes.length - 1;
  const shown = (base * bytes) / base ** (index + 2);
  const digits = Number.isFinite(shown) ? fixedDigits(shown, 1) : Number.isNaN(shown) ? 'nan' : 'inf';
  const prefix = prefixes[index] as string;
  return `${digits} ${isBinary ? `${prefix.toUpperCase()}iB` : `${prefix}B`}`;
}

/** Filters on numbers. */
export const numberFilters: readonly NamedFilter[] = [
  filter('int', 'value default? base?', intFilter),
  filter('float', 'value default?', floatFilter),
  filter('abs', 'x', absolute),
  filter('round', 'value precision? method?', roundFilter),
  filter('filesizeformat', 'value binary?', fileSize),
];

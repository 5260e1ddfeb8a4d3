import type { Integer } from '../values/integer.ts';
import { integer } from '../values/integer.ts';
import { method, type Method } from '../values/method.ts';
import { bitLength } from '../values/number-text.ts';
import { Float, Tuple, type Value } from '../values/value.ts';

function magnitude(value: Integer): bigint {
  return value < 0 ? -BigInt(value) : BigInt(value);
}

/** @returns the attribute of an int that is no method. */
export function integerAttribute(value: Integer, name: string): Value | undefined {
  if (name === 'real' || name === 'numerator') return value;
  if (name === 'imag') return 0;
  return name === 'denominator' ? 1 : undefined;
}

/** @returns the attribute of a float that is no method. */
export function floatAttribute(value: Float, name: string): Value | undefined {
  if (name === 'real') return value;
  return name === 'imag' ? new Float(0) : undefined;
}

/** Python's methods of `int`. */
export const integerMethods: ReadonlyMap<string, Method<Integer>> = new Map([
  ['bit_length', method<Integer>('bit_length', '', (self) => bitLength(magnitude(self)))],
  ['bit_count', method<Integer>('bit_count', '', (self) => magnitude(self).toString(2).replaceAll('0', '').length)],
  ['conjugate', method<Integer>('conjugate', '', (self) => self)],
  ['as_integer_ratio', method<Integer>('as_integer_ratio', '', (self) => new Tuple([self, 1]))],
]);

function integerRatio(value: number): Tuple {
  let shift = 0;
  let scaled = value;
  while (!Number.isInteger(scaled)) {
    scaled *= 2;
    shift += 1;
  }
  return new Tuple([integer(BigInt(scaled)), integer(1n << BigInt(shift))]);
}

/** Python's methods of `float`. */
export const floatMethods: ReadonlyMap<string, Method<Float>> = new Map([
  ['is_integer', method<Float>('is_integer', '', (self) => Number.isInteger(self.value))],
  ['conjugate', method<Float>('conjugate', '', (self) => self)],
  ['as_integer_ratio', method<Float>('as_integer_ratio', '', (self) => integerRatio(self.value))],
]);

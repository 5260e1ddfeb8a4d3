import { z } from 'zod';
import { PythonNumber } from '../core/python-json.ts';
import { integerSchemas, readInteger } from './lax.ts';

const INT64_MIN = -(2n ** 63n);
const INT64_MAX = 2n ** 63n - 1n;

function exactInteger(value: unknown): bigint | undefined {
  if (value instanceof PythonNumber) return value.isFloat ? undefined : BigInt(value.text);
  if (typeof value === 'string' && /^\s*[+-]?\d+\s*$/.test(value)) return BigInt(value.trim().replace(/^\+/, ''));
  const read = readInteger(value);
  return read === undefined ? undefined : BigInt(read);
}

/**
 * A 64-bit integer, a PythonNumber beyond 2^53. A JavaScript number of 2^63 may be the largest one, rounded up: it passes here, and
 * {@link isInt64} decides on its digits.
 */
export const int64: z.ZodType<number | PythonNumber> = z
  .unknown()
  .transform((value, context): number | PythonNumber => {
    const read = exactInteger(value);
    if (read === undefined) context.addIssue({ code: 'custom', message: 'Input should be a valid integer', input: value });
    else if (read > INT64_MAX && (typeof value !== 'number' || read > INT64_MAX + 1n))
      context.addIssue({ code: 'custom', message: `Input should be less than or equal to ${INT64_MAX}`, input: value });
    else if (read < INT64_MIN)
      context.addIssue({ code: 'custom', message: `Input should be greater than or equal to ${INT64_MIN}`, input: value });
    else return Number.isSafeInteger(Number(read)) ? Number(read) : new PythonNumber(read.toString(), false);
    return z.NEVER;
  })
  .meta({ anyOf: [{ type: 'integer', minimum: Number(INT64_MIN), maximum: Number(INT64_MAX) }, ...integerSchemas().slice(1)] });

/** Whether the digits are those of a 64-bit integer. */
export function isInt64(digits: string): boolean {
  const value = BigInt(digits);
  return value >= INT64_MIN && value <= INT64_MAX;
}

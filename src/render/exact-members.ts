import { invalidBody } from '../core/errors.ts';
import { PythonNumber } from '../core/python-json.ts';
import { readExtraArgument } from '../protocol/extra-arguments.ts';
import type { ExtraArgument } from '../protocol/extra-arguments.ts';
import { isInt64 } from '../protocol/int64.ts';
import type { RawJson } from './raw-json.ts';

/** Values of a request that pass through this server, or reach templates and grammars, as the body's text has them. */

/** A value inside the body, or the plain value where JavaScript has lost nothing of it. */
export function exactly<T>(raw: RawJson | null, plain: T, ...path: readonly (string | number)[]): T {
  if (raw === null || plain === null || plain === undefined) return plain;
  let part: RawJson | undefined = raw;
  for (const step of path) part = typeof step === 'string' ? part?.member(step) : part?.item(step);
  return (part?.lossless() ?? plain) as T;
}

/** The members of an exact object as a plain one; their values stay exact. */
export function exactMembers(
  raw: RawJson | null,
  plain: Readonly<Record<string, unknown>> | null,
  name: string,
): Record<string, unknown> | null {
  if (plain === null) return null;
  const value: unknown = exactly<unknown>(raw, plain, name);
  return value instanceof Map ? Object.fromEntries(value) : { ...plain };
}

/**
 * A 64-bit integer of the request with all its digits.
 * @throws ApiError 400 where it has only just more than 64 bits
 */
export function exactInt64<T>(raw: RawJson | null, plain: T, name: string): T | PythonNumber {
  if (Number.isSafeInteger(plain)) return plain;
  const value: unknown = exactly<unknown>(raw, plain, name);
  if (!(value instanceof PythonNumber) || value.isFloat) return plain;
  if (!isInt64(value.text)) throw invalidBody(`1 validation error:\n  body.${name}: Input should be a 64-bit integer`, `body.${name}`);
  return value;
}

/** The engine's extra arguments, floats and large integers as they came; null where there are none. */
export function exactExtraArguments(
  raw: RawJson | null,
  plain: Record<string, ExtraArgument> | null,
): Record<string, ExtraArgument> | null {
  if (plain === null || Object.keys(plain).length === 0) return null;
  const value: unknown = exactly<unknown>(raw, plain, 'vllm_xargs');
  if (!(value instanceof Map)) return plain;
  return Object.fromEntries(Array.from(value, ([name, argument]) => [name, readExtraArgument(argument) ?? plain[name] ?? '']));
}

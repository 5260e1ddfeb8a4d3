import { invalidBody } from '../core/errors.ts';
import { PythonNumber, tryLoads } from '../core/python-json.ts';
import type { PythonValue } from '../core/python-json.ts';
import { isInt64, readExtraArgument } from '../protocol/sampling-members.ts';
import type { ExtraArgument } from '../protocol/sampling-members.ts';

/**
 * Values of a request that pass through this server, or reach templates and grammars, read again from the body's text without loss:
 * `1.0` stays apart from `1`, large integers are exact, members that look like numbers keep their place.
 */
export type ExactBody = ReadonlyMap<string, PythonValue>;

/** Literals that JavaScript may lose: floats of integral value, integers beyond 2^53, keys that look like array indexes. */
const LOSSY = /[:[,]\s*-?(?:\d{16,}|\d+\.0*(?![\d.])|\d+(?:\.\d+)?[eE])|"\d+"\s*:/;

/** The members whose values are kept as they came. */
const PASSED_ON = [
  ...['tools', 'chat_template_kwargs', 'kv_transfer_params', 'ec_transfer_params', 'vllm_xargs', 'structured_outputs', 'response_format'],
  ...['seed', 'priority'],
];

/**
 * The body read without loss, or null where that makes no difference: most bodies have no such members, or nothing to lose in them.
 * @param body the request's members
 * @param more further members whose values are kept
 */
export function exactBody(rawBody: string, body: Readonly<Record<string, unknown>>, more: readonly string[] = []): ExactBody | null {
  if (![...PASSED_ON, ...more].some((name) => (body[name] ?? null) !== null) || !LOSSY.test(rawBody)) return null;
  const exact = tryLoads(rawBody);
  return exact instanceof Map ? exact : null;
}

/** A value inside the exact body, or the plain value where there is no exact body. */
export function exactly<T>(exact: ExactBody | null, plain: T, ...path: readonly (string | number)[]): T {
  if (exact === null || plain === null || plain === undefined) return plain;
  let value: PythonValue | ExactBody | undefined = exact;
  for (const step of path) {
    if (value instanceof Map && typeof step === 'string') value = value.get(step);
    else if (Array.isArray(value) && typeof step === 'number') value = value[step];
    else return plain;
  }
  return (value ?? plain) as T;
}

/** The members of an exact object as a plain one; their values stay exact. */
export function exactMembers(exact: ExactBody | null, plain: Readonly<Record<string, unknown>> | null, name: string): Record<string, unknown> | null {
  const value = exact?.get(name);
  if (plain === null) return null;
  return value instanceof Map ? Object.fromEntries(value) : { ...plain };
}

/**
 * A 64-bit integer of the request with all its digits.
 * @throws ApiError 400 where it has only just more than 64 bits
 */
export function exactInt64<T>(exact: ExactBody | null, plain: T, name: string): T | PythonNumber {
  const value = exact?.get(name);
  if (!(value instanceof PythonNumber) || value.isFloat) return plain;
  if (!isInt64(value.text)) throw invalidBody(`1 validation error:\n  body.${name}: Input should be a 64-bit integer`, `body.${name}`);
  return value;
}

/** The engine's extra arguments, floats and large integers as they came; null where there are none. */
export function exactExtraArguments(exact: ExactBody | null, plain: Record<string, ExtraArgument> | null): Record<string, ExtraArgument> | null {
  if (plain === null || Object.keys(plain).length === 0) return null;
  const value = exact?.get('vllm_xargs');
  if (!(value instanceof Map)) return plain;
  return Object.fromEntries(Array.from(value, ([name, argument]) => [name, readExtraArgument(argument) ?? plain[name] ?? '']));
}

import { tryLoads } from '../core/python-json.ts';
import type { PythonValue } from '../core/python-json.ts';

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

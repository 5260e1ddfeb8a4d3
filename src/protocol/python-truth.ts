import { badRequest } from '../core/errors.ts';

/** Whether Python takes a JSON value for true: empty text, lists and objects, zero, false, null and what is absent are false. */
export function truthy(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return Boolean(value) || Number.isNaN(value);
}

/**
 * The items of a value as a Python `for` would see them: a list's, a text's characters, an object's keys.
 * @throws ApiError 400 for anything else
 */
export function iterate(value: unknown, name: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (typeof value === 'string') return Array.from(value);
  if (typeof value === 'object' && value !== null) return Object.keys(value);
  throw badRequest(`\`${name}\` must be a list.`);
}

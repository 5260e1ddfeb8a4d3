import { invalidBody } from '../core/errors.ts';

/**
 * The body of a request that must have one; `null` counts as none.
 * @throws ApiError 400
 */
export function requireBody(body: unknown): unknown {
  if (body === undefined || body === null) throw invalidBody('1 validation error:\n  body: Field required', 'body');
  return body;
}

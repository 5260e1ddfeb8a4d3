import { invalidBody } from '../core/errors.ts';

/** Whether a body of this type is read as JSON before its type is judged: the reference tells bad JSON first for any `+json` type. */
export function mayHoldJson(contentType: string | undefined): boolean {
  const type = (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return type === 'application/json' || /^application\/.*\+json$/.test(type);
}

/**
 * Refuses bodies that are not `application/json`.
 * @throws ApiError 400 (not 415, as in the reference)
 */
export function checkContentType(contentType: string | undefined): void {
  const type = (contentType ?? '').toLowerCase().split(';', 1)[0];
  if (type !== 'application/json') throw invalidBody("Unsupported media type: only 'application/json' is allowed.", null);
}

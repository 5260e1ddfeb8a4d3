import { badRequest } from '../core/errors.ts';
import { truthy } from './python-truth.ts';

/** Checks that chat and completion requests make on the raw body, before its types are looked at. */

export type RawBody = Readonly<Record<string, unknown>>;

const MAX_CACHE_SALT = 128;

/** Salts end up in keys of cache backends, where some characters mean something else. */
export function checkCacheSalt(body: RawBody): void {
  const salt = body['cache_salt'] ?? null;
  if (salt === null) return;
  if (typeof salt !== 'string' || salt === '') throw badRequest('`cache_salt` must be a text that is not empty.', 'cache_salt');
  if (Array.from(salt).length > MAX_CACHE_SALT || /[@/\\\0]/.test(salt)) {
    throw badRequest('`cache_salt` takes at most 128 characters, and none of "@", "/", "\\" and NUL.', 'cache_salt');
  }
}

export function checkStreamOptions(body: RawBody): void {
  if (truthy(body['stream_options']) && !truthy(body['stream'])) {
    throw badRequest('`stream_options` can only be given with `stream: true`.', 'stream_options');
  }
}

/** Counts of candidates must be numbers, and at least 0, or -1 for all. @param names the members to check, prompt_logprobs first */
export function checkLogprobCounts(body: RawBody, names: readonly ['prompt_logprobs', string]): void {
  for (const name of names) {
    const count = body[name] ?? null;
    if (count !== null && typeof count !== 'number' && typeof count !== 'boolean')
      throw badRequest(`\`${name}\` must be an integer.`, name);
  }
  for (const name of names) {
    const count = Number(body[name] ?? 0);
    if (name === 'prompt_logprobs' && truthy(body['stream']) && (count > 0 || count === -1)) {
      throw badRequest('`prompt_logprobs` cannot be had with `stream: true`.', name);
    }
    if (count < 0 && count !== -1) throw badRequest(`\`${name}\` must be at least 0, or -1 for all.`, name);
  }
}

/** The older name: `return_mm_kwargs: false` is `mm_payload: "none"`. */
export function withMmPayload(body: RawBody): RawBody {
  return body['return_mm_kwargs'] === false && !Object.hasOwn(body, 'mm_payload') ? { ...body, mm_payload: 'none' } : body;
}

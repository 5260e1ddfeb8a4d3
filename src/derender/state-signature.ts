import { createHmac, timingSafeEqual } from 'node:crypto';
import { badRequest } from '../core/errors.ts';
import type { StreamState } from '../protocol/stream-state.ts';

/** JSON text that does not depend on the order of members: clients may write a state anew. */
function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  const written = members.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`);
  return `{${written.join(',')}}`;
}

/** The state without a signature. */
export function unsigned(state: StreamState): StreamState {
  const copy = { ...state };
  delete copy.signature;
  return copy;
}

function digest(state: StreamState, request: unknown, key: string): Buffer {
  return createHmac('sha256', key)
    .update(canonicalJson(unsigned(state)))
    .update('\n')
    .update(canonicalJson(request ?? null))
    .digest();
}

/**
 * The state with an HMAC (SHA-256, base64url) over its other members and the request that came along.
 * @param request as sent, undefined or null where none was
 */
export function signState(state: StreamState, request: unknown, key: string): StreamState {
  return { ...state, signature: digest(state, request, key).toString('base64url') };
}

/**
 * Takes the signature off a state that came back.
 * @throws ApiError 400 where it is missing or does not fit
 */
export function verifyState(state: StreamState, request: unknown, key: string): StreamState {
  const given = Buffer.from(state.signature ?? '', 'base64url');
  const wanted = digest(state, request, key);
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) {
    throw badRequest(
      'invalid stream_state: its signature does not fit; send the state of the last answer unchanged, with the same request.',
    );
  }
  return unsigned(state);
}

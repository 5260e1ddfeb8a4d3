import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { badRequest } from '../core/errors.ts';
import { rememberRequests } from '../protocol/remembered-requests.ts';
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

/** Signs states and tells its own from others. */
export interface StateSigner {
  /**
   * The state with an HMAC (SHA-256, base64url) over its other members and the request that came along.
   * @param request as sent, undefined or null where none was
   */
  sign(state: StreamState, request: unknown): StreamState;
  /**
   * Takes the signature off a state that came back.
   * @throws ApiError 400 where it is missing or does not fit
   */
  verify(state: StreamState, request: unknown): StreamState;
}

/** @param key the server's secret; all servers that share streams have the same */
export function stateSigner(key: string): StateSigner {
  const requestDigest = rememberRequests((request) => createHash('sha256').update(canonicalJson(request)).digest());
  const digest = (state: StreamState, request: unknown): Buffer =>
    createHmac('sha256', key)
      .update(requestDigest(request ?? null))
      .update(canonicalJson(unsigned(state)))
      .digest();
  return {
    sign: (state, request) => ({ ...state, signature: digest(state, request).toString('base64url') }),
    verify(state, request): StreamState {
      const given = Buffer.from(state.signature ?? '', 'base64url');
      const wanted = digest(state, request);
      if (given.length === wanted.length && timingSafeEqual(given, wanted)) return unsigned(state);
      throw badRequest(
        'invalid stream_state: its signature does not fit; send the state of the last answer unchanged, with the same request.',
      );
    },
  };
}

import { expect } from 'vitest';
import type { Answer, Exchange, RecordedAnswer } from './exchange.ts';

const GENERATED =
  /^(chatcmpl-tool-|chatcmpl-|cmpl-|resp_|call_|modelperm-|toolu_|msg_|rs_|fc_)?([0-9a-f]{16}|[0-9a-f]{24}|[0-9a-f]{32})(-\d+)?$/;
const TIMES = new Set(['created', 'created_at', 'arrival_time']);
/** Answers of which only the status is the contract's. */
const STATUS_ONLY = /^\/(metrics|openapi\.json|version|docs|load)\b/;
/** The members of stream_state that say how far plain decoding came; with a parser, states differ by design. */
const STATE_MEMBERS = ['prev_tokens', 'prefix_offset', 'read_offset', 'role_sent', 'logprob_context_token_ids', 'logprob_text_offset'];

/** Replaces generated ids and times, unless the request gave them, as the recordings do. */
function masked(value: unknown, given: string, model: string, key?: string): unknown {
  if (Array.isArray(value)) return value.map((item) => masked(item, given, model, key));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, masked(item, given, model, name)]));
  }
  if (key !== undefined && TIMES.has(key) && typeof value === 'number') return '*';
  if (typeof value !== 'string') return value;
  if (value.includes(model)) return value.replaceAll(model, '<model>');
  if (given.includes(value)) return value;
  const match = GENERATED.exec(value);
  if (match) return `${match[1] ?? ''}*${match[3] ?? ''}`;
  return (key === 'id' || key === 'last_tool_call_ids') && /^[A-Za-z0-9]{9}$/.test(value) ? '*9' : value;
}

function comparableState(answer: unknown, hasParser: boolean): unknown {
  if (typeof answer !== 'object' || answer === null || !('stream_state' in answer)) return answer;
  const state = answer.stream_state as Record<string, unknown> | null;
  const shown = hasParser ? typeof state : Object.fromEntries(STATE_MEMBERS.map((name) => [name, state?.[name]]));
  return { ...answer, stream_state: shown };
}

/** The members of a `param` that the request has, without the names of the reference's classes. */
function memberPath(param: string): string {
  return param
    .split('.')
    .filter((part) => !/^[A-Z]\w*$/.test(part))
    .join('.');
}

/** Whether a `param` leads to a member of the request, or to one that is missing in an object of it. */
function namesMember(param: string, body: unknown): boolean {
  let value = body;
  const parts = memberPath(param).split('.');
  for (const part of parts[0] === 'body' ? parts.slice(1) : parts) {
    if (typeof value !== 'object' || value === null || (/^\d+$/.test(part) && !Array.isArray(value))) return false;
    value = (value as Record<string, unknown>)[part];
  }
  return true;
}

/** The sign of zero is lost on the way, as in any JSON that JavaScript writes. */
function withoutNegativeZero(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value)) as unknown;
}

interface ErrorObject {
  message?: unknown;
  type?: unknown;
  param?: unknown;
  code?: unknown;
}

function compareError(want: RecordedAnswer, got: Answer, text: string | undefined): void {
  const wanted = (want.response as { error?: ErrorObject | string } | null)?.error;
  if (typeof wanted === 'string' || wanted === undefined) {
    if (typeof want.response === 'object' && want.response !== null && Object.keys(want.response).length > 0)
      expect(got.response).toEqual(want.response);
    return;
  }
  const found = (got.response as { error?: ErrorObject } | null)?.error;
  expect({ type: found?.type, code: found?.code }).toEqual({ type: wanted.type, code: wanted.code });
  expect(found?.message).toEqual(expect.stringMatching(/./));
  if (typeof wanted.param !== 'string') return;
  let body: unknown;
  try {
    body = JSON.parse(text ?? '');
  } catch {
    expect(found?.param).toBe(wanted.param);
    return;
  }
  if (namesMember(wanted.param, body)) expect(memberPath(String(found?.param))).toBe(memberPath(wanted.param));
}

/** Compares an answer with the recorded one, nulls included: whole where it succeeds; status, type, code and named member of an error. */
export function compareAnswer(exchange: Exchange, want: RecordedAnswer, got: Answer, text: string | undefined, model: string): void {
  if (exchange.free) {
    expect(got.status).toBeLessThan(500);
    return;
  }
  expect(got.status, JSON.stringify(got.response).slice(0, 500)).toBe(want.status);
  for (const name of ['allow', 'location', 'x-request-id']) {
    const header = want.response_headers?.[name];
    if (header !== undefined) expect(got.headers[name]).toEqual(header === '*' ? expect.stringMatching(/^[0-9a-f]{32}$/) : header);
  }
  if (STATUS_ONLY.test(exchange.path)) return;
  if (want.status >= 400) {
    compareError(want, got, text);
    return;
  }
  const hasParser = (exchange.server.flags ?? []).some((flag) => flag.includes('parser'));
  const given = (text ?? '') + JSON.stringify(exchange.headers ?? {}) + exchange.path;
  expect(comparableState(masked(got.response, given, model), hasParser)).toEqual(
    withoutNegativeZero(comparableState(want.response, hasParser)),
  );
}

import type { DerenderService } from '../../src/derender/service.ts';
import type { ChatOneShot, ChatStreamed } from '../../src/derender/service.ts';
import { letterIds } from './letter-tokenizer.ts';

export type Api = 'messages' | 'responses';

/** What the model writes: reasoning, text, and two calls. */
export const MODEL_TEXT =
  '<think>Let me see.</think>I add.\n<tool_call>\n{"name": "add", "arguments": {"a": 1}}\n</tool_call>\n<tool_call>\n{"name": "add", "arguments": {"a": 2}}\n</tool_call>';

const PROMPT = letterIds('Hi');

async function parsed(
  service: DerenderService,
  api: Api,
  sent: unknown,
  members: Record<string, unknown>,
): Promise<ChatOneShot | ChatStreamed> {
  const body: unknown = JSON.parse(JSON.stringify({ prompt_token_ids: PROMPT, [`${api}_request`]: sent, ...members }));
  return api === 'messages' ? service.parseMessages(body) : service.parseResponses(body);
}

export async function oneShotBody(
  service: DerenderService,
  api: Api,
  sent: unknown,
  text: string,
  choice: Record<string, unknown> = {},
): Promise<ChatOneShot> {
  const choices = [{ index: 0, token_ids: letterIds(text), finish_reason: 'stop', ...choice }];
  const body = await parsed(service, api, sent, { generate_response: { request_id: 'r-1', choices } });
  if (body.kind !== 'one-shot') throw new Error('not a one-shot body');
  return body;
}

/** The events of a stream in chunks of some tokens, with a chunk of usage at the end, the state through JSON at each. */
export async function streamedEvents(
  service: DerenderService,
  api: Api,
  sent: unknown,
  text: string,
  size: number,
  choice: Record<string, unknown> = {},
): Promise<unknown[]> {
  const ids = letterIds(text);
  const chunks: Record<string, unknown>[] = [];
  for (let from = 0; from < ids.length; from += size) chunks.push({ choices: [{ index: 0, token_ids: ids.slice(from, from + size) }] });
  chunks.push({ choices: [{ index: 0, token_ids: [], finish_reason: 'stop', ...choice }] });
  chunks.push({ choices: [], usage: { prompt_tokens: 2, completion_tokens: ids.length, total_tokens: 2 + ids.length } });
  const events: unknown[] = [];
  let state: unknown = null;
  for (const chunk of chunks) {
    const body = await parsed(service, api, sent, { stream: true, generate_chunk: { request_id: 'r-1', ...chunk }, stream_state: state });
    if (body.kind !== 'stream') throw new Error('not a stream body');
    const answer = api === 'messages' ? service.messagesStream(body) : service.responsesStream(body);
    state = JSON.parse(JSON.stringify(answer.stream_state));
    events.push(...(JSON.parse(JSON.stringify(answer.events)) as unknown[]));
  }
  return events;
}

/** Answers every request with these events, as a server that streams them does. */
export function eventFetch(events: readonly unknown[]): () => Promise<Response> {
  const lines = events.map((event) => `event: ${(event as { type: string }).type}\ndata: ${JSON.stringify(event)}\n\n`);
  return () => Promise.resolve(new Response(lines.join(''), { status: 200, headers: { 'content-type': 'text/event-stream' } }));
}

import { describe, expect, it } from 'vitest';
import { ApiError } from '../../src/core/errors.ts';
import { errorAnswer } from '../../src/http/error-answer.ts';
import { readJsonBody } from '../../src/http/json-body.ts';
import { answerText } from '../../src/http/json-answer.ts';
import { parseChatDerender } from '../../src/protocol/derender-chat.ts';
import { parseCompletionDerender } from '../../src/protocol/derender-completion.ts';
import { compareAnswer } from '../http/compare-answer.ts';
import { readExchanges } from '../http/exchange.ts';
import type { Answer, Exchange, RecordedAnswer } from '../http/exchange.ts';
import { hasRecordedModel, recordedServer } from './recorded-server.ts';
import type { RecordedServer } from './recorded-server.ts';

const PATHS = new Set(['/v1/chat/completions/derender', '/v1/completions/derender']);

/** What the web framework answers, before a body reaches derendering. */
function belongsToHttp({ method, status, headers = {} }: Exchange): boolean {
  if (method !== undefined && method !== 'POST') return true;
  return [307, 401, 405].includes(status) || Object.keys(headers).some((name) => name.toLowerCase() === 'content-type');
}

/** The sign of zero is lost on the way, as in any JSON that JavaScript writes. */
function withoutNegativeZero<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

function checkName(server: RecordedServer, model: string | null): void {
  if (model && !server.names.includes(model)) throw new ApiError(404, 'NotFoundError', `no model ${model}`, 'model');
}

async function derender(server: RecordedServer, path: string, body: unknown): Promise<unknown> {
  if (path === '/v1/completions/derender') {
    const parsed = parseCompletionDerender(body);
    checkName(server, parsed.body.model);
    return parsed.kind === 'stream' ? server.service.completionStream(parsed) : server.service.completion(parsed);
  }
  const parsed = parseChatDerender(body);
  checkName(server, parsed.body.model);
  return parsed.kind === 'stream' ? server.service.chatStream(parsed) : server.service.chat(parsed);
}

async function answerTo(server: RecordedServer, path: string, text: string | undefined): Promise<Answer> {
  try {
    const { value: body } = readJsonBody(Buffer.from(text ?? ''));
    return { status: 200, headers: {}, response: JSON.parse(answerText(await derender(server, path, body))) };
  } catch (error) {
    const { status, body } = errorAnswer(error);
    return { status, headers: {}, response: JSON.parse(JSON.stringify(body)) };
  }
}

async function replay(server: RecordedServer, exchange: Exchange): Promise<void> {
  const compare = (want: RecordedAnswer, got: Answer, text: string | undefined): void =>
    compareAnswer(exchange, withoutNegativeZero({ ...want, response_headers: {} }), got, text, '<no model directory>');
  if (!exchange.stream) {
    const text = exchange.raw_body ?? (exchange.body === undefined ? undefined : JSON.stringify(exchange.body));
    compare(exchange.expect ?? exchange, await answerTo(server, exchange.path, text), text);
    return;
  }
  let state: unknown = null;
  const answers = exchange.expect?.answers ?? exchange.answers ?? [];
  for (const [at, want] of answers.entries()) {
    const text = JSON.stringify({ stream_state: state, ...exchange.stream[at] });
    const got = await answerTo(server, exchange.path, text);
    compare(want, got, text);
    state = (got.response as { stream_state?: unknown }).stream_state ?? null;
  }
}

for (const [name, group] of readExchanges()) {
  const exchanges = group.filter((exchange) => PATHS.has(exchange.path) && !belongsToHttp(exchange));
  const [first] = exchanges;
  if (!first) continue;
  describe.skipIf(!hasRecordedModel(first.server.tokenizer))(`derender on ${name}`, async () => {
    const server = hasRecordedModel(first.server.tokenizer) ? await recordedServer(first.server.tokenizer, first.server.flags ?? []) : null;
    it.each(exchanges.map((exchange) => [exchange.id, exchange] as const))('%s', async (_id, exchange) => {
      expect(server).not.toBeNull();
      if (server) await replay(server, exchange);
    });
  });
}

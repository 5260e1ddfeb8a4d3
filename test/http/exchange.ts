import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';

/** A recorded request and its answer, or a stream of them (`stream` and `answers`). */
export interface Exchange {
  id: string;
  server: { tokenizer: string; flags?: string[] };
  method?: string;
  path: string;
  headers?: Record<string, string>;
  body?: unknown;
  raw_body?: string;
  status: number;
  response: unknown;
  response_headers?: Record<string, string>;
  stream?: Record<string, unknown>[];
  answers?: RecordedAnswer[];
  /** Why the answer may differ. */
  free?: string;
  /** What is right where the recorded answer is not. */
  expect?: RecordedAnswer & { answers?: RecordedAnswer[] };
}

export interface RecordedAnswer {
  status: number;
  response: unknown;
  response_headers?: Record<string, string>;
}

export interface Answer {
  status: number;
  headers: Record<string, unknown>;
  response: unknown;
}

/** The recorded exchanges, by the server that they were recorded on. */
export function readExchanges(): Map<string, Exchange[]> {
  const groups = new Map<string, Exchange[]>();
  for (const name of ['exchanges', 'encoders', 'render', 'constraints']) {
    const bytes = readFileSync(new URL(`../../fixtures/http/${name}.jsonl.gz`, import.meta.url));
    for (const line of gunzipSync(bytes).toString('utf8').split('\n')) {
      if (line.trim() === '') continue;
      const exchange = JSON.parse(line) as Exchange;
      const server = [exchange.server.tokenizer, ...(exchange.server.flags ?? [])].join(' ');
      groups.set(server, [...(groups.get(server) ?? []), exchange]);
    }
  }
  return groups;
}

function readAnswer(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Sends a recorded request to an application. An empty content type stands for none. */
export async function send(app: FastifyInstance, exchange: Exchange, text: string | undefined): Promise<Answer> {
  const headers = new Map(Object.entries(exchange.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]));
  if (text !== undefined && !headers.has('content-type')) headers.set('content-type', 'application/json');
  if (headers.get('content-type') === '') headers.delete('content-type');
  const answer = await app.inject({
    method: (exchange.method ?? 'POST') as 'POST',
    url: exchange.path,
    headers: Object.fromEntries(headers),
    ...(text === undefined ? {} : { payload: Buffer.from(text, 'utf8') }),
  });
  return { status: answer.statusCode, headers: answer.headers, response: readAnswer(answer.body) };
}

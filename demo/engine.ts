import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A tokens-in / tokens-out engine without a model: it plays recorded token ids over `POST /inference/v1/generate`, one-shot and as
 * server-sent events, in the shapes of vLLM's `serve --tokens-only`.
 */
export interface DemoEngine {
  /** For example `http://127.0.0.1:40001`. */
  url: string;
  close(): Promise<void>;
}

interface Recording {
  name: string;
  prompt_ends_with?: number[];
  prompt_contains?: number[];
  token_ids: number[];
}

interface GenerateRequest {
  request_id?: string;
  token_ids: number[];
  sampling_params?: { n?: number };
  stream?: boolean;
  stream_options?: { include_usage?: boolean } | null;
}

/** Tokens per streamed chunk, in turn: mostly one, sometimes more, as speculative decoding sends them. */
const CHUNK_LENGTHS = [1, 1, 2, 1, 3];

const { recordings } = JSON.parse(readFileSync(new URL('recordings.json', import.meta.url), 'utf8')) as { recordings: Recording[] };

function containsAt(ids: readonly number[], part: readonly number[], at: number): boolean {
  return at >= 0 && part.every((id, index) => ids[at + index] === id);
}

function recordingFor(prompt: readonly number[]): Recording {
  const found = recordings.find(({ prompt_ends_with: end, prompt_contains: part }) => {
    if (end) return containsAt(prompt, end, prompt.length - end.length);
    if (part) return prompt.some((_, at) => containsAt(prompt, part, at));
    return true;
  });
  if (!found) throw new Error('no recording fits');
  return found;
}

async function readJson(request: IncomingMessage): Promise<GenerateRequest> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return JSON.parse(Buffer.concat(parts).toString('utf8')) as GenerateRequest;
}

function usageOf(prompt: readonly number[], output: readonly number[]): Record<string, number> {
  return { prompt_tokens: prompt.length, completion_tokens: output.length, total_tokens: prompt.length + output.length };
}

function sendWhole(response: ServerResponse, body: GenerateRequest, output: readonly number[]): void {
  const answer = {
    request_id: body.request_id ?? 'demo',
    choices: [{ index: 0, token_ids: output, finish_reason: 'stop', logprobs: null }],
    usage: usageOf(body.token_ids, output),
  };
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
}

function sendStream(response: ServerResponse, body: GenerateRequest, output: readonly number[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (chunk: object): void =>
    void response.write(`data: ${JSON.stringify({ request_id: body.request_id ?? 'demo', ...chunk })}\n\n`);
  for (let at = 0, turn = 0; at < output.length; turn += 1) {
    const length = CHUNK_LENGTHS[turn % CHUNK_LENGTHS.length] ?? 1;
    const last = at + length >= output.length;
    send({ choices: [{ index: 0, token_ids: output.slice(at, at + length), finish_reason: last ? 'stop' : null, logprobs: null }] });
    at += length;
  }
  if (body.stream_options?.include_usage) send({ choices: [], usage: usageOf(body.token_ids, output) });
  response.end('data: [DONE]\n\n');
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method !== 'POST' || request.url !== '/inference/v1/generate') {
    response.writeHead(404).end();
    return;
  }
  const body = await readJson(request);
  const output = recordingFor(body.token_ids).token_ids;
  if (body.stream) sendStream(response, body, output);
  else sendWhole(response, body, output);
}

/** @param port 0 for any free port */
export async function startDemoEngine(port = 0): Promise<DemoEngine> {
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.writeHead(400).end(String(error)));
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

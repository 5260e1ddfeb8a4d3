/**
 * The round trip that a user of the server makes: render, generate, derender. Plain `fetch`, nothing of the server's own code.
 */
export interface Addresses {
  render: string;
  engine: string;
}

type Json = Record<string, unknown>;

export interface DerenderedChunk {
  chunk: {
    choices: {
      delta: { role?: string; content?: string | null; reasoning?: string | null; tool_calls?: unknown[] };
      finish_reason: string | null;
    }[];
    usage?: Json | null;
  };
  stream_state: Json;
  /** Wall time of the derender call in ms, and the size of the state as JSON in bytes. */
  milliseconds: number;
  stateBytes: number;
}

async function post(url: string, body: unknown): Promise<Response> {
  const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
  return response;
}

const postJson = async (url: string, body: unknown): Promise<Json> => (await (await post(url, body)).json()) as Json;

/** @returns the rendered GenerateRequest */
export function render(to: Addresses, chatRequest: Json): Promise<Json & { token_ids: number[] }> {
  return postJson(`${to.render}/v1/chat/completions/render`, chatRequest) as Promise<Json & { token_ids: number[] }>;
}

/** @returns the chat completion */
export async function oneShot(to: Addresses, chatRequest: Json): Promise<Json> {
  const rendered = await render(to, chatRequest);
  const generated = await postJson(`${to.engine}/inference/v1/generate`, rendered);
  return postJson(`${to.render}/v1/chat/completions/derender`, {
    model: chatRequest['model'],
    generate_response: generated,
    prompt_tokens: rendered.token_ids.length,
    prompt_token_ids: rendered.token_ids,
    chat_request: chatRequest,
  });
}

async function* events(response: Response): AsyncGenerator<Json> {
  let rest = '';
  const decoder = new TextDecoder();
  for await (const bytes of response.body ?? []) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line.startsWith('data: ') && line !== 'data: [DONE]') yield JSON.parse(line.slice('data: '.length)) as Json;
    }
  }
}

/** Streams: each chunk of the engine goes through derender with the state of the chunk before. `chatRequest` must ask for a stream. */
export async function* streamed(to: Addresses, chatRequest: Json): AsyncGenerator<DerenderedChunk> {
  const rendered = await render(to, chatRequest);
  const stream = await post(`${to.engine}/inference/v1/generate`, rendered);
  let state: Json | null = null;
  for await (const chunk of events(stream)) {
    const start = performance.now();
    const answer = (await postJson(`${to.render}/v1/chat/completions/derender`, {
      stream: true,
      model: chatRequest['model'],
      generate_chunk: chunk,
      stream_state: state,
      prompt_tokens: rendered.token_ids.length,
      prompt_token_ids: rendered.token_ids,
      chat_request: chatRequest,
    })) as unknown as Pick<DerenderedChunk, 'chunk' | 'stream_state'>;
    state = answer.stream_state;
    yield { ...answer, milliseconds: performance.now() - start, stateBytes: Buffer.byteLength(JSON.stringify(state)) };
  }
}

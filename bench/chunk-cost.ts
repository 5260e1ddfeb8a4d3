/**
 * What one streamed chunk costs with parsers (hermes, qwen3) at output token 10, 1,000 and 10,000, over HTTP; and what a whole
 * stream of 1,411 tokens costs in CPU, beside the reference's figure for the same kind of stream.
 */
import type { ServerProcess } from '../demo/server-process.ts';
import { cpuSeconds } from './server-cpu.ts';
import { median, printTable } from './table.ts';
import type { Limits } from './table.ts';

const POSITIONS = [10, 1000, 10_000];
const REPEATS = 300;
/** Reference: vLLM 0.33.0, one token a chunk, replay of the history at each chunk; CPU seconds for a thousand tokens. */
const REFERENCE_CPU_SECONDS = 33;
const WANTED_RATIO = 50;
const STREAM_TOKENS = 1000;
/** V8 takes some thousand requests to come to speed. */
const STREAMS = 6;
const STATE_LIMIT_BYTES = 2048;

const PROMPT = [151644, 872, 198, 13048, 151645, 198, 151644, 77091, 198];
const THINK_END = 151668;
/** Plain words of Qwen3's vocabulary. */
const WORDS = [785, 8180, 374, 2797, 323, 279, 9315, 686, 3351, 518, 220, 16];
const CHAT_REQUEST = {
  model: 'bench',
  messages: [{ role: 'user', content: 'Hi' }],
  tools: [
    { type: 'function', function: { name: 'get_weather', parameters: { type: 'object', properties: { city: { type: 'string' } } } } },
  ],
};

type State = Record<string, unknown> | null;

const word = (at: number): number => WORDS[at % WORDS.length] ?? 0;

async function derender(url: string, ids: readonly number[], state: State): Promise<State> {
  const response = await fetch(`${url}/v1/chat/completions/derender`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      stream: true,
      model: 'bench',
      generate_chunk: { request_id: 'r', choices: [{ index: 0, token_ids: ids }] },
      stream_state: state,
      ...(state === null ? { prompt_token_ids: PROMPT } : {}),
      chat_request: CHAT_REQUEST,
    }),
  });
  if (!response.ok) throw new Error(await response.text());
  return ((await response.json()) as { stream_state: State }).stream_state;
}

/** The state after `count` tokens: half of them reasoning, then content. Sent in chunks of 100. */
async function stateAt(url: string, count: number): Promise<State> {
  let state: State = null;
  for (let sent = 0; sent < count; sent += 100) {
    const ids = Array.from({ length: Math.min(100, count - sent) }, (_, at) => (sent + at === count >> 1 ? THINK_END : word(sent + at)));
    state = await derender(url, ids, state);
  }
  return state;
}

/** A whole stream, one token a chunk: half of it reasoning, then content. */
async function stream(url: string): Promise<void> {
  let state: State = null;
  for (let at = 0; at < STREAM_TOKENS; at += 1) state = await derender(url, [at === STREAM_TOKENS >> 1 ? THINK_END : word(at)], state);
}

export async function benchChunkCost(server: ServerProcess, limits: Limits): Promise<void> {
  const states = await Promise.all(POSITIONS.map((count) => stateAt(server.url, count)));
  const times = POSITIONS.map((): number[] => []);
  // In turn, so that whatever else the machine does falls on all positions alike.
  for (let repeat = 0; repeat < REPEATS; repeat += 1) {
    for (const [at, state] of states.entries()) {
      const start = performance.now();
      await derender(server.url, [word(repeat)], state);
      times[at]?.push(performance.now() - start);
    }
  }
  const medians = times.map((list) => median(list.slice(REPEATS / 5)));
  const bytes = states.map((state) => Buffer.byteLength(JSON.stringify(state)));
  printTable(
    'One chunk of one token, hermes + qwen3, over HTTP',
    ['output token', 'ms (median)', 'stream_state bytes'],
    POSITIONS.map((count, at) => [String(count), (medians[at] ?? 0).toFixed(3), bytes[at] ?? 0]),
  );
  limits.check('cost at token 10,000 over cost at token 10', (medians.at(-1) ?? 0) / (medians[0] ?? 1), 1.3, 'times');
  limits.check('stream_state outside an open call', Math.max(...bytes), STATE_LIMIT_BYTES, 'bytes');

  const spent: number[] = [];
  for (let round = 0; round < STREAMS; round += 1) {
    const before = await cpuSeconds(server.url);
    await stream(server.url);
    spent.push((await cpuSeconds(server.url)) - before);
  }
  printTable(
    `A stream of ${STREAM_TOKENS} tokens, one a chunk`,
    ['server', 'CPU s'],
    [
      ['this, just started', (spent[0] ?? 0).toFixed(2)],
      ['this, at work', (spent.at(-1) ?? 0).toFixed(2)],
      ['reference', REFERENCE_CPU_SECONDS],
    ],
  );
  limits.check('CPU of the stream, at work', spent.at(-1) ?? 0, REFERENCE_CPU_SECONDS / WANTED_RATIO, 's');
}

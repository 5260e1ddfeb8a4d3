/** How long /health waits while a prompt of about 100,000 tokens is rendered, and what checking 100,000 token ids costs. */
import type { ServerProcess } from '../demo/server-process.ts';
import { tokenIds } from '../src/protocol/lax.ts';
import { median, printTable } from './table.ts';
import type { Limits } from './table.ts';

const SENTENCE = 'The committee met on Thursday to discuss the heating of the east wing, and nobody could agree. ';
const SENTENCES = 5000;
const HEALTH_LIMIT_MS = 50;
const VALIDATION_LIMIT_MS = 5;
const PAUSE_MS = 5;

async function healthMilliseconds(url: string): Promise<number> {
  const start = performance.now();
  await (await fetch(`${url}/health`)).arrayBuffer();
  return performance.now() - start;
}

export async function benchLongPrompt(server: ServerProcess, limits: Limits): Promise<void> {
  const body = JSON.stringify({ model: 'bench', messages: [{ role: 'user', content: SENTENCE.repeat(SENTENCES) }], max_tokens: 16 });
  const start = performance.now();
  const progress = { done: false };
  const rendering = fetch(`${server.url}/v1/chat/completions/render`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  })
    .then(async (response) => (await response.json()) as { token_ids: number[] })
    .finally(() => (progress.done = true));
  const waits: number[] = [];
  while (!progress.done) {
    waits.push(await healthMilliseconds(server.url));
    await new Promise((resolve) => {
      setTimeout(resolve, PAUSE_MS);
    });
  }
  const { token_ids: ids } = await rendering;
  const total = performance.now() - start;

  const hundredThousand = Array.from({ length: 100_000 }, (_, at) => ids[at % ids.length] ?? 0);
  const schema = tokenIds(0);
  const checks = Array.from({ length: 20 }, () => {
    const from = performance.now();
    schema.parse(hundredThousand);
    return performance.now() - from;
  });

  printTable(
    `A prompt of ${ids.length} tokens`,
    ['what', 'ms'],
    [
      ['render, whole request', total.toFixed(0)],
      ['/health meanwhile, median', median(waits).toFixed(1)],
      ['/health meanwhile, worst', Math.max(...waits).toFixed(1)],
      ['checking 100,000 token ids', median(checks).toFixed(2)],
    ],
  );
  limits.check('/health while rendering, worst', Math.max(...waits), HEALTH_LIMIT_MS, 'ms');
  limits.check('checking 100,000 token ids', median(checks), VALIDATION_LIMIT_MS, 'ms');
}

/** From the start of the process to the first answered request, and the memory then, with the Qwen3 tokenizer. */
import { startServer } from '../demo/server-process.ts';
import { residentMegabytes } from './server-cpu.ts';
import { median, printTable } from './table.ts';
import type { Limits } from './table.ts';

const STARTS = 5;
const START_LIMIT_S = 2;
const MEMORY_LIMIT_MB = 350;

export async function benchStartUp(flags: readonly string[], limits: Limits): Promise<void> {
  const seconds: number[] = [];
  const megabytes: number[] = [];
  for (let start = 0; start < STARTS; start += 1) {
    const began = performance.now();
    const server = await startServer(flags);
    const body = JSON.stringify({ model: 'bench', messages: [{ role: 'user', content: 'Hi' }] });
    await (
      await fetch(`${server.url}/v1/chat/completions/render`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    ).json();
    seconds.push((performance.now() - began) / 1000);
    megabytes.push(await residentMegabytes(server.url));
    await server.stop();
  }
  printTable(
    'Start with the Qwen3 tokenizer',
    ['what', 'median', 'worst'],
    [
      ['first answered request, s', median(seconds).toFixed(2), Math.max(...seconds).toFixed(2)],
      ['resident, MB', median(megabytes).toFixed(0), Math.max(...megabytes).toFixed(0)],
    ],
  );
  limits.check('first answered request', median(seconds), START_LIMIT_S, 's');
  limits.check('resident memory', Math.max(...megabytes), MEMORY_LIMIT_MB, 'MB');
}

/**
 * The main job on real input, in one command: starts the server on Qwen3's tokenizer and an embedded tokens-only engine, then makes the
 * round trips that a user makes, one-shot and streamed, and prints what comes. `--keep` leaves both running for your own requests.
 */
import { parseArgs } from 'node:util';
import { buildModels } from '../scripts/build-models.mjs';
import { startDemoEngine } from './engine.ts';
import { oneShot, render, streamed } from './round-trip.ts';
import type { Addresses } from './round-trip.ts';
import { startServer } from './server-process.ts';

const { values: options } = parseArgs({ options: { keep: { type: 'boolean', default: false } } });

const SUM = {
  model: 'demo',
  messages: [{ role: 'user', content: 'What is 2+2?' }],
  chat_template_kwargs: { enable_thinking: false },
};

const TOOLS = {
  model: 'demo',
  messages: [{ role: 'user', content: 'Do I need an umbrella in Zürich this week? Put the answer in a note.' }],
  tools: [
    {
      type: 'function',
      function: {
        name: 'get_weather',
        description: 'Forecast for a place',
        parameters: { type: 'object', properties: { city: { type: 'string' }, days: { type: 'integer' } }, required: ['city'] },
      },
    },
    {
      type: 'function',
      function: {
        name: 'write_note',
        description: 'Writes a note',
        parameters: {
          type: 'object',
          properties: { title: { type: 'string' }, body: { type: 'string' }, pinned: { type: 'boolean' } },
          required: ['title', 'body'],
        },
      },
    },
  ],
};

/** Members that are null say nothing; they are part of the contract, but not of the picture. */
const shown = (value: unknown): string => JSON.stringify(value, (_key, member: unknown) => (member === null ? undefined : member));

const print = (text = ''): void => void process.stdout.write(`${text}\n`);

async function showOneShot(to: Addresses, title: string, request: Record<string, unknown>): Promise<void> {
  print(`\n=== ${title}, one-shot ===`);
  print(`request  ${JSON.stringify(request)}`);
  print(`prompt   ${(await render(to, request)).token_ids.length} token ids`);
  const answer = (await oneShot(to, request)) as { choices: { message: unknown; finish_reason: string }[]; usage: unknown };
  print(`answer   ${shown(answer.choices[0]?.message)}`);
  print(`finish   ${answer.choices[0]?.finish_reason}   usage ${shown(answer.usage)}`);
}

async function showStream(to: Addresses, title: string, request: Record<string, unknown>): Promise<void> {
  print(`\n=== ${title}, streamed ===`);
  const times: number[] = [];
  let largest = 0;
  for await (const { chunk, milliseconds, stateBytes } of streamed(to, {
    ...request,
    stream: true,
    stream_options: { include_usage: true },
  })) {
    times.push(milliseconds);
    largest = Math.max(largest, stateBytes);
    const choice = chunk.choices[0];
    const what = choice
      ? shown(choice.delta) + (choice.finish_reason ? `   finish ${choice.finish_reason}` : '')
      : `usage ${shown(chunk.usage)}`;
    print(`${milliseconds.toFixed(2).padStart(6)} ms  state ${String(stateBytes).padStart(4)} B  ${what}`);
  }
  times.sort((a, b) => a - b);
  print(`${times.length} chunks, median ${times[times.length >> 1]?.toFixed(2)} ms a chunk with HTTP, stream_state at most ${largest} B`);
}

const models = buildModels({ only: ['qwen3'] });
const engine = await startDemoEngine();
const flags = ['--model', `${models}/qwen3`, '--served-model-name', 'demo', '--tool-call-parser', 'hermes', '--reasoning-parser', 'qwen3'];
print(`derender-server ${flags.join(' ')}`);
const server = await startServer(flags);
print(`server up after ${(server.startMilliseconds / 1000).toFixed(2)} s at ${server.url}; tokens-only engine at ${engine.url}`);
const to = { render: server.url, engine: engine.url };
await showOneShot(to, 'a plain answer', SUM);
await showStream(to, 'a plain answer', SUM);
await showOneShot(to, 'reasoning and two tool calls', TOOLS);
await showStream(to, 'reasoning and two tool calls', TOOLS);
if (options.keep) {
  print(`\nBoth stay up. Try:  MODEL=demo RENDER=${server.url} ENGINE=${engine.url} python docs/examples/streamed.py   (Ctrl-C ends)`);
  await new Promise((resolve) => process.once('SIGINT', resolve));
}
await server.stop();
await engine.close();

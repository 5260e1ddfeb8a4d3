import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDemoEngine } from '../../demo/engine.ts';
import type { DemoEngine } from '../../demo/engine.ts';
import { oneShot, streamed } from '../../demo/round-trip.ts';
import { startServer } from '../../demo/server-process.ts';
import type { ServerProcess } from '../../demo/server-process.ts';
import { buildModels } from '../../scripts/build-models.mjs';

/** The package as a user gets it: packed, installed in an empty folder, run by its name. */

const root = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'derender-server-'));
const program = join(folder, 'node_modules/.bin/derender-server');
const INSTALL_LIMIT_MS = 180_000;

interface Failed {
  code: number;
  stderr: string;
}

const fails = (args: string[]): Promise<Failed> =>
  run(program, args).then(
    () => {
      throw new Error('it did not fail');
    },
    (error: unknown) => error as Failed,
  );

beforeAll(async () => {
  // The test command has built dist already.
  const { stdout } = await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], { cwd: root });
  const [packed] = JSON.parse(stdout) as { filename: string }[];
  writeFileSync(join(folder, 'package.json'), '{"private": true}');
  await run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', join(folder, packed?.filename ?? '')], { cwd: folder });
}, INSTALL_LIMIT_MS);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the packed package', () => {
  it('prints its help and version', async () => {
    const { stdout: help } = await run('npx', ['derender-server', '--help'], { cwd: folder });
    expect(help).toContain('--tool-call-parser');
    expect((await run(program, ['--version'])).stdout).toMatch(/\d+\.\d+\.\d+/);
  });

  it('ends with one sentence and code 1 where the start cannot go on', async () => {
    const unknownParser = await fails(['--model', folder, '--tool-call-parser', 'hermess']);
    expect(unknownParser.code).toBe(1);
    expect(unknownParser.stderr).toContain('hermes');
    expect(unknownParser.stderr).not.toContain('    at ');
    const noModel = await fails(['--model', join(folder, 'nothing-here')]);
    expect(noModel.code).toBe(1);
    expect(noModel.stderr).toContain('nothing-here');
  });

  it('is a library too', async () => {
    const script =
      "import { createSession } from 'derender-server'; import { compileTemplate } from 'derender-server/template'; console.log(typeof createSession, compileTemplate('{{ [none, 1.0] }}').render({}).text)";
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', script], { cwd: folder });
    expect(stdout.trim()).toBe('function [None, 1.0]');
  });
});

describe('a server from the package, beside a tokens-only engine', () => {
  let server: ServerProcess;
  let engine: DemoEngine;
  const flags = ['--served-model-name', 'demo', '--tool-call-parser', 'hermes', '--reasoning-parser', 'qwen3'];
  const question = { model: 'demo', messages: [{ role: 'user', content: 'What is 2+2?' }], max_tokens: 32 };
  const tools = [
    { type: 'function', function: { name: 'get_weather', parameters: { type: 'object', properties: { city: { type: 'string' } } } } },
  ];

  beforeAll(async () => {
    engine = await startDemoEngine();
    server = await startServer(['--model', join(buildModels({ only: ['qwen3'] }), 'qwen3'), ...flags], [program]);
  });

  afterAll(() => engine.close());

  it('answers in one shot', async () => {
    const answer = await oneShot({ render: server.url, engine: engine.url }, question);
    expect(answer).toMatchObject({
      object: 'chat.completion',
      choices: [
        { message: { content: '\n\n2 + 2 = 4. 🎉', reasoning: '\nThe user asks for a simple sum. 2 + 2 is 4.\n' }, finish_reason: 'stop' },
      ],
    });
  });

  it('streams reasoning, content and two calls, with a small state', async () => {
    const request = { ...question, tools, stream: true, stream_options: { include_usage: true } };
    let content = '';
    const calls: { name: string; arguments: string }[] = [];
    let usage: unknown = null;
    let largest = 0;
    for await (const { chunk, stateBytes } of streamed({ render: server.url, engine: engine.url }, request)) {
      largest = Math.max(largest, stateBytes);
      usage = chunk.usage ?? usage;
      const delta = chunk.choices[0]?.delta;
      content += delta?.content ?? '';
      for (const call of (delta?.tool_calls ?? []) as { index: number; function: { name?: string; arguments?: string } }[]) {
        const slot = (calls[call.index] ??= { name: '', arguments: '' });
        slot.name += call.function.name ?? '';
        slot.arguments += call.function.arguments ?? '';
      }
    }
    expect(content.trim()).toBe('I will look at the forecast and write the note. ☔');
    expect(calls.map(({ name }) => name)).toEqual(['get_weather', 'write_note']);
    expect(JSON.parse(calls[0]?.arguments ?? '')).toEqual({ city: 'Zürich', days: 3 });
    expect(usage).toMatchObject({ completion_tokens: 131 });
    expect(largest).toBeLessThan(2048);
  });

  it('ends on SIGTERM with code 0', async () => {
    expect(await server.stop()).toBe(0);
  });
});

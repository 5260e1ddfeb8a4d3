/** Runs the documentation's two Python programs against the built server and the demo engine; writes how many answered rightly. */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startDemoEngine } from '../demo/engine.ts';
import { startServer } from '../demo/server-process.ts';
import { buildModels } from '../scripts/build-models.mjs';

const [python = 'python3', results = 'python.json'] = process.argv.slice(2);
const root = fileURLToPath(new URL('..', import.meta.url));
const models = buildModels({ only: ['qwen3'] });
const engine = await startDemoEngine();
const server = await startServer([
  '--model',
  `${models}/qwen3`,
  '--served-model-name',
  'demo',
  '--tool-call-parser',
  'hermes',
  '--reasoning-parser',
  'qwen3',
]);
const counts = { passed: 0, failed: 0 };
for (const [program, wanted] of [
  ['one_shot.py', /^\s*2 \+ 2 = 4\./],
  ['streamed.py', /^\s*2 \+ 2 = 4\.[^]*'completion_tokens': \d+/],
] as const) {
  const env = { ...process.env, MODEL: 'demo', RENDER: server.url, ENGINE: engine.url };
  const output = await promisify(execFile)(python, [`${root}/docs/examples/${program}`], { env }).then(
    ({ stdout }) => stdout,
    (error: unknown) => String(error),
  );
  const right = wanted.test(output);
  counts[right ? 'passed' : 'failed'] += 1;
  console.log(`${program}: ${right ? 'right' : 'wrong'}\n${output}`);
}
await server.stop();
await engine.close();
writeFileSync(results, JSON.stringify(counts));
process.exitCode = counts.failed === 0 ? 0 : 1;

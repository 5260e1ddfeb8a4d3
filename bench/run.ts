/** All benches of the server as a process: `npm run bench`. Prints tables and whether the limits hold; exit code 1 where one does not. */
import { startServer } from '../demo/server-process.ts';
import { buildModels } from '../scripts/build-models.mjs';
import { benchChunkCost } from './chunk-cost.ts';
import { benchLongPrompt } from './long-prompt.ts';
import { benchStartUp } from './start-up.ts';
import { Limits } from './table.ts';

const models = buildModels({ only: ['qwen3'] });
const flags = ['--model', `${models}/qwen3`, '--served-model-name', 'bench', '--max-model-len', '200000'];
flags.push('--tool-call-parser', 'hermes', '--reasoning-parser', 'qwen3', '--log-level', 'error');

const limits = new Limits();
await benchStartUp(flags, limits);
const server = await startServer(flags);
await benchChunkCost(server, limits);
await benchLongPrompt(server, limits);
await server.stop();
limits.exit();

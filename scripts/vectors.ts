/**
 * Checks the parsers against the recorded vectors in one process, without a server.
 *
 *   npx tsx scripts/vectors.ts [--only TEXT] [--verbose]
 *
 * --only narrows to vectors whose "tool reasoning tokenizer" or id holds TEXT; --verbose shows each difference.
 */
import { parseArgs } from 'node:util';
import { reasoningParserNames, toolParserNames } from '../src/parsers/registry.ts';
import { checkVector } from '../test/parsers/check-vector.ts';
import { readVectors } from '../test/parsers/vectors.ts';

const { values: options } = parseArgs({ options: { only: { type: 'string' }, verbose: { type: 'boolean', default: false } } });
const tools = new Set(toolParserNames());
const reasonings = new Set(reasoningParserNames());
const rows = new Map<string, { vectors: number; oneShot: number; stream: number; exact: number; settled: number }>();
for (const vector of readVectors()) {
  const { tool_parser: tool, reasoning_parser: reasoning, tokenizer } = vector.server;
  const name = `${tool ?? '-'} ${reasoning ?? '-'} ${tokenizer}`;
  if (options.only !== undefined && !name.includes(options.only) && !vector.id.includes(options.only)) continue;
  if ((tool !== undefined && !tools.has(tool)) || (reasoning !== undefined && !reasonings.has(reasoning))) continue;
  const row = rows.get(name) ?? { vectors: 0, oneShot: 0, stream: 0, exact: 0, settled: 0 };
  rows.set(name, row);
  const verdict = checkVector(vector);
  row.vectors += 1;
  row.oneShot += Number(verdict.oneShot);
  row.stream += Number(verdict.stream);
  row.settled += Number(verdict.settled);
  row.exact += Number(verdict.settled && verdict.exact);
  if (options.verbose) for (const line of verdict.detail) console.log(`  ${verdict.id}  ${line}`);
}
const totals = { vectors: 0, oneShot: 0, stream: 0, exact: 0, settled: 0 };
for (const [name, row] of rows) {
  console.log(`${name.padEnd(48)} ${row.vectors}  one-shot ${row.oneShot}  stream ${row.stream}  exact ${row.exact}/${row.settled}`);
  for (const key of Object.keys(totals) as (keyof typeof totals)[]) totals[key] += row[key];
}
console.log(`vectors ${totals.vectors}: one-shot ${totals.oneShot}, stream ${totals.stream}, exact ${totals.exact}/${totals.settled}`);

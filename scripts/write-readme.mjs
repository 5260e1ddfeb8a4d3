#!/usr/bin/env node
/**
 * Writes the lists of options and formats into README.md between their markers, from the tables that the program itself uses.
 *
 *   node scripts/write-readme.mjs [--check]      (after `npm run build`; --check only says whether it is up to date)
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { optionsMarkdown } from '../dist/cli/help.js';
import { allFormats } from '../dist/parsers/registry.js';

const code = (names) => names.map((name) => `\`${name}\``).join(' ');

/** One row a name that the reference knows: as a tool parser, as a reasoning parser, and the other names it answers to. */
function formatsMarkdown() {
  const rows = new Map();
  const row = (name, models) => rows.get(name) ?? rows.set(name, { models, tool: [], reasoning: [] }).get(name);
  for (const format of allFormats()) {
    if (format.kind === 'unified') {
      row(format.name, format.models).tool.push(...format.toolNames);
      row(format.name, format.models).reasoning.push(...format.reasoningNames);
    } else {
      row(format.name, format.models)[format.kind].push(format.name, ...format.aliases);
    }
  }
  const lines = [...rows]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { models, tool, reasoning }]) => `| ${models.replaceAll(/<[^>]+>/g, '`$&`')} | ${code(tool)} | ${code(reasoning)} |`);
  return ['| models | `--tool-call-parser` | `--reasoning-parser` |', '|---|---|---|', ...lines].join('\n');
}

const readme = new URL('../README.md', import.meta.url);
const before = readFileSync(readme, 'utf8');
let after = before;
for (const [name, text] of [
  ['options', optionsMarkdown()],
  ['formats', formatsMarkdown()],
]) {
  const marked = new RegExp(`(<!-- ${name} -->\\n)[^]*?(<!-- /${name} -->)`);
  if (!marked.test(after)) throw new Error(`README.md has no <!-- ${name} --> and <!-- /${name} --> markers`);
  after = after.replace(marked, (_all, start, end) => `${start}\n${text}\n\n${end}`);
}
if (!process.argv.includes('--check')) writeFileSync(readme, after);
else if (after !== before) {
  console.error('README.md is out of date: run npm run readme');
  process.exit(1);
}

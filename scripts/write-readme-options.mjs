#!/usr/bin/env node
/**
 * Writes the list of options into README.md between its markers, from the table that the command line is read with.
 *
 *   node scripts/write-readme-options.mjs [--check]      (after `npm run build`; --check only says whether it is up to date)
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { optionsMarkdown } from '../dist/cli/help.js';

const readme = new URL('../README.md', import.meta.url);
const before = readFileSync(readme, 'utf8');
const MARKED = /(<!-- options -->\n)[^]*?(<!-- \/options -->)/;
if (!MARKED.test(before)) {
  console.error('README.md has no <!-- options --> and <!-- /options --> markers.');
  process.exit(1);
}
const after = before.replace(MARKED, (_all, start, end) => `${start}\n${optionsMarkdown()}\n${end}`);
if (process.argv.includes('--check')) {
  if (after !== before) {
    console.error('The list of options in README.md is out of date: run node scripts/write-readme-options.mjs');
    process.exit(1);
  }
} else writeFileSync(readme, after);

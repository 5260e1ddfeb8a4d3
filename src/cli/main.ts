#!/usr/bin/env node
import { StartupError } from '../core/errors.ts';
import { COMMANDS } from './commands.ts';
import { helpText } from './help.ts';
import { loadOptions } from './load-options.ts';
import { packageVersion } from './package-version.ts';
import { parseArguments } from './parse-arguments.ts';
import { settingsFromOptions } from './settings-from-options.ts';

async function run(words: readonly string[]): Promise<number> {
  const [first, ...rest] = words;
  const load = COMMANDS.get(first ?? '');
  if (load) return (await load())(rest);
  const given = parseArguments(first === 'serve' ? rest : words);
  if (given.help) {
    process.stdout.write(helpText(['serve', ...COMMANDS.keys()]));
    return 0;
  }
  if (given.version) {
    process.stdout.write(`${packageVersion()}\n`);
    return 0;
  }
  const settings = settingsFromOptions(loadOptions(given, process.env));
  const { serve } = await import('./serve.ts');
  return serve(settings);
}

function report(error: unknown): void {
  const unforeseen = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const text = error instanceof StartupError ? error.message : `unexpected failure: ${unforeseen}`;
  process.stderr.write(`derender-server: ${text}\n`);
}

let exitCode = 1;
try {
  exitCode = await run(process.argv.slice(2));
} catch (error) {
  report(error);
}
// Sockets of a hub or threads of a library must not keep the process.
process.exit(exitCode);

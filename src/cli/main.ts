#!/usr/bin/env node
import { StartupError } from '../core/errors.ts';

/** Runs a command with the words behind its name; gives the process's exit code. */
type Command = (words: readonly string[]) => Promise<number>;

/** Loaded when named, so that the server starts without the others' code. */
const COMMANDS = new Map<string, () => Promise<Command>>([]);

const loadServe = async (): Promise<Command> => (await import('./serve.ts')).serve;

async function run(words: readonly string[]): Promise<number> {
  const [first, ...rest] = words;
  const load = first === 'serve' ? loadServe : COMMANDS.get(first ?? '');
  const command = await (load ?? loadServe)();
  return command(load ? rest : words);
}

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  if (error instanceof StartupError) process.stderr.write(`derender-server: ${error.message}\n`);
  else
    process.stderr.write(
      `derender-server: unexpected failure: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
    );
  process.exitCode = 1;
}

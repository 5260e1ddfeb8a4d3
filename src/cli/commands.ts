import type { ModelTemplate } from './template-command.ts';

/** Runs a command with the words behind its name; gives the process's exit code. */
export type Command = (words: readonly string[]) => Promise<number>;

/** The commands besides starting the server. Their code is loaded when they are named, so that the server starts without it. */
export const COMMANDS: ReadonlyMap<string, () => Promise<Command>> = new Map<string, () => Promise<Command>>([
  ['parse', loadParseCommand],
  ['parsers', loadParsersCommand],
  ['template', loadTemplateCommand],
]);

async function loadParseCommand(): Promise<Command> {
  const { runParseCommand } = await import('./parse-command.ts');
  const { stdin, stdout, stderr, env: variables } = process;
  return (words) => runParseCommand(words, { stdin, stdout, stderr, variables });
}

async function loadParsersCommand(): Promise<Command> {
  const { runParsersCommand } = await import('./parsers-command.ts');
  return async (words) => runParsersCommand(words, process.stdout);
}

async function loadTemplateCommand(): Promise<Command> {
  const { runTemplateCommand } = await import('./template-command.ts');
  const { stdin, stdout, stderr, env: variables } = process;
  const loadModelTemplate = async (model: string): Promise<ModelTemplate> =>
    (await import('./load-model-template.ts')).loadModelTemplate(model);
  return (words) => runTemplateCommand(words, { stdin, stdout, stderr, variables, loadModelTemplate });
}

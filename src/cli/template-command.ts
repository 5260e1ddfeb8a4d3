import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { StartupError } from '../core/errors.ts';
import {
  type ClockTime,
  compileTemplate,
  Dict,
  parseJson,
  type RenderOptions,
  renderChat,
  type Template,
  TemplateError,
  type Value,
} from '../template/index.ts';
import { readTemplateNow } from './template-now.ts';

/** A model's chat template, and its special tokens by name. */
export interface ModelTemplate {
  readonly template: string;
  readonly specialTokens: Readonly<Record<string, string>>;
}

/** What the command works with. */
export interface TemplateCommandEnvironment {
  readonly stdin: NodeJS.ReadableStream;
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
  /** Environment variables: `DERENDER_TEMPLATE_NOW` fixes the clock. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Loads what `--model` names: a directory or a hub id. */
  readonly loadModelTemplate: (model: string) => Promise<ModelTemplate>;
}

const HELP = `Usage: derender-server template [--template FILE | --model MODEL] [--template-now TIME] < conversation.json

Prints the prompt that a chat template makes of a conversation. Standard input is a JSON list of messages, or a JSON object with "messages" and
any other variable of the template ("tools", "documents", "add_generation_prompt", "continue_final_message", ...). The generation prompt is added
unless a variable says otherwise.

  --template FILE      the template's file
  --model MODEL        a model's directory or hub id: its template and special tokens
  --template-now TIME  what strftime_now shows, like 2026-12-01T09:30:00 (environment: DERENDER_TEMPLATE_NOW; default: the clock)
  --help

Without --template and --model, standard input holds one JSON object a line, {"template", "variables", "special_tokens", "now"}, and each is
answered with one line, {"text"} or {"error"}.
`;

const CACHED_TEMPLATES = 100;

function clockTime(text: string | undefined, origin: string): ClockTime | undefined {
  return text === undefined || text === '' ? undefined : readTemplateNow(text, origin);
}

async function readAll(stream: NodeJS.ReadableStream): Promise<string> {
  let text = '';
  stream.setEncoding('utf8');
  for await (const chunk of stream) text += String(chunk);
  return text;
}

/** @throws StartupError where the text is no JSON */
function readConversation(text: string): Dict {
  let value: Value;
  try {
    value = parseJson(text);
  } catch (error) {
    throw new StartupError(`Standard input must hold a conversation as JSON: ${(error as Error).message}`);
  }
  if (value instanceof Dict) return value;
  if (Array.isArray(value))
    return Dict.from([
      ['messages', value],
      ['add_generation_prompt', true],
    ]);
  throw new StartupError('Standard input must hold a JSON list of messages, or an object with "messages".');
}

/** As in a chat request, the model's turn is opened unless it is told otherwise. */
function withGenerationPrompt(variables: Dict): Dict {
  return Dict.from([['add_generation_prompt', variables.get('continue_final_message') === undefined], ...variables.entries()]);
}

function describe(error: TemplateError): string {
  return error.line === undefined ? error.message : `${error.message} (line ${error.line})`;
}

/** Answers one line of JSON after the other. */
class LineAnswerer {
  readonly #templates = new Map<string, Template>();
  readonly #now: ClockTime | undefined;

  constructor(now: ClockTime | undefined) {
    this.#now = now;
  }

  answer(line: string): { text: string } | { error: string } {
    try {
      return { text: this.#render(line) };
    } catch (error) {
      if (error instanceof TemplateError) return { error: `${error.pythonType}: ${describe(error)}` };
      if (error instanceof StartupError || error instanceof SyntaxError) return { error: error.message };
      throw error;
    }
  }

  #render(line: string): string {
    const request = parseJson(line);
    const template = request instanceof Dict ? request.get('template') : undefined;
    if (!(request instanceof Dict) || typeof template !== 'string')
      throw new StartupError('A line must hold a JSON object with "template".');
    const variables = request.get('variables') ?? new Dict();
    if (!(variables instanceof Dict)) throw new StartupError('"variables" must be a JSON object.');
    return renderChat(this.#compiled(template), withGenerationPrompt(variables), this.#options(request)).text;
  }

  #options(request: Dict): RenderOptions {
    const tokens = request.get('special_tokens') ?? new Dict();
    const now = request.get('now') ?? undefined;
    if (!(tokens instanceof Dict)) throw new StartupError('"special_tokens" must be a JSON object.');
    if (now !== undefined && typeof now !== 'string') throw new StartupError('"now" must be an ISO time.');
    const specialTokens = Object.fromEntries(tokens.entries().filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
    return { specialTokens, now: clockTime(now, '"now"') ?? this.#now };
  }

  #compiled(source: string): Template {
    const known = this.#templates.get(source);
    if (known !== undefined) return known;
    const template = compileTemplate(source);
    if (this.#templates.size >= CACHED_TEMPLATES) this.#templates.clear();
    this.#templates.set(source, template);
    return template;
  }
}

async function answerLines({ stdin, stdout }: TemplateCommandEnvironment, now: ClockTime | undefined): Promise<void> {
  const answerer = new LineAnswerer(now);
  for await (const line of createInterface({ input: stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line.trim() !== '') stdout.write(`${JSON.stringify(answerer.answer(line))}\n`);
  }
}

async function readTemplate(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new StartupError(`--template names ${file}, which cannot be read: ${(error as Error).message}`);
  }
}

async function printPrompt(
  source: ModelTemplate,
  { stdin, stdout, stderr }: TemplateCommandEnvironment,
  now: ClockTime | undefined,
): Promise<number> {
  const conversation = readConversation(await readAll(stdin));
  try {
    const { text } = renderChat(compileTemplate(source.template), withGenerationPrompt(conversation), {
      specialTokens: source.specialTokens,
      now,
    });
    stdout.write(text.endsWith('\n') ? text : `${text}\n`);
    return 0;
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    stderr.write(`derender-server template: ${error.pythonType}: ${describe(error)}\n`);
    return 1;
  }
}

/**
 * The command `derender-server template`: prints the prompt that a template makes of a conversation, or answers templates and variables line by line.
 * @returns the exit code
 * @throws StartupError for wrong arguments and unreadable files, in one sentence
 */
export async function runTemplateCommand(words: readonly string[], environment: TemplateCommandEnvironment): Promise<number> {
  const { values } = readArguments(words);
  if (values.help === true) {
    environment.stdout.write(HELP);
    return 0;
  }
  if (values.template !== undefined && values.model !== undefined) throw new StartupError('Give --template or --model, not both.');
  const now =
    clockTime(values['template-now'], '--template-now') ??
    clockTime(environment.variables['DERENDER_TEMPLATE_NOW'], 'DERENDER_TEMPLATE_NOW');
  if (values.model !== undefined) return printPrompt(await environment.loadModelTemplate(values.model), environment, now);
  if (values.template !== undefined)
    return printPrompt({ template: await readTemplate(values.template), specialTokens: {} }, environment, now);
  await answerLines(environment, now);
  return 0;
}

interface TemplateArguments {
  readonly values: { readonly template?: string; readonly model?: string; readonly 'template-now'?: string; readonly help?: boolean };
}

function readArguments(words: readonly string[]): TemplateArguments {
  try {
    return parseArgs({
      args: [...words],
      options: {
        template: { type: 'string' },
        model: { type: 'string' },
        'template-now': { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    throw new StartupError(`template: ${(error as Error).message}`);
  }
}

import { readFileSync } from 'node:fs';
import { StartupError } from '../core/errors.ts';
import type { ToolChoice, ToolDefinition } from '../core/stream-parser.ts';
import { checkParserFlags } from './choose-parsers.ts';
import { loadOptions } from './load-options.ts';
import { readModelOutput } from './model-output.ts';
import { isJsonObject } from './option-value.ts';
import type { OptionValue } from './option-value.ts';
import { parseArguments } from './parse-arguments.ts';
import { reportAnswer, reportDeltas, reportSwitches } from './parse-report.ts';
import { prepareOutput } from './parse-session.ts';
import type { ParseRequest } from './parse-session.ts';

/** What the command works with. */
export interface ParseCommandEnvironment {
  readonly stdin: NodeJS.ReadableStream;
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
  readonly variables: Readonly<Record<string, string | undefined>>;
}

const HELP = `Usage: derender-server parse [MODEL] --tool-call-parser NAME --reasoning-parser NAME [options] < output

Parses one output of a model as the server would, and prints how it splits into reasoning, content and tool calls. Standard input is the
output's text; or its token ids, as a JSON list, a list of lists (chunks), or an answer or recorded stream of /inference/v1/generate. The
server's flags hold here too (--model, --tokenizer, --tool-call-parser, --reasoning-parser, --default-chat-template-kwargs, --config, ...).
Without a model only text can be read, and markers are taken for tokens by their spelling.

  --tools FILE          JSON list of the request's tools
  --tool-choice CHOICE  auto (default), none, required, or the name of a function
  --prompt TEXT         the end of the prompt: reasoning may be open there
  --chunk N             tokens of each chunk of a stream, if the input does not say (default: 1)
  --deltas              what each chunk adds, and the size of the parsers' states
  --explain             which marker or token changed the parsers' modes, and where
  --json                print JSON, one object a line
  --help
`;

const OWN_FLAGS = ['deltas', 'explain', 'json', 'help'];
const OWN_VALUES = ['tools', 'tool-choice', 'prompt', 'chunk'];

/** The command's own options apart from the server's. */
function splitWords(words: readonly string[]): { own: Map<string, string>; rest: string[] } {
  const own = new Map<string, string>();
  const rest: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    const [, name = '', attached] = /^--([\w-]+)(?:=([^]*))?$/.exec(word) ?? (word === '-h' ? ['', 'help'] : []);
    if (OWN_FLAGS.includes(name)) own.set(name, '');
    else if (OWN_VALUES.includes(name)) {
      const value = attached ?? words[at + 1];
      if (value === undefined) throw new StartupError(`parse: --${name} needs a value.`);
      if (attached === undefined) at += 1;
      own.set(name, value);
    } else rest.push(word);
  }
  return { own, rest };
}

function readTools(path: string | undefined): ToolDefinition[] {
  if (path === undefined) return [];
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new StartupError(`parse: --tools: ${path} cannot be read as JSON: ${(error as Error).message}`);
  }
  const list: unknown = isJsonObject(value) ? value['tools'] : value;
  if (!Array.isArray(list)) throw new StartupError(`parse: --tools: ${path} must hold a list of tools.`);
  return list.map((item: unknown) => {
    const tool = isJsonObject(item) && isJsonObject(item['function']) ? item['function'] : item;
    if (!isJsonObject(tool) || typeof tool['name'] !== 'string') throw new StartupError(`parse: --tools: a tool in ${path} has no name.`);
    const { name, description, parameters } = tool;
    return {
      name,
      description: typeof description === 'string' ? description : null,
      parameters: isJsonObject(parameters) ? parameters : null,
    };
  });
}

function toolChoiceOf(text: string): ToolChoice {
  return text === 'auto' || text === 'none' || text === 'required' ? text : { name: text };
}

function chunkLengthOf(text: string): number {
  const length = Number(text);
  if (!Number.isSafeInteger(length) || length < 1) throw new StartupError(`parse: --chunk must be a number from 1, not "${text}".`);
  return length;
}

function requestOf(own: ReadonlyMap<string, string>, options: ReadonlyMap<string, OptionValue>): ParseRequest {
  const text = (name: string): string | null => (options.get(name) as string | null | undefined) ?? null;
  const kwargs = options.get('default-chat-template-kwargs');
  return {
    model: text('model'),
    tokenizer: text('tokenizer'),
    tokenizerMode: text('tokenizer-mode') ?? 'auto',
    revision: text('revision'),
    hfToken: text('hf-token'),
    toolCallParser: text('tool-call-parser'),
    reasoningParser: text('reasoning-parser'),
    chatTemplateKwargs: isJsonObject(kwargs) ? kwargs : {},
    tools: readTools(own.get('tools')),
    toolChoice: toolChoiceOf(own.get('tool-choice') ?? 'auto'),
    prompt: own.get('prompt') ?? '',
    chunkLength: chunkLengthOf(own.get('chunk') ?? '1'),
  };
}

async function readAll(stream: NodeJS.ReadableStream): Promise<string> {
  let text = '';
  stream.setEncoding('utf8');
  for await (const chunk of stream) text += String(chunk);
  return text;
}

/**
 * The command `derender-server parse`: shows how the server would split an output, chunk by chunk or token by token if asked.
 * @returns the exit code
 * @throws StartupError for wrong arguments, unreadable input, and what keeps a server from starting
 */
export async function runParseCommand(words: readonly string[], environment: ParseCommandEnvironment): Promise<number> {
  const { stdin, stdout, stderr, variables } = environment;
  const { own, rest } = splitWords(words);
  if (own.has('help')) {
    stdout.write(HELP);
    return 0;
  }
  if (own.has('deltas') && own.has('explain')) throw new StartupError('parse: give --deltas or --explain, not both.');
  const request = requestOf(own, loadOptions(parseArguments(rest), { ...variables }));
  checkParserFlags(request);
  const prepared = await prepareOutput(request, readModelOutput(await readAll(stdin)));
  for (const note of prepared.notes) stderr.write(`${note}\n`);
  const report = own.has('explain') ? reportSwitches : own.has('deltas') ? reportDeltas : reportAnswer;
  for (const line of report(prepared, own.has('json'))) stdout.write(`${line}\n`);
  return 0;
}

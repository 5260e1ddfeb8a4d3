import { StartupError } from '../core/errors.ts';
import { nearestName } from './nearest-name.ts';
import { type OptionValue, isJsonObject, readOptionText } from './option-value.ts';
import type { Option } from './option.ts';
import { OPTIONS } from './options.ts';

/** What was given on the command line. */
export interface ParsedArguments {
  /** Values by option name. */
  values: Map<string, OptionValue>;
  /** Path of `--config`, or null. */
  config: string | null;
  help: boolean;
  version: boolean;
}

const BY_NAME = new Map(OPTIONS.flatMap((option) => [option.name, ...(option.aliases ?? [])].map((name) => [name, option] as const)));

/**
 * The option of a name, as written on the command line or in a file: underscores stand for dashes.
 * @throws StartupError with the nearest name and the list of all
 */
export function optionNamed(written: string, origin: string): Option {
  const name = written.replaceAll('_', '-');
  const option = BY_NAME.get(name);
  if (option) return option;
  const names = OPTIONS.map((row) => row.name);
  const near = nearestName(name, [...BY_NAME.keys()]);
  const hint = near === undefined ? '' : ` Did you mean --${near}?`;
  throw new StartupError(
    `${origin} --${written} is no option of this server.${hint}\nOptions: ${names.map((known) => `--${known}`).join(', ')}`,
  );
}

function merge(target: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const [key, ...rest] = path as [string, ...string[]];
  if (rest.length > 0) {
    const inner = target[key];
    const next = isJsonObject(inner) ? inner : {};
    target[key] = next;
    merge(next, rest, value);
  } else if (Array.isArray(value) && Array.isArray(target[key])) {
    target[key] = [...(target[key] as unknown[]), ...value];
  } else target[key] = value;
}

/** The value of a dotted key: JSON where it reads as such, else text; a key that ends in `+` adds to a list. */
function dottedValue(text: string, isList: boolean): unknown {
  if (isList) return text.split(',');
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Reads the words of a command line from the left. */
class ArgumentReader {
  readonly result: ParsedArguments = { values: new Map(), config: null, help: false, version: false };
  private at = 0;
  private readonly words: readonly string[];

  constructor(words: readonly string[]) {
    this.words = words;
  }

  read(): ParsedArguments {
    while (this.at < this.words.length) {
      const word = this.words[this.at] as string;
      this.at += 1;
      if (word === '-h' || word === '--help') this.result.help = true;
      else if (word === '-v' || word === '--version') this.result.version = true;
      else if (word.startsWith('--') && word.length > 2) this.option(word.slice(2));
      else if (word.startsWith('-') && word.length > 1) throw new StartupError(`Unknown option ${word}. \`--help\` lists the options.`);
      else this.positional(word);
    }
    return this.result;
  }

  private positional(word: string): void {
    if (this.result.values.has('model')) throw new StartupError(`Unexpected argument "${word}": the model was already given.`);
    this.result.values.set('model', word);
  }

  private option(text: string): void {
    const equals = text.indexOf('=');
    const written = equals < 0 ? text : text.slice(0, equals);
    const attached = equals < 0 ? undefined : text.slice(equals + 1);
    const [head, ...path] = written.split('.') as [string, ...string[]];
    if (head === 'config') {
      this.result.config = attached ?? this.value('config');
    } else if (path.length > 0) this.dotted(optionNamed(head, 'Command line:'), path, attached);
    else this.plain(written, attached);
  }

  private plain(written: string, attached: string | undefined): void {
    const name = written.replaceAll('_', '-');
    if (!BY_NAME.has(name) && name.startsWith('no-') && BY_NAME.get(name.slice(3))?.kind === 'flag') {
      this.set(optionNamed(name.slice(3), ''), false);
      return;
    }
    const option = optionNamed(written, 'Command line:');
    if (option.kind === 'flag') this.set(option, attached === undefined ? true : readOptionText(option, attached));
    else if (option.kind === 'list') this.list(option, attached);
    else this.set(option, readOptionText(option, attached ?? this.value(written)));
  }

  /** A list takes all words up to the next option; as with every option, the last one given counts. */
  private list(option: Option, attached: string | undefined): void {
    const given = attached === undefined ? this.untilNextOption() : [attached];
    if (given.length === 0) throw new StartupError(`--${option.name} needs a value.`);
    this.set(option, given);
  }

  private untilNextOption(): string[] {
    const next = this.words.findIndex((word, at) => at >= this.at && word.startsWith('--'));
    const given = this.words.slice(this.at, next < 0 ? undefined : next);
    this.at += given.length;
    return given;
  }

  private dotted(option: Option, path: readonly string[], attached: string | undefined): void {
    if (option.kind !== 'json') throw new StartupError(`--${option.name} takes no members: only options with JSON values do.`);
    const last = path.at(-1) as string;
    const isList = last.endsWith('+');
    const keys = isList ? [...path.slice(0, -1), last.slice(0, -1)] : path;
    const before = this.result.values.get(option.name);
    const value: Record<string, unknown> = isJsonObject(before) ? before : {};
    merge(value, keys, dottedValue(attached ?? this.value(option.name), isList));
    this.set(option, value);
  }

  private value(written: string): string {
    const word = this.words[this.at];
    if (word === undefined || (word.startsWith('--') && word.length > 2)) throw new StartupError(`--${written} needs a value.`);
    this.at += 1;
    return word;
  }

  private set(option: Option, value: OptionValue): void {
    this.result.values.set(option.name, value);
  }
}

/**
 * Reads a command line: `--name value`, `--name=value`, `--no-name` for flags, several values for lists, JSON values also by dotted
 * keys (`--default-chat-template-kwargs.enable_thinking false`), and the model as a positional argument.
 * @throws StartupError for what is no option, or a value that does not fit
 */
export function parseArguments(words: readonly string[]): ParsedArguments {
  return new ArgumentReader(words).read();
}

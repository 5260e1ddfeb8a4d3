import { environmentName } from './load-options.ts';
import type { Option } from './option.ts';
import { OPTIONS } from './options.ts';

const HEAD = `Usage: derender-server [serve] MODEL [options]      start the server
       derender-server COMMAND --help               commands: {commands}

Turns chat requests into token ids (/render), and an engine's token ids back into OpenAI-shaped answers (/derender).
MODEL is a directory with tokenizer.json and config.json, or a hub id.

Options are also read from the environment (DERENDER_ and the name in upper case) and from --config FILE.yaml; the command
line wins over the environment, the environment over the file. --no-NAME turns a flag off. Options with JSON values also take
single members: --default-chat-template-kwargs.enable_thinking false.
`;

const WIDTH = 100;
const INDENT = ' '.repeat(6);

function wrap(text: string, indent: string, width: number): string {
  const lines: string[] = [];
  let line = indent;
  for (const word of text.split(' ')) {
    if (line.length + word.length > width && line.trim() !== '') {
      lines.push(line.trimEnd());
      line = indent;
    }
    line += `${word} `;
  }
  lines.push(line.trimEnd());
  return lines.join('\n');
}

/** The default as a person would write it; empty where the absence of a value is the default. */
function shownDefault(option: Option): string {
  if (option.default === null || option.default === false || Array.isArray(option.default)) return '';
  return `Default: ${String(option.default)}.`;
}

function usage(option: Option): string {
  const value = option.kind === 'flag' ? '' : ` ${option.placeholder ?? (option.choices ? option.choices.join('|') : 'VALUE')}`;
  return `--${option.name}${value}${option.kind === 'list' ? ' ...' : ''}`;
}

function groups(): Map<string, Option[]> {
  const result = new Map<string, Option[]>();
  for (const option of OPTIONS) result.set(option.group, [...(result.get(option.group) ?? []), option]);
  return result;
}

function details(option: Option): string {
  const choices = option.choices && option.placeholder ? `One of ${option.choices.join(', ')}.` : '';
  return [option.help, choices, shownDefault(option)].filter((part) => part !== '').join(' ');
}

/** The text of `--help`. */
export function helpText(commands: readonly string[]): string {
  const parts = [HEAD.replace('{commands}', commands.join(', '))];
  for (const [group, options] of groups()) {
    parts.push(`${group}:`);
    for (const option of options) parts.push(`  ${usage(option)}`, wrap(details(option), INDENT, WIDTH));
    parts.push('');
  }
  parts.push(
    'Other:',
    '  --config FILE.yaml',
    wrap('Options from a file: names without dashes, YAML values.', INDENT, WIDTH),
    '  -h, --help',
    '  -v, --version',
    '',
  );
  return parts.join('\n');
}

/** The table as Markdown, for the README. */
export function optionsMarkdown(): string {
  const parts: string[] = [];
  for (const [group, options] of groups()) {
    parts.push(`**${group}**`, '', '| Option | Environment | Meaning |', '|---|---|---|');
    for (const option of options) {
      const cell = (text: string): string => text.replaceAll('|', '\\|');
      parts.push(`| \`${cell(usage(option))}\` | \`${environmentName(option)}\` | ${cell(details(option))} |`);
    }
    parts.push('');
  }
  return parts.join('\n');
}

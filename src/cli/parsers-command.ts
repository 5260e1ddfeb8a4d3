import { parseArgs } from 'node:util';
import { StartupError } from '../core/errors.ts';
import { allFormats } from '../parsers/registry.ts';

const HELP = `Usage: derender-server parsers [--json]

Lists the formats that --tool-call-parser and --reasoning-parser name: their names, the models that write them, and a sample.
`;

interface ListedFormat {
  /** The names that each flag takes, the format's own first. */
  tool_call_parser: readonly string[];
  reasoning_parser: readonly string[];
  models: string;
  sample: string;
}

function listFormats(): ListedFormat[] {
  return allFormats().map((format) => {
    const { kind, name, aliases, models, sample } = format;
    const names = [name, ...aliases];
    return {
      tool_call_parser: kind === 'unified' ? format.toolNames : kind === 'tool' ? names : [],
      reasoning_parser: kind === 'unified' ? format.reasoningNames : kind === 'reasoning' ? names : [],
      models,
      sample,
    };
  });
}

function describe({ tool_call_parser: tool, reasoning_parser: reasoning, models, sample }: ListedFormat): string {
  const flags = [
    ...(tool.length > 0 ? [`--tool-call-parser ${tool.join(' | ')}`] : []),
    ...(reasoning.length > 0 ? [`--reasoning-parser ${reasoning.join(' | ')}`] : []),
  ];
  const indented = sample.split('\n').map((line) => `    ${line}`);
  return [...flags, `  ${models}`, ...indented, ''].join('\n');
}

/**
 * The command `derender-server parsers`: lists the formats.
 * @returns the exit code
 * @throws StartupError for wrong arguments
 */
export function runParsersCommand(words: readonly string[], stdout: NodeJS.WritableStream): number {
  let values: { json?: boolean; help?: boolean };
  try {
    ({ values } = parseArgs({ args: [...words], options: { json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } }));
  } catch (error) {
    throw new StartupError(`parsers: ${(error as Error).message}`);
  }
  if (values.help === true) stdout.write(HELP);
  else if (values.json === true) stdout.write(`${JSON.stringify(listFormats(), null, 2)}\n`);
  else stdout.write(`${listFormats().map(describe).join('\n')}\n`);
  return 0;
}

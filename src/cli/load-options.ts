import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { StartupError } from '../core/errors.ts';
import { type OptionValue, isJsonObject, readOptionText, readOptionValue } from './option-value.ts';
import type { Option } from './option.ts';
import { OPTIONS } from './options.ts';
import { optionNamed, type ParsedArguments } from './parse-arguments.ts';

/** The environment variable of an option. */
export function environmentName(option: Option): string {
  return `DERENDER_${option.name.replaceAll('-', '_').toUpperCase()}`;
}

function fromEnvironment(option: Option, environment: NodeJS.ProcessEnv): OptionValue | undefined {
  for (const name of [environmentName(option), ...(option.environment ?? [])]) {
    const text = environment[name];
    // Kubernetes sets DERENDER_PORT=tcp://... for pods beside a service called "derender".
    if (text === undefined || text === '' || (option.name === 'port' && text.startsWith('tcp://'))) continue;
    return readOptionText(option, text);
  }
  return undefined;
}

function readConfig(path: string): Map<string, OptionValue> {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new StartupError(`The configuration file ${path} cannot be read: ${(error as Error).message}`);
  }
  let document: unknown;
  try {
    document = parse(text);
  } catch (error) {
    throw new StartupError(`The configuration file ${path} is not valid YAML: ${(error as Error).message.split('\n')[0] ?? ''}`);
  }
  if (document === null || document === undefined) return new Map();
  if (!isJsonObject(document)) throw new StartupError(`The configuration file ${path} must hold option names and values.`);
  return new Map(
    Object.entries(document).map(([written, value]) => {
      const option = optionNamed(written.replace(/^--/, ''), `${path}:`);
      return [option.name, readOptionValue(option, value)] as const;
    }),
  );
}

/**
 * The value of every option: command line over environment over `--config` file over default.
 * @throws StartupError for an unreadable file, unknown names, and values that do not fit
 */
export function loadOptions(given: ParsedArguments, environment: NodeJS.ProcessEnv): Map<string, OptionValue> {
  const path = given.config ?? environment['DERENDER_CONFIG'] ?? null;
  const config = path === null || path === '' ? new Map<string, OptionValue>() : readConfig(path);
  return new Map(
    OPTIONS.map((option) => {
      const value = given.values.get(option.name) ?? fromEnvironment(option, environment) ?? config.get(option.name) ?? option.default;
      return [option.name, value] as const;
    }),
  );
}

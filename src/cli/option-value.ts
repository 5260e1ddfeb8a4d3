import { StartupError } from '../core/errors.ts';
import { nearestName } from './nearest-name.ts';
import type { Option } from './option.ts';

/** A value as the table's kinds give it; `json` gives any. */
export type OptionValue = string | number | boolean | readonly string[] | object | null;

const MULTIPLIERS: Readonly<Record<string, number>> = {
  k: 1e3,
  m: 1e6,
  g: 1e9,
  t: 1e12,
  K: 2 ** 10,
  M: 2 ** 20,
  G: 2 ** 30,
  T: 2 ** 40,
};
const TRUE_WORDS = new Set(['true', '1', 'yes', 'on']);
const FALSE_WORDS = new Set(['false', '0', 'no', 'off', '']);

/** Whether a value is a JSON object. */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function refuse(option: Option, shown: string, wanted: string): never {
  throw new StartupError(`--${option.name} must be ${wanted}, not ${option.secret ? 'the given value' : JSON.stringify(shown)}.`);
}

function readCount(option: Option, text: string): number {
  const match = /^(-?\d+(?:\.\d+)?)([kmgtKMGT]?)$/.exec(text.trim());
  const number = Number(match?.[1]) * (MULTIPLIERS[match?.[2] ?? ''] ?? 1);
  if (!match || !Number.isSafeInteger(number)) refuse(option, text, 'a whole number such as 4096, 4k or 4K');
  return number;
}

/**
 * Reads an option's value from text (command line or environment).
 * @throws StartupError where it does not fit the option's kind or choices
 */
export function readOptionText(option: Option, text: string): OptionValue {
  switch (option.kind) {
    case 'flag': {
      const word = text.trim().toLowerCase();
      if (TRUE_WORDS.has(word)) return true;
      return FALSE_WORDS.has(word) ? false : refuse(option, text, 'true or false');
    }
    case 'integer':
      return /^\s*-?\d+\s*$/.test(text) ? Number(text) : refuse(option, text, 'a whole number');
    case 'count':
      if (option.name === 'max-model-len' && /^\s*(auto|-1)\s*$/.test(text)) return null;
      return readCount(option, text);
    case 'json':
      try {
        return JSON.parse(text) as OptionValue;
      } catch {
        return refuse(option, text, 'JSON');
      }
    case 'list':
      if (text.trimStart().startsWith('[')) return readOptionValue(option, readOptionText({ ...option, kind: 'json' }, text));
      return text
        .split(',')
        .map((item) => item.trim())
        .filter((item) => item !== '');
    default:
      return checkChoice(option, text);
  }
}

function checkChoice(option: Option, text: string): string {
  if (!option.choices || option.choices.includes(text)) return text;
  const near = nearestName(text, option.choices);
  const hint = near === undefined ? '' : ` Did you mean ${near}?`;
  throw new StartupError(`--${option.name} must be one of ${option.choices.join(', ')}, not ${JSON.stringify(text)}.${hint}`);
}

/**
 * Reads an option's value from a configuration file, where values have types of their own.
 * @throws StartupError where it does not fit
 */
export function readOptionValue(option: Option, value: unknown): OptionValue {
  if (value === null || value === undefined) return option.default;
  if (option.kind === 'json') return typeof value === 'string' ? readOptionText(option, value) : value;
  if (option.kind === 'list') {
    const items = Array.isArray(value) ? value : [value];
    return items.map((item: unknown) =>
      typeof item === 'string' || typeof item === 'number' ? String(item) : refuse(option, JSON.stringify(item), 'a list of texts'),
    );
  }
  if (typeof value === 'object') refuse(option, JSON.stringify(value), 'a single value');
  return readOptionText(option, typeof value === 'string' ? value : JSON.stringify(value));
}

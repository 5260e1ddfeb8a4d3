import { badRequest } from '../../../core/errors.ts';
import { PythonNumber } from '../../../core/python-json.ts';

const NAMED = new Map([
  ['none', 0],
  ['minimal', 0.1],
  ['low', 0.2],
  ['medium', 0.7],
  ['high', 0.9],
  ['xhigh', 0.99],
  ['max', 0.99],
]);
const HIGHEST = 0.99;

function readEffort(value: unknown): number | undefined {
  if (value === null || value === undefined) return NAMED.get('high');
  if (typeof value === 'string') return NAMED.get(value);
  if (value instanceof PythonNumber) return Number(value.text);
  return typeof value === 'number' ? value : undefined;
}

/** Two decimals as Python rounds them: a half (possible at eighths only) goes to the even digit. */
function twoDecimals(value: number): string {
  const hundredths = value * 100;
  if (!Number.isInteger(value * 8) || hundredths % 1 !== 0.5) return value.toFixed(2);
  return ((2 * Math.round(hundredths / 2)) / 100).toFixed(2);
}

/**
 * The line that tells the model how long to think; undefined where the argument says nothing that the model knows.
 * @throws ApiError (400) for a number outside 0 … 0.99
 */
export function reasoningEffortText(value: unknown): string | undefined {
  const effort = readEffort(value);
  if (effort === undefined) return undefined;
  if (!(effort >= 0 && effort <= HIGHEST)) throw badRequest(`reasoning_effort must be a number from 0 to ${HIGHEST}.`);
  const digits = twoDecimals(effort).replace(/\.?0+$/, '');
  return `Thinking effort level: ${digits === '0' || digits === '' ? '0.0' : digits}`;
}

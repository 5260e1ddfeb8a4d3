import { badRequest } from '../core/errors.ts';
import { PythonNumber } from '../core/python-json.ts';

/**
 * Whether a value holds numbers or member orders that only the lossless reader keeps.
 * @throws ApiError 400 for a number without a JSON form
 */
function isExact(value: unknown): boolean {
  if (typeof value === 'number' && !Number.isFinite(value)) throw badRequest('Out of range float values are not JSON compliant.');
  if (typeof value !== 'object' || value === null) return false;
  let exact = value instanceof PythonNumber || value instanceof Map;
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at += 1) exact = isExact(value[at]) || exact;
  } else if (value instanceof Map) {
    for (const item of value.values()) isExact(item);
  } else {
    for (const key in value) exact = isExact((value as Record<string, unknown>)[key]) || exact;
  }
  return exact;
}

function writeExact(value: unknown): string {
  if (value instanceof PythonNumber) return value.text;
  if (Array.isArray(value)) return `[${value.map((item) => (item === undefined ? 'null' : writeExact(item))).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = value instanceof Map ? [...value] : Object.entries(value).filter(([, item]) => item !== undefined);
  return `{${members.map(([key, item]) => `${JSON.stringify(key)}:${writeExact(item)}`).join(',')}}`;
}

/** `\ud800`-`\udfff` behind an even number of backslashes: JSON.stringify writes lone surrogates so, and paired ones as characters. */
const LONE_SURROGATE = /(?<!\\)(?:\\\\)*\\ud[89a-f][0-9a-f]{2}/;

/**
 * The JSON text of an answer. Values that the lossless reader gave are written as they were read.
 * @throws ApiError 400 where the request made the answer hold NaN, an infinity, or text that is not Unicode
 */
export function answerText(value: unknown): string {
  const text = isExact(value) ? writeExact(value) : JSON.stringify(value);
  if (text.includes(String.raw`\ud`) && LONE_SURROGATE.test(text)) {
    throw badRequest('The request holds half of a surrogate pair, which the answer would repeat and which is not Unicode text.');
  }
  return text;
}

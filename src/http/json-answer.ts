import { badRequest } from '../core/errors.ts';

/** Whether a number without a JSON form is somewhere in a value. */
function hasNonFinite(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at += 1) if (hasNonFinite(value[at])) return true;
    return false;
  }
  for (const key in value) if (hasNonFinite((value as Record<string, unknown>)[key])) return true;
  return false;
}

/** `\ud800`-`\udfff` not preceded by an odd backslash: JSON.stringify writes lone surrogates so, and paired ones as characters. */
const LONE_SURROGATE = /(?<!\\)(?:\\\\)*\\ud[89a-f][0-9a-f]{2}/;

/**
 * The JSON text of an answer.
 * @throws ApiError 400 where the request made the answer hold NaN, an infinity, or text that is not Unicode
 */
export function answerText(value: unknown): string {
  if (hasNonFinite(value)) throw badRequest('Out of range float values are not JSON compliant.');
  const text = JSON.stringify(value);
  if (text.includes('\\ud') && LONE_SURROGATE.test(text)) {
    throw badRequest('The request holds half of a surrogate pair, which the answer would repeat and which is not Unicode text.');
  }
  return text;
}

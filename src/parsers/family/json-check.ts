import { z } from 'zod';
import { afterJsonValue, followJson, JSON_EXPECTATIONS, JSON_SCALAR, JSON_SPACE, MAX_JSON_DEPTH } from './json-grammar.ts';
import type { JsonPlace } from './json-grammar.ts';

/**
 * Follows a JSON text unit by unit and tells at once where it cannot be JSON any more. Numbers and words are not looked into: the reader
 * that gets the finished text does that.
 */
export interface JsonCheck extends JsonPlace {
  /** The last unit was a backslash inside a string. */
  escaped: boolean;
}

export const jsonCheckState: z.ZodType<JsonCheck> = z.object({
  stack: z.string().max(MAX_JSON_DEPTH),
  expect: z.enum(JSON_EXPECTATIONS),
  escaped: z.boolean(),
});

export function startCheck(): JsonCheck {
  return { stack: '', expect: 'value', escaped: false };
}

/**
 * Reads on in `text` from `from` until the value is done, or cannot be JSON, or the text ends.
 * @returns the UTF-16 offset behind the last unit that belongs to the value
 */
export function checkJson(check: JsonCheck, text: string, from: number): number {
  let at = from;
  while (at < text.length && check.expect !== 'done' && check.expect !== 'broken') {
    if (step(check, text[at] ?? '')) at += 1;
  }
  return at;
}

/** Takes one unit; false where it does not belong to what was read so far. */
function step(check: JsonCheck, c: string): boolean {
  if (check.expect === 'in-string' || check.expect === 'in-key') {
    if (check.escaped) check.escaped = false;
    else if (c === '\\') check.escaped = true;
    else if (c === '"' && check.expect === 'in-key') check.expect = 'colon';
    else if (c === '"') check.expect = afterJsonValue(check);
    return true;
  }
  if (check.expect === 'in-scalar') {
    if (JSON_SCALAR.test(c)) return true;
    check.expect = afterJsonValue(check);
    return false;
  }
  if (JSON_SPACE.test(c)) return true;
  const next = followJson(check, c);
  if (next === null) {
    check.expect = 'broken';
    return false;
  }
  check.expect = next;
  return true;
}

import { z } from 'zod';

/** Our reader of finished JSON gives up beyond this nesting. */
const MAX_DEPTH = 500;

/**
 * Follows a JSON text unit by unit and tells at once where it cannot be JSON any more. Numbers and words are not looked into: the reader
 * that gets the finished text does that.
 */
export interface JsonCheck {
  /** Open brackets and braces, outermost first. */
  stack: string;
  /** What may come next; `done`: the outermost value is closed. */
  expect:
    | 'value'
    | 'value-or-end'
    | 'key'
    | 'key-or-end'
    | 'colon'
    | 'comma-or-end'
    | 'in-key'
    | 'in-string'
    | 'in-scalar'
    | 'done'
    | 'broken';
  /** The last unit was a backslash inside a string. */
  escaped: boolean;
}

export const jsonCheckState: z.ZodType<JsonCheck> = z.object({
  stack: z.string().max(MAX_DEPTH),
  expect: z.enum([
    'value',
    'value-or-end',
    'key',
    'key-or-end',
    'colon',
    'comma-or-end',
    'in-key',
    'in-string',
    'in-scalar',
    'done',
    'broken',
  ]),
  escaped: z.boolean(),
});

export function startCheck(): JsonCheck {
  return { stack: '', expect: 'value', escaped: false };
}

const SPACE = /[ \t\n\r]/;
const SCALAR = /[-\w.+]/;

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
    else if (c === '"') endValue(check);
    return true;
  }
  if (check.expect === 'in-scalar') {
    if (SCALAR.test(c)) return true;
    endValue(check);
    return false;
  }
  if (SPACE.test(c)) return true;
  const next = follow(check, c);
  if (next === null) {
    check.expect = 'broken';
    return false;
  }
  check.expect = next;
  return true;
}

function endValue(check: JsonCheck): void {
  check.expect = check.stack === '' ? 'done' : 'comma-or-end';
}

function follow(check: JsonCheck, c: string): JsonCheck['expect'] | null {
  const { expect, stack } = check;
  if (expect === 'colon') return c === ':' ? 'value' : null;
  if (expect === 'key' || expect === 'key-or-end') {
    if (c === '"') return 'in-key';
    return c === '}' && expect === 'key-or-end' ? leave(check) : null;
  }
  if (expect === 'comma-or-end') {
    if (c === ',') return stack.endsWith('{') ? 'key' : 'value';
    return c === (stack.endsWith('{') ? '}' : ']') ? leave(check) : null;
  }
  if (c === ']' && expect === 'value-or-end') return leave(check);
  if (c === '"') return 'in-string';
  if (c === '{' || c === '[') {
    if (stack.length >= MAX_DEPTH) return null;
    check.stack += c;
    return c === '{' ? 'key-or-end' : 'value-or-end';
  }
  return SCALAR.test(c) ? 'in-scalar' : null;
}

function leave(check: JsonCheck): JsonCheck['expect'] {
  check.stack = check.stack.slice(0, -1);
  return check.stack === '' ? 'done' : 'comma-or-end';
}

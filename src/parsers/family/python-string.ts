import { z } from 'zod';
import { isBlank } from './white-space.ts';

/**
 * The inside of a Python string literal, read unit by unit and written as the inside of a JSON string. The end of the text read so far
 * is kept back while it is a comma or space, as the reference does when it completes an unfinished literal.
 */
export interface PythonString {
  /** `'`, `"`, or three of them. */
  quote: string;
  raw: boolean;
  /** An f-string: braces would make it an expression. */
  formatted: boolean;
  /** An escape that is not finished, or quotes that may become the closing ones. */
  pending: string;
  /** JSON of the comma and space at the end. */
  tail: string;
}

export const pythonStringState: z.ZodType<PythonString> = z.object({
  quote: z.string(),
  raw: z.boolean(),
  formatted: z.boolean(),
  pending: z.string(),
  tail: z.string(),
});

/** Prefixes of literals that stand for text without expressions. */
export function startString(prefix: string, quote: string): PythonString | null {
  if (!/^(?:u|r|f|rf|fr)?$/i.test(prefix)) return null;
  return { quote, raw: /r/i.test(prefix), formatted: /f/i.test(prefix), pending: '', tail: '' };
}

const SIMPLE_ESCAPES = new Map([
  ['\n', ''],
  ['\\', '\\'],
  ["'", "'"],
  ['"', '"'],
  ['a', '\x07'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['v', '\v'],
]);
const HEX_LENGTHS = new Map([
  ['x', 2],
  ['u', 4],
  ['U', 8],
]);

/** The value of an escape: null while it is not finished. `unread` where its last unit does not belong to it. */
function readEscape(text: string): { value: string; unread: boolean } | null {
  const kind = text.slice(1, 2);
  if (kind === '') return null;
  const simple = SIMPLE_ESCAPES.get(kind);
  if (simple !== undefined) return { value: simple, unread: false };
  const length = HEX_LENGTHS.get(kind);
  if (length !== undefined) {
    const digits = text.slice(2);
    if (!/^[0-9a-fA-F]*$/.test(digits)) return { value: text.slice(0, -1), unread: true };
    if (digits.length < length) return null;
    const code = Number.parseInt(digits, 16);
    return { value: code > 0x10ffff ? text : String.fromCodePoint(code), unread: false };
  }
  if (!/^[0-7]/.test(kind)) return { value: text, unread: false };
  const digits = /^[0-7]{1,3}/.exec(text.slice(1))?.[0] ?? '';
  const unread = digits.length < text.length - 1;
  return digits.length < 3 && !unread ? null : { value: String.fromCharCode(Number.parseInt(digits, 8)), unread };
}

function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** What reading in a string came to. */
export interface StringStep {
  /** UTF-16 offset behind what was read. */
  at: number;
  /** JSON to write. */
  json: string;
  state: 'open' | 'closed' | 'broken';
}

/** Reads on in `text` from `from` until the literal is closed, or cannot be one without expressions, or the text ends. */
export function readString(string: PythonString, text: string, from: number): StringStep {
  let json = '';
  const take = (value: string, isLiteral: boolean): void => {
    const written = escaped(value);
    if (isLiteral && value === ',') {
      json += string.tail;
      string.tail = ',';
    } else if (isLiteral && isBlank(value) && !/[\n\r\t]/.test(value)) {
      string.tail += written;
    } else {
      json += string.tail + written;
      string.tail = '';
    }
  };
  for (let at = from; at < text.length;) {
    const c = String.fromCodePoint(text.codePointAt(at) ?? 0);
    if (string.pending.startsWith('\\')) {
      at += takeEscaped(string, c, take);
      continue;
    }
    if (c === string.quote[0]) {
      string.pending += c;
      at += 1;
      if (string.pending.length < string.quote.length) continue;
      string.pending = '';
      json += string.tail;
      string.tail = '';
      return { at, json, state: 'closed' };
    }
    for (const quote of string.pending) take(quote, true);
    string.pending = '';
    if (string.formatted && (c === '{' || c === '}')) return { at, json, state: 'broken' };
    if (c === '\\') string.pending = c;
    else take(c, true);
    at += c.length;
  }
  return { at: text.length, json, state: 'open' };
}

/** Takes one unit of an escape; answers how many units it took. */
function takeEscaped(string: PythonString, c: string, take: (value: string, isLiteral: boolean) => void): number {
  const pending = string.pending + c;
  if (string.raw) {
    string.pending = '';
    take('\\', true);
    take(c, true);
    return c.length;
  }
  const escape = readEscape(pending);
  string.pending = escape ? '' : pending;
  if (!escape) return c.length;
  take(escape.value, false);
  return escape.unread ? 0 : c.length;
}

/** Whether the text read so far could be completed by the closing quote. */
export function isCompletable(string: PythonString): boolean {
  return string.pending === '' && string.quote.length === 1;
}

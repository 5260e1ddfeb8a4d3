import { z } from 'zod';
import { dumps, tryLoads } from '../../core/python-json.ts';
import { afterJsonValue, followJson, JSON_EXPECTATIONS, JSON_SCALAR, JSON_SPACE, MAX_JSON_DEPTH } from './json-grammar.ts';
import type { JsonExpectation, JsonPlace } from './json-grammar.ts';

/**
 * Reads JSON as it comes and writes it again as Python's `json.dumps` would: what a reader that completes the text so far (dropping
 * members without a value, closing what is open) would serialise, up to its closing units.
 */
export interface JsonMirror extends JsonPlace {
  /** The key or scalar so far, as written. */
  word: string;
  /** An escape that is not finished. */
  escape: string;
  /** The member whose value is expected, written; empty outside of objects. */
  key: string;
  /** Nothing stands in the innermost container yet. */
  first: boolean;
  /** What was written and not taken yet. */
  json: string;
}

export const jsonMirrorState: z.ZodType<JsonMirror> = z.object({
  stack: z.string().max(MAX_JSON_DEPTH),
  expect: z.enum(JSON_EXPECTATIONS),
  word: z.string(),
  escape: z.string(),
  key: z.string(),
  first: z.boolean(),
  json: z.string(),
});

export function startMirror(): JsonMirror {
  return { stack: '', expect: 'value', word: '', escape: '', key: '', first: true, json: '' };
}

const LITERALS: readonly string[] = ['true', 'false', 'null'];

/**
 * Reads on in `text` from `from`, until the value is done or cannot be JSON, or the text ends.
 * @returns the UTF-16 offset behind what was read
 */
export function readMirror(mirror: JsonMirror, text: string, from: number): number {
  let at = from;
  while (at < text.length && mirror.expect !== 'done' && mirror.expect !== 'broken') {
    if (mirror.expect === 'in-string') at = readString(mirror, text, at);
    else if (step(mirror, text[at] ?? '')) at += 1;
  }
  return at;
}

/** Closing units of what is open: they would complete the JSON. */
export function mirrorClosers({ stack, expect }: JsonMirror): string {
  let closers = expect === 'in-string' ? '"' : '';
  for (let at = stack.length - 1; at >= 0; at -= 1) closers += stack[at] === '{' ? '}' : ']';
  return closers;
}

/** The open scalar as it would be read if the text ended here, with what parts it from what stands before; empty where none is open. */
export function mirrorScalar(mirror: JsonMirror): string {
  const scalar = mirror.expect === 'in-scalar' ? readableScalar(mirror.word) : '';
  return scalar === '' ? '' : beginning(mirror) + scalar;
}

/** What can be read of a scalar whose end is missing or wrong. */
function readableScalar(word: string): string {
  const literal = LITERALS.find((name) => name[0] === word[0]);
  const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/.exec(word)?.[0];
  const value = number === undefined ? undefined : tryLoads(number);
  return literal ?? (value === undefined ? '' : dumps(value));
}

/** What stands in front of the next value. */
function beginning({ first, key }: JsonMirror): string {
  return `${first ? '' : ', '}${key === '' ? '' : `${key}: `}`;
}

function begin(mirror: JsonMirror, written: string): void {
  mirror.json += beginning(mirror) + written;
  mirror.key = '';
  mirror.first = false;
}

/** Takes one unit outside of string values; false where it does not belong to what was read so far. */
function step(mirror: JsonMirror, c: string): boolean {
  if (mirror.expect === 'in-key') return readKey(mirror, c);
  if (mirror.expect === 'in-scalar') return readScalar(mirror, c);
  if (JSON_SPACE.test(c)) return true;
  const next = follow(mirror, c);
  mirror.expect = next ?? 'broken';
  return next !== null && next !== 'in-scalar';
}

/** Writes what a unit opens or closes. */
function follow(mirror: JsonMirror, c: string): JsonExpectation | null {
  const next = followJson(mirror, c);
  if (next === null) return null;
  if (next === 'in-string') begin(mirror, c);
  else if (c === '{' || c === '[') {
    begin(mirror, c);
    mirror.first = true;
  } else if (c === '}' || c === ']') {
    mirror.json += c;
    mirror.first = false;
  }
  return next;
}

function readKey(mirror: JsonMirror, c: string): boolean {
  const closes = c === '"' && mirror.escape === '';
  mirror.escape = c === '\\' && mirror.escape === '' ? c : '';
  if (!closes) {
    mirror.word += c;
    return true;
  }
  const key = tryLoads(`"${mirror.word}"`);
  mirror.key = typeof key === 'string' ? dumps(key) : `"${mirror.word}"`;
  mirror.word = '';
  mirror.expect = 'colon';
  return true;
}

function readScalar(mirror: JsonMirror, c: string): boolean {
  if (JSON_SCALAR.test(c)) {
    mirror.word += c;
    if (LITERALS.includes(mirror.word)) endScalar(mirror, mirror.word);
    return true;
  }
  const value = tryLoads(mirror.word);
  const readable = value === undefined ? readableScalar(mirror.word) : dumps(value);
  // What was read of it may have been given out.
  if (readable !== '') endScalar(mirror, readable);
  if (value === undefined) mirror.expect = 'broken';
  return false;
}

function endScalar(mirror: JsonMirror, written: string): void {
  begin(mirror, written);
  mirror.word = '';
  mirror.expect = afterJsonValue(mirror);
}

function readString(mirror: JsonMirror, text: string, from: number): number {
  let plain = '';
  const write = (): void => {
    if (plain !== '') mirror.json += JSON.stringify(plain).slice(1, -1);
    plain = '';
  };
  for (let at = from; at < text.length; at += 1) {
    const c = text[at] ?? '';
    if (mirror.escape !== '' && !takeEscaped(mirror, c)) {
      const value = tryLoads(`"${mirror.escape}"`);
      plain += typeof value === 'string' ? value : mirror.escape;
      mirror.escape = '';
    } else if (mirror.escape !== '') {
      continue;
    }
    if (c === '"') {
      write();
      mirror.json += '"';
      mirror.expect = afterJsonValue(mirror);
      return at + 1;
    }
    if (c === '\\') mirror.escape = c;
    else plain += c;
  }
  const known = mirror.escape === '' || isUnfinished(mirror.escape) ? '' : tryLoads(`"${mirror.escape}"`);
  if (typeof known === 'string' && known !== '') {
    plain += known;
    mirror.escape = '';
  }
  write();
  return text.length;
}

const UNFINISHED = /^\\(?:u[\da-fA-F]{0,3}|u[dD][89abAB][\da-fA-F]{2}(?:\\(?:u[\da-fA-F]{0,3})?)?)?$/;

/** Whether an escape needs more units; the first half of a surrogate pair waits for the second. */
function isUnfinished(escape: string): boolean {
  return UNFINISHED.test(escape);
}

/** Adds a unit to an escape; false where the escape was complete before it. */
function takeEscaped(mirror: JsonMirror, c: string): boolean {
  if (!isUnfinished(mirror.escape)) return false;
  if (mirror.escape.length === 6 && c !== '\\') return false;
  mirror.escape += c;
  return true;
}

import { z } from 'zod';
import { scalarJson } from './python-scalar.ts';
import { pythonStringState, readString, startString } from './python-string.ts';
import type { PythonString } from './python-string.ts';
import { isBlank } from './white-space.ts';

/** Reads a Python literal unit by unit and writes it as JSON: tuples and sets as lists, keys that are no strings as strings. */
export interface PythonLiteral {
  /** `closed`: behind a string's closing quote, which may still turn out to belong to it; `complete`: at a unit that is no part of the literal. */
  mode: 'value' | 'scalar' | 'string' | 'closed' | 'after' | 'complete' | 'broken';
  frames: Frame[];
  /** A number or name so far, and what was written of it. */
  word: string;
  written: string;
  string: PythonString;
  /** Nothing was read in the string yet. */
  fresh: boolean;
  /** White space behind the closing quote. */
  gap: string;
  /** A set was read; a quote was taken for a part of its string. */
  sets: boolean;
  mended: boolean;
  /** The JSON so far. While a tuple, a set or a dict not known as such is open, nothing may be taken from it. */
  json: string;
}

interface Frame {
  /** `brace`: a dict or a set, not known yet. */
  kind: 'list' | 'paren' | 'brace' | 'dict' | 'set';
  items: number;
  /** Where the container, or in a dict the key, begins in `json`. */
  start: number;
  /** In a dict: before the colon. */
  key: boolean;
}

const MAX_DEPTH = 100;

export const pythonLiteralState: z.ZodType<PythonLiteral> = z.object({
  mode: z.enum(['value', 'scalar', 'string', 'closed', 'after', 'complete', 'broken']),
  frames: z
    .array(
      z.object({ kind: z.enum(['list', 'paren', 'brace', 'dict', 'set']), items: z.int().min(0), start: z.int().min(0), key: z.boolean() }),
    )
    .max(MAX_DEPTH + 1),
  word: z.string(),
  written: z.string(),
  string: pythonStringState,
  fresh: z.boolean(),
  gap: z.string(),
  sets: z.boolean(),
  mended: z.boolean(),
  json: z.string(),
});

const SCALAR = /[-+\w.]/;
/** What can stand behind a value. */
const FOLLOWERS = ',)]}:';

export function startLiteral(): PythonLiteral {
  return {
    mode: 'value',
    frames: [],
    word: '',
    written: '',
    string: { quote: "'", raw: false, formatted: false, pending: '', tail: '' },
    fresh: false,
    gap: '',
    sets: false,
    mended: false,
    json: '',
  };
}

/**
 * Reads on in `text` from `from`, until the literal is complete or broken, or the text ends.
 * @param mendsQuotes whether a quote with nothing behind it that can follow a value belongs to its string
 * @returns the UTF-16 offset behind what was read
 */
export function readLiteral(literal: PythonLiteral, text: string, from: number, mendsQuotes: boolean): number {
  let at = from;
  while (at < text.length && literal.mode !== 'complete' && literal.mode !== 'broken') {
    if (literal.mode === 'string') at = readInString(literal, text, at);
    else if (step(literal, text[at] ?? '', mendsQuotes)) at += 1;
  }
  return at;
}

function readInString(literal: PythonLiteral, text: string, at: number): number {
  const { at: end, json, state } = readString(literal.string, text, at);
  literal.json += json;
  literal.fresh &&= state === 'closed' && end === at + 1;
  if (state === 'closed') literal.mode = 'closed';
  if (state === 'broken') literal.mode = 'broken';
  literal.gap = '';
  return end;
}

/** Takes one unit; false where it has to be looked at again. */
function step(literal: PythonLiteral, c: string, mendsQuotes: boolean): boolean {
  if (literal.mode === 'value') return value(literal, c);
  if (literal.mode === 'scalar') return scalar(literal, c);
  return literal.mode === 'closed' ? closed(literal, c, mendsQuotes) : after(literal, c);
}

function value(literal: PythonLiteral, c: string): boolean {
  if (isBlank(c)) return true;
  const frame = literal.frames.at(-1);
  if (frame && (frame.kind !== 'dict' || frame.key)) {
    if (c === closerOf(frame)) return closeFrame(literal, frame);
    if (frame.items > 0) literal.json += ', ';
    if (frame.kind === 'dict') frame.start = literal.json.length;
  }
  if (c === '"' || c === "'") return openString(literal, '', c);
  if (c === '[' || c === '(' || c === '{') return openFrame(literal, c);
  literal.mode = SCALAR.test(c) ? 'scalar' : 'broken';
  return false;
}

function openString(literal: PythonLiteral, prefix: string, quote: string): true {
  const string = startString(prefix, quote);
  literal.mode = string ? 'string' : 'broken';
  if (string) literal.string = string;
  literal.fresh = true;
  literal.json += '"';
  return true;
}

function openFrame(literal: PythonLiteral, c: string): true {
  const kind = c === '[' ? 'list' : c === '(' ? 'paren' : 'brace';
  literal.frames.push({ kind, items: 0, start: literal.json.length, key: kind === 'brace' });
  if (literal.frames.length > MAX_DEPTH) literal.mode = 'broken';
  if (kind !== 'paren') literal.json += c;
  return true;
}

function closerOf({ kind }: Frame): string {
  return kind === 'list' ? ']' : kind === 'paren' ? ')' : '}';
}

/** Writes `text` over `length` units of the JSON at `at`. */
function patch(literal: PythonLiteral, at: number, length: number, text: string): void {
  literal.json = literal.json.slice(0, at) + text + literal.json.slice(at + length);
}

function closeFrame(literal: PythonLiteral, { kind, items, start }: Frame): true {
  literal.frames.pop();
  literal.mode = 'after';
  if (kind === 'paren' && literal.json.length === start) literal.json += '[]';
  else if (kind === 'list' || kind === 'set' || (kind === 'paren' && items > 0)) literal.json += ']';
  else if (kind !== 'paren') literal.json += '}';
  return true;
}

function scalar(literal: PythonLiteral, c: string): boolean {
  const { word } = literal;
  if (SCALAR.test(c)) {
    literal.word += c;
    return true;
  }
  literal.word = '';
  if (c === '"' || c === "'") return openString(literal, word, c);
  const json = scalarJson(word);
  literal.mode = json === null ? 'broken' : 'after';
  literal.json += json?.slice(literal.written.length) ?? '';
  literal.written = '';
  return false;
}

/** Numbers that only grow at their end when they go on. */
const GROWING = /^-?(?:0|[1-9]\d*)(?:\.\d*[1-9])?$/;

/** Whether the open scalar reads as one already, and goes on so if it goes on. */
export function isScalarSoFar({ mode, word }: PythonLiteral): boolean {
  return mode === 'scalar' && (GROWING.test(word) || (/^[A-Za-z]/.test(word) && scalarJson(word) !== null));
}

/** Writes the open scalar as far as it has come; only where `isScalarSoFar`. */
export function writeScalarSoFar(literal: PythonLiteral): void {
  const json = scalarJson(literal.word) ?? '';
  literal.json += json.slice(literal.written.length);
  literal.written = json;
}

function closed(literal: PythonLiteral, c: string, mendsQuotes: boolean): boolean {
  const { string, gap } = literal;
  const quote = string.quote[0] ?? '';
  if (literal.fresh && c === quote && gap === '' && string.quote.length === 1) {
    string.quote = quote.repeat(3);
    literal.mode = 'string';
    return true;
  }
  if (isBlank(c)) {
    literal.gap += c;
    return true;
  }
  if (mendsQuotes && !FOLLOWERS.includes(c)) {
    literal.json += JSON.stringify(quote + gap).slice(1, -1);
    literal.mended = true;
    literal.mode = 'string';
    return false;
  }
  const next = c === '"' || c === "'" ? startString('', c) : null;
  if (next) {
    literal.string = next;
    literal.fresh = true;
    literal.mode = 'string';
    return true;
  }
  literal.json += '"';
  literal.mode = 'after';
  return false;
}

function after(literal: PythonLiteral, c: string): boolean {
  if (isBlank(c)) return true;
  const frame = literal.frames.at(-1);
  if (!frame) literal.mode = 'complete';
  else if (c === ':' && frame.key && frame.kind !== 'set') return endKey(literal, frame);
  else if ((frame.kind === 'dict' && frame.key) || (c !== ',' && c !== closerOf(frame))) literal.mode = 'broken';
  else return endItem(literal, frame, c);
  return false;
}

function endItem(literal: PythonLiteral, frame: Frame, c: string): true {
  if (frame.kind === 'brace') {
    frame.kind = 'set';
    literal.sets = true;
    patch(literal, frame.start, 1, '[');
  }
  if (c !== ',') return closeFrame(literal, frame);
  if (frame.kind === 'paren' && frame.items === 0) patch(literal, frame.start, 0, '[');
  frame.items += 1;
  frame.key = frame.kind === 'dict';
  literal.mode = 'value';
  return true;
}

function endKey(literal: PythonLiteral, frame: Frame): boolean {
  const start = frame.kind === 'brace' ? frame.start + 1 : frame.start;
  const key = literal.json.slice(start);
  if (key.startsWith('[') || key.startsWith('{')) {
    literal.mode = 'broken';
    return false;
  }
  if (!key.startsWith('"')) patch(literal, start, key.length, JSON.stringify(key));
  frame.kind = 'dict';
  frame.key = false;
  literal.json += ': ';
  literal.mode = 'value';
  return true;
}

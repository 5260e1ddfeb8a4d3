import { z } from 'zod';
import { tryLoads } from '../../core/python-json.ts';
import { jsonScanState, startScan } from './json-scan.ts';
import type { JsonScan } from './json-scan.ts';

/**
 * Reads one JSON object that stands for a call, such as `{"name": "f", "arguments": {...}}`, as it comes: the name is given out once
 * its string is closed, the value of the arguments as written, unit by unit. Members may come in any order; unknown ones are skipped.
 */
export interface CallObject {
  /** `done`: behind the closing brace; `broken`: at a unit that cannot stand there. */
  mode: 'open' | 'key' | 'in-key' | 'colon' | 'value' | 'in-value' | 'next' | 'done' | 'broken';
  scan: JsonScan;
  /** The value being read is neither a string nor a container: it ends in front of `,`, `}`, `]` or white space. */
  scalar: boolean;
  /** The member being read, and what its value is. */
  key: string;
  role: 'name' | 'arguments' | 'id' | 'other';
  /** The text of a key, name or id that is not closed yet, or of arguments that came before the name; of a broken object its last key. */
  held: string;
  /** Arguments that came before the name, whole; null where there were none. */
  early: string | null;
  /** The call's id; null where none came. */
  id: string | null;
  /** The name was given out. */
  begun: boolean;
  /** The arguments' value has begun, or came early. */
  hasArguments: boolean;
}

export const callObjectState: z.ZodType<CallObject> = z.object({
  mode: z.enum(['open', 'key', 'in-key', 'colon', 'value', 'in-value', 'next', 'done', 'broken']),
  scan: jsonScanState,
  scalar: z.boolean(),
  key: z.string(),
  role: z.enum(['name', 'arguments', 'id', 'other']),
  held: z.string(),
  early: z.string().nullable(),
  id: z.string().nullable(),
  begun: z.boolean(),
  hasArguments: z.boolean(),
});

/** Which members an object's name and arguments are, and what cannot stand in it. */
export interface CallObjectKeys {
  name: string;
  /** The first of these that comes counts. */
  arguments: readonly string[];
  /** The member that holds an id, where the format has one. */
  id?: string;
  /** First unit of the marker behind the object: outside a string it breaks the object off. */
  stop: string;
}

export interface CallObjectSink {
  /** @param id where it came before */
  name(name: string, id?: string): void;
  arguments(text: string): void;
}

export function startCallObject(): CallObject {
  return {
    mode: 'open',
    scan: startScan(),
    scalar: false,
    key: '',
    role: 'other',
    held: '',
    early: null,
    id: null,
    begun: false,
    hasArguments: false,
  };
}

/**
 * Reads on in `text` from `from`, until the object is done or broken, or the text ends.
 * @returns the UTF-16 offset behind what was read
 */
export function readCallObject(object: CallObject, text: string, from: number, keys: CallObjectKeys, sink: CallObjectSink): number {
  let at = from;
  while (at < text.length && object.mode !== 'done' && object.mode !== 'broken') at = step(object, text, at, keys, sink);
  return at;
}

const SPACE = /[ \t\n\r]/;
const SCALAR = /[-\w.+]/;

function step(object: CallObject, text: string, at: number, keys: CallObjectKeys, sink: CallObjectSink): number {
  if (object.mode === 'in-key') return readKey(object, text, at);
  if (object.mode === 'in-value') return readValue(object, text, at, keys, sink);
  const c = text[at] ?? '';
  if (SPACE.test(c)) return at + 1;
  if (object.mode === 'value') {
    if (!SCALAR.test(c) && c !== '"' && c !== '{' && c !== '[') return breakOff(object, at);
    object.mode = 'in-value';
    object.scalar = SCALAR.test(c);
    object.scan = startScan();
    object.held = '';
    object.role = roleOf(object, keys);
    object.hasArguments ||= object.role === 'arguments';
    return at;
  }
  if (object.mode === 'open' && c === '{') object.mode = 'key';
  else if (object.mode === 'key' && c === '"') object.mode = 'in-key';
  else if (object.mode === 'colon' && c === ':') object.mode = 'value';
  else if (object.mode === 'next' && c === ',') object.mode = 'key';
  else if ((object.mode === 'next' || object.mode === 'key') && c === '}') close(object, sink);
  else return breakOff(object, at);
  return at + 1;
}

/** What was read of a member that has no value yet stays in `held`. */
function breakOff(object: CallObject, at: number): number {
  if (object.mode === 'colon' || object.mode === 'value') object.held = `"${object.key}"${object.mode === 'value' ? ':' : ''}`;
  object.mode = 'broken';
  return at;
}

function close(object: CallObject, sink: CallObjectSink): void {
  object.mode = 'done';
  if (object.begun && !object.hasArguments) sink.arguments('{}');
}

function readKey(object: CallObject, text: string, at: number): number {
  const end = stringEnd(object.scan, text, at);
  object.held += text.slice(at, end === -1 ? text.length : end - 1);
  if (end === -1) return text.length;
  object.key = object.held;
  object.held = '';
  object.mode = 'colon';
  return end;
}

/** The offset behind the quote that closes a string whose inside is read from `at` on, or -1. */
function stringEnd(scan: JsonScan, text: string, at: number): number {
  for (let index = at; index < text.length; index += 1) {
    const c = text[index];
    if (scan.escaped) scan.escaped = false;
    else if (c === '\\') scan.escaped = true;
    else if (c === '"') return index + 1;
  }
  return -1;
}

function roleOf(object: CallObject, keys: CallObjectKeys): CallObject['role'] {
  if (object.key === keys.name && !object.begun) return 'name';
  if (object.key === keys.id && object.id === null) return 'id';
  return keys.arguments.includes(object.key) && !object.hasArguments ? 'arguments' : 'other';
}

function readValue(object: CallObject, text: string, at: number, keys: CallObjectKeys, sink: CallObjectSink): number {
  const end = valueEnd(object, text, at, keys.stop);
  const part = text.slice(at, end === -1 ? text.length : end);
  if (object.role === 'arguments' && object.begun) sink.arguments(part);
  else if (object.role !== 'other') object.held += part;
  if (end === -1) return text.length;
  if (object.mode === 'in-value') endValue(object, sink);
  return end;
}

/** The offset behind the value, or -1; marks the object as broken where the stop unit comes before. */
function valueEnd(object: CallObject, text: string, at: number, stop: string): number {
  const { scan } = object;
  for (let index = at; index < text.length; index += 1) {
    const c = text[index] ?? '';
    if (scan.inString) {
      if (scan.escaped) scan.escaped = false;
      else if (c === '\\') scan.escaped = true;
      else if (c === '"') {
        scan.inString = false;
        if (scan.depth === 0) return index + 1;
      }
    } else if (c === stop) {
      return breakOff(object, index);
    } else if (c === '"') {
      scan.inString = true;
    } else if (c === '{' || c === '[') {
      scan.depth += 1;
    } else if (object.scalar) {
      if (c === ',' || c === '}' || c === ']' || SPACE.test(c)) return index;
    } else if (c === '}' || c === ']') {
      scan.depth -= 1;
      if (scan.depth === 0) return index + 1;
    }
  }
  return -1;
}

function endValue(object: CallObject, sink: CallObjectSink): void {
  object.mode = 'next';
  if (object.role === 'arguments' && !object.begun) object.early = object.held;
  else if (object.role === 'name') begin(object, tryLoads(object.held), sink);
  else if (object.role === 'id') object.id = idOf(tryLoads(object.held));
  object.held = '';
}

function idOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function begin(object: CallObject, name: unknown, sink: CallObjectSink): void {
  if (typeof name !== 'string' || name === '') return;
  object.begun = true;
  if (object.id === null) sink.name(name);
  else sink.name(name, object.id);
  if (object.early !== null) sink.arguments(object.early);
  object.early = null;
}

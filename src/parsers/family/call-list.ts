import { z } from 'zod';
import { dumps, tryLoads } from '../../core/python-json.ts';
import { callObjectState, readCallObject, startCallObject } from './call-object.ts';
import type { CallObject } from './call-object.ts';
import { checkJson, jsonCheckState, startCheck } from './json-check.ts';
import type { JsonCheck } from './json-check.ts';

/**
 * Reads a JSON list of calls, `[{"name": "f", "arguments": {...}}, ...]`, or one such object, as it comes. Arguments are given out as
 * written; those that are a string are taken out of it.
 */
export interface CallList {
  /** `open`: nothing but white space has come; `list`: between calls; `call`: in an object; `lone-call`: in one that is in no list. */
  mode: 'open' | 'list' | 'call' | 'lone-call';
  /** Text that is no call's yet. */
  raw: string;
  /** `raw` holds more than brackets, commas and white space. */
  stray: boolean;
  /** A call was given out. */
  given: boolean;
  object: CallObject;
  check: JsonCheck;
  /** Arguments that are no container, as far as they have come; null where they are one. */
  scalar: string | null;
}

export const callListState: z.ZodType<CallList> = z.object({
  mode: z.enum(['open', 'list', 'call', 'lone-call']),
  raw: z.string(),
  stray: z.boolean(),
  given: z.boolean(),
  object: callObjectState,
  check: jsonCheckState,
  scalar: z.string().nullable(),
});

export interface CallListSink {
  start(name: string): void;
  /** @param isDecoded the arguments were a string, which this is the text of */
  arguments(text: string, isDecoded: boolean): void;
  end(): void;
  /** Text that makes no call. @param lone whether it is one object that names no function, in no list */
  stray(text: string, lone: boolean): void;
}

/** What became of a list: it goes on, is complete, is no list of calls, or broke inside a call that was begun. */
export type CallListResult = 'open' | 'done' | 'none' | 'broken';

export function startCallList(): CallList {
  return { mode: 'open', raw: '', stray: false, given: false, object: startCallObject(), check: startCheck(), scalar: null };
}

/** Whether more text would stand inside a string of a call. */
export function isInCallString({ mode, object }: CallList): boolean {
  if (mode !== 'call' && mode !== 'lone-call') return false;
  return object.mode === 'in-key' || (object.mode === 'in-value' && object.scan.inString);
}

const KEYS = { name: 'name', arguments: ['arguments'], stop: '' };
const SPACE = /[ \t\n\r]/;

/**
 * Reads on in `text` until the list is over, or the text ends. Where it broke inside a call, nothing of this text's part of the
 * arguments is given out.
 * @returns what became of the list, and the UTF-16 offset behind what was read
 */
export function readCallList(list: CallList, text: string, sink: CallListSink): { result: CallListResult; end: number } {
  let at = 0;
  while (at < text.length) {
    if (list.mode === 'call' || list.mode === 'lone-call') {
      const lone = list.mode === 'lone-call';
      const { result, end } = readObject(list, text, at, sink);
      at = end;
      if (result === 'done' && !lone) list.mode = 'list';
      else if (result !== 'open') return { result, end };
      continue;
    }
    const c = text.charAt(at);
    if (c === '{') {
      if (list.stray) giveStray(list, sink);
      list.mode = list.mode === 'list' ? 'call' : 'lone-call';
      list.object = startCallObject();
      list.check = startCheck();
      list.scalar = null;
      continue;
    }
    at += 1;
    list.raw += c;
    if (c === '[' && list.mode === 'open') list.mode = 'list';
    else if (c === ']' && list.mode === 'list') {
      list.stray ||= !list.given;
      giveStray(list, sink);
      return { result: 'done', end: at };
    } else if (!SPACE.test(c) && (c !== ',' || list.mode === 'open')) {
      list.stray = true;
      giveStray(list, sink);
      return { result: 'none', end: at };
    }
  }
  return { result: 'open', end: at };
}

/** The output has ended inside the list. Behind a call, one that was cut off before its name is dropped. */
export function cutCallList(list: CallList, sink: CallListSink): void {
  if (list.object.begun && (list.mode === 'call' || list.mode === 'lone-call')) {
    endScalar(list, sink);
    sink.end();
    return;
  }
  list.stray ||= !list.given;
  giveStray(list, sink);
}

function giveStray(list: CallList, sink: CallListSink): void {
  if (list.stray && list.raw !== '') sink.stray(list.raw, false);
  list.raw = '';
  list.stray = false;
}

function readObject(list: CallList, text: string, from: number, sink: CallListSink): { result: CallListResult; end: number } {
  const { object } = list;
  let broken = false;
  const begunBefore = object.begun;
  const end = readCallObject(object, text, from, KEYS, {
    name(name) {
      list.raw = '';
      list.given = true;
      sink.start(name);
    },
    arguments(part) {
      broken ||= !takeArguments(list, part, sink);
    },
  });
  if (!object.begun) list.raw += text.slice(from, end);
  else if (!begunBefore) list.raw = '';
  if (broken || (object.mode === 'broken' && object.begun)) {
    sink.end();
    return { result: 'broken', end: text.length };
  }
  if (object.mode === 'broken') {
    list.stray = true;
    giveStray(list, sink);
    return { result: 'none', end };
  }
  if (object.mode !== 'done') return { result: 'open', end };
  if (object.begun) {
    endScalar(list, sink);
    sink.end();
  } else endNameless(list, sink);
  return { result: 'done', end };
}

/** Gives out a part of the arguments; false where it cannot be JSON. */
function takeArguments(list: CallList, part: string, sink: CallListSink): boolean {
  const isFirst = list.scalar === null && list.check.expect === 'value' && list.check.stack === '';
  if (isFirst && !/^[{[]/.test(part)) list.scalar = '';
  if (list.scalar !== null) {
    list.scalar += part;
    return true;
  }
  checkJson(list.check, part, 0);
  if (list.check.expect === 'broken') return false;
  sink.arguments(part, false);
  return true;
}

function endScalar(list: CallList, sink: CallListSink): void {
  if (list.scalar === null) return;
  const value = tryLoads(list.scalar);
  if (value === null) sink.arguments('{}', false);
  else if (typeof value === 'string') sink.arguments(value, true);
  else sink.arguments(value === undefined ? list.scalar : dumps(value), false);
  list.scalar = null;
}

/** An object without a name: a call nevertheless, if it has arguments. */
function endNameless(list: CallList, sink: CallListSink): void {
  const { early } = list.object;
  if (early !== null) {
    list.raw = '';
    list.given = true;
    sink.start('');
    takeArguments(list, early, sink);
    endScalar(list, sink);
    sink.end();
  } else if (list.mode === 'lone-call') {
    sink.stray(list.raw, true);
    list.raw = '';
  } else list.stray = true;
}

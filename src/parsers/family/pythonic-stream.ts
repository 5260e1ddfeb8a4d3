import { z } from 'zod';
import type { EventSink } from '../../core/stream-parser.ts';
import { pythonCallsState, readCalls, startCalls } from './python-calls.ts';
import type { PythonCallRules, PythonCalls } from './python-calls.ts';
import { isScalarSoFar, writeScalarSoFar } from './python-literal.ts';
import { isCompletable } from './python-string.ts';
import { isBlank } from './white-space.ts';

/**
 * Gives out calls written as Python at the points where the reference's streams do: where the text so far can be completed to Python by
 * closing what is open, as its heuristics judge (which count signs in the text). What may be given out is decided after each token, so it
 * does not depend on chunking; when it is given out, at the ends of chunks.
 */
export interface PythonicStream {
  calls: PythonCalls;
  /** JSON by call that no token has made presentable yet, and that waits for the end of a chunk. */
  unready: Part[];
  ready: Part[];
  /** Calls whose name was given out. */
  started: number;
  /** Something may be, or was, given out. */
  begun: boolean;
  signs: Signs;
}

interface Part {
  /** The name where the part begins a call, else null. */
  name: string | null;
  json: string;
}

/** Signs of the text so far: how many, and how many in front of the last opening parenthesis and brace. */
interface Signs {
  equals: number;
  commas: number;
  colons: number;
  atParen: { equals: number; commas: number };
  atBrace: { colons: number; commas: number };
  /** The last unit that is no white space, and the unit in front of it. */
  last: string;
  before: string;
  previous: string;
}

const part = z.object({ name: z.string().nullable(), json: z.string() });
const count = z.int().min(0);

export const pythonicStreamState: z.ZodType<PythonicStream> = z.object({
  calls: pythonCallsState,
  unready: z.array(part),
  ready: z.array(part),
  started: count,
  begun: z.boolean(),
  signs: z.object({
    equals: count,
    commas: count,
    colons: count,
    atParen: z.object({ equals: count, commas: count }),
    atBrace: z.object({ colons: count, commas: count }),
    last: z.string(),
    before: z.string(),
    previous: z.string(),
  }),
});

export function startPythonic(): PythonicStream {
  return {
    calls: startCalls(),
    unready: [],
    ready: [],
    started: 0,
    begun: false,
    signs: {
      equals: 0,
      commas: 0,
      colons: 0,
      atParen: { equals: 0, commas: 0 },
      atBrace: { colons: 0, commas: 0 },
      last: '',
      before: '',
      previous: '',
    },
  };
}

function countSigns(signs: Signs, text: string): void {
  for (const c of text) {
    if (c === '(') signs.atParen = { equals: signs.equals, commas: signs.commas };
    else if (c === '{') signs.atBrace = { colons: signs.colons, commas: signs.commas };
    else if (c === '=') signs.equals += 1;
    else if (c === ',') signs.commas += 1;
    else if (c === ':') signs.colons += 1;
    if (!isBlank(c)) {
      signs.last = c;
      signs.before = signs.previous;
    }
    signs.previous = c;
  }
}

/** Whether the text could be completed here, in the reference's eyes. */
function isPresentable({ calls, signs }: PythonicStream, { end, mendsQuotes }: PythonCallRules): boolean {
  const { mode, value, word, name, parameters } = calls;
  if (mode === 'done') return true;
  if (mode === 'broken' || signs.last === '=' || signs.last === ':') return false;
  const { frames } = value;
  if (value.mended || (mode === 'value' && value.mode === 'closed' && mendsQuotes)) return false;
  if (frames.some(({ kind }) => kind !== 'list' && (kind !== 'dict' || value.sets))) return false;
  const top = frames.at(-1);
  if (mode === 'value' && value.mode === 'string') return isCompletable(value.string) && !top?.key;
  const behind = signs.last === ',' ? signs.before : signs.last;
  if (mode === 'between') return name !== '' && (end !== ']' || behind === ')');
  const isWhole =
    mode === 'value'
      ? value.mode === 'after' || value.mode === 'closed' || isScalarSoFar(value)
      : mode === 'parameter' && (word === '' || parameters === 0);
  if (!top) return isWhole && signs.atParen.equals > signs.atParen.commas;
  if (top.kind === 'list') return behind === '[' || behind === ')';
  return (top.key ? value.mode === 'value' : isWhole) && signs.atBrace.colons > signs.atBrace.commas;
}

/**
 * Reads a token's text from `from`.
 * @returns the UTF-16 offset behind what belongs to the calls
 */
export function readPythonic(stream: PythonicStream, text: string, from: number, rules: PythonCallRules): number {
  const { calls, unready } = stream;
  const end = readCalls(calls, text, from, rules, {
    begin(name) {
      unready.push({ name, json: '' });
    },
    end(json) {
      const open = unready.at(-1);
      if (open) open.json += json;
      else unready.push({ name: null, json });
    },
  });
  countSigns(stream.signs, text.slice(from, end));
  return end;
}

/** Marks what was read as ready where a token ends at a presentable point. */
export function settlePythonic(stream: PythonicStream, rules: PythonCallRules): void {
  if (!isPresentable(stream, rules)) return;
  const { mode, value } = stream.calls;
  if (mode === 'value' && isScalarSoFar(value)) writeScalarSoFar(value);
  if (value.json !== '') {
    const open = stream.unready.at(-1);
    if (open) open.json += value.json;
    else stream.unready.push({ name: null, json: value.json });
    value.json = '';
  }
  stream.begun ||= stream.unready.length > 0;
  stream.ready.push(...stream.unready);
  stream.unready = [];
}

/** Gives out what is ready. @returns whether there was anything */
function givePythonic(stream: PythonicStream, sink: EventSink): boolean {
  const { ready } = stream;
  for (const { name, json } of ready) {
    if (name !== null) {
      if (stream.started > 0) sink.toolEnd(stream.started - 1);
      sink.toolStart(stream.started, name);
      stream.started += 1;
    }
    if (json !== '') sink.toolArguments(stream.started - 1, json);
  }
  stream.ready = [];
  return ready.length > 0;
}

/**
 * A chunk of a stream has ended: gives out what is ready where the text can be completed here. Where it is complete and there is nothing
 * new, the answer is empty content, as in the reference.
 */
export function endPythonicChunk(stream: PythonicStream, rules: PythonCallRules, sink: EventSink): void {
  if (!isPresentable(stream, rules)) return;
  const { mode } = stream.calls;
  if (!givePythonic(stream, sink) && (mode === 'done' || (mode === 'between' && rules.end !== ']'))) sink.content('');
}

/** The output has ended: gives out what is ready. @returns whether there is any call */
export function finishPythonic(stream: PythonicStream, sink: EventSink): boolean {
  givePythonic(stream, sink);
  if (stream.started > 0) sink.toolEnd(stream.started - 1);
  return stream.started > 0;
}

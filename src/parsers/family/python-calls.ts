import { z } from 'zod';
import { pythonLiteralState, readLiteral, startLiteral } from './python-literal.ts';
import type { PythonLiteral } from './python-literal.ts';
import { isBlank } from './white-space.ts';

/**
 * Reads calls written as Python, such as `get_weather(city='Oslo', days=2)`, unit by unit, and writes their keyword arguments as JSON.
 * Parameters may be named after Python's keywords, and strings may hold raw newlines.
 */
export interface PythonCalls {
  mode: 'between' | 'name' | 'parameter' | 'equals' | 'value' | 'done' | 'broken';
  /** A name so far. */
  word: string;
  /** The name of the call that is open or was the last; empty before the first. */
  name: string;
  /** Parameters of the open call. */
  parameters: number;
  /** The open parameter's value; its JSON is that of the open call, as far as it was not taken yet. */
  value: PythonLiteral;
}

export const pythonCallsState: z.ZodType<PythonCalls> = z.object({
  mode: z.enum(['between', 'name', 'parameter', 'equals', 'value', 'done', 'broken']),
  word: z.string(),
  name: z.string(),
  parameters: z.int().min(0),
  value: pythonLiteralState,
});

const WORD = /[\w.\u0080-\uffff]/;
const NAME = /^[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*(?:\.[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)*$/;

export interface PythonCallRules {
  /** Unit that parts calls besides white space; empty where newlines do. */
  separator: string;
  /** Unit behind the last call. */
  end: string;
  /** A quote with nothing behind it that can follow a value belongs to the string. */
  mendsQuotes: boolean;
}

export interface PythonCallSink {
  begin: (name: string) => void;
  /** @param json what was not taken yet of the call's arguments */
  end: (json: string) => void;
}

export function startCalls(): PythonCalls {
  return { mode: 'between', word: '', name: '', parameters: 0, value: startLiteral() };
}

/**
 * Reads on in `text` from `from`, until the calls are done or broken, or the text ends.
 * @returns the UTF-16 offset behind what was read
 */
export function readCalls(calls: PythonCalls, text: string, from: number, rules: PythonCallRules, sink: PythonCallSink): number {
  let at = from;
  while (at < text.length && calls.mode !== 'done' && calls.mode !== 'broken') {
    if (calls.mode === 'value') at = readValue(calls, text, at, rules, sink);
    else if (step(calls, text[at] ?? '', rules, sink)) at += 1;
  }
  return at;
}

function readValue(calls: PythonCalls, text: string, from: number, { mendsQuotes }: PythonCallRules, sink: PythonCallSink): number {
  const { value } = calls;
  const at = readLiteral(value, text, from, mendsQuotes);
  if (value.mode === 'broken') calls.mode = 'broken';
  if (value.mode !== 'complete') return at;
  if (text[at] === ')') endCall(calls, sink);
  else calls.mode = text[at] === ',' ? 'parameter' : 'broken';
  return calls.mode === 'broken' ? at : at + 1;
}

/** Takes one unit; false where it has to be looked at again. */
function step(calls: PythonCalls, c: string, rules: PythonCallRules, sink: PythonCallSink): boolean {
  if (calls.mode === 'between') return between(calls, c, rules);
  if (calls.mode === 'name') return name(calls, c, sink);
  if (calls.mode === 'parameter') return parameter(calls, c, sink);
  if (c === '=') calls.mode = 'value';
  else if (!isBlank(c)) calls.mode = 'broken';
  return calls.mode !== 'broken';
}

function between(calls: PythonCalls, c: string, { separator, end }: PythonCallRules): boolean {
  if (isBlank(c) || (c === separator && calls.name !== '')) return true;
  calls.mode = c === end && calls.name !== '' ? 'done' : 'name';
  calls.word = '';
  return calls.mode === 'done';
}

function name(calls: PythonCalls, c: string, sink: PythonCallSink): boolean {
  if (WORD.test(c)) {
    calls.word += c;
    return true;
  }
  if (c !== '(' || !NAME.test(calls.word)) {
    calls.mode = 'broken';
    return false;
  }
  calls.name = calls.word;
  calls.word = '';
  calls.parameters = 0;
  calls.value.json = '{';
  calls.mode = 'parameter';
  sink.begin(calls.name);
  return true;
}

function endCall(calls: PythonCalls, sink: PythonCallSink): true {
  sink.end(`${calls.value.json}}`);
  calls.value.json = '';
  calls.mode = 'between';
  return true;
}

function parameter(calls: PythonCalls, c: string, sink: PythonCallSink): boolean {
  if (calls.word === '' && isBlank(c)) return true;
  if (calls.word === '' && c === ')') return endCall(calls, sink);
  if (WORD.test(c)) {
    calls.word += c;
    return true;
  }
  if (!NAME.test(calls.word) || calls.word.includes('.')) {
    calls.mode = 'broken';
    return false;
  }
  const { json, sets, mended } = calls.value;
  calls.value = { ...startLiteral(), json: `${json}${calls.parameters > 0 ? ', ' : ''}${JSON.stringify(calls.word)}: `, sets, mended };
  calls.parameters += 1;
  calls.word = '';
  calls.mode = 'equals';
  return false;
}

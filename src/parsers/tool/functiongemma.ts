import { z } from 'zod';
import { dumps, tryLoads } from '../../core/python-json.ts';
import type { EventSink, Piece, StreamParser, ToolFormat } from '../../core/stream-parser.ts';
import { looseJson } from '../family/loose-value.ts';
import { stripContentBesideCalls } from '../family/marked-answer.ts';
import { heldTail } from '../family/marker-scan.ts';
import { isFiniteValue } from '../family/schema-coercion.ts';
import { strip, stripStart } from '../family/white-space.ts';

/*
 * <start_function_call>call:get_weather{city:<escape>Oslo<escape>,days:3}<end_function_call>
 *
 * Written by Google's FunctionGemma. Specified by the model's card.
 *
 * As in the reference: an escaped value is JSON if it can be read as such, else text, whatever the schema says. On purpose unlike it: each
 * argument is given out once it is complete, values need not be escaped, text behind calls is kept, and what is no call is content.
 */

const OPEN = '<start_function_call>';
const CLOSE = '<end_function_call>';
const ESCAPE = '<escape>';
const HEAD = 'call:';

interface GemmaState {
  /** `head`: up to the brace; `key`: in front of an argument or the closing brace; `tail`: behind that brace. */
  mode: 'text' | 'head' | 'key' | 'value' | 'tail';
  /** What was not given out yet: the beginning of a marker, the call's head, the argument so far. */
  held: string;
  /** In a value: how far `held` was looked through, at which depth of brackets, and whether in an escaped text. */
  from: number;
  depth: number;
  escaped: boolean;
  /** The argument's name. */
  key: string;
  /** Nothing was written of the arguments. */
  fresh: boolean;
  calls: number;
}

const stateSchema: z.ZodType<GemmaState> = z.object({
  mode: z.enum(['text', 'head', 'key', 'value', 'tail']),
  held: z.string(),
  from: z.int().min(0),
  depth: z.int().min(0),
  escaped: z.boolean(),
  key: z.string(),
  fresh: z.boolean(),
  calls: z.int().min(0),
});

/** An escaped value as JSON. */
function escapedJson(text: string): string {
  const value = tryLoads(text);
  return dumps(value !== undefined && isFiniteValue(value) ? value : text);
}

/** The JSON of a complete value. Escaped texts in brackets become JSON strings first. */
function valueJson(text: string): string {
  const parts = strip(text).split(ESCAPE);
  if (parts.length === 3 && parts[0] === '' && parts[2] === '') return escapedJson(parts[1] ?? '');
  if (parts.length === 1) return looseJson(parts[0] ?? '');
  const written = parts.map((part, index) => (index % 2 === 1 ? dumps(part) : part.replaceAll(/([{,]\s*)(\w+)(\s*:)/g, '$1"$2"$3')));
  return looseJson(written.join(''));
}

function readText(state: GemmaState, text: string, sink: EventSink): string | null {
  const at = text.indexOf(OPEN);
  const kept = at === -1 ? text.length - heldTail(text, OPEN) : at;
  if (kept > 0) sink.content(text.slice(0, kept));
  if (at === -1) {
    state.held = text.slice(kept);
    return null;
  }
  state.mode = 'head';
  return text.slice(at + OPEN.length);
}

function readHead(state: GemmaState, text: string, sink: EventSink): string | null {
  const stop = /[{<\n]/.exec(text);
  if ((text.startsWith(HEAD) || HEAD.startsWith(text)) && !stop) {
    state.held = text;
    return null;
  }
  const name = text.startsWith(HEAD) && stop?.[0] === '{' ? strip(text.slice(HEAD.length, stop.index)) : '';
  if (!stop || name === '') {
    sink.content(OPEN);
    state.mode = 'text';
    return text;
  }
  sink.toolStart(state.calls, name);
  state.mode = 'key';
  state.fresh = true;
  return text.slice(stop.index + 1);
}

function readKey(state: GemmaState, text: string, sink: EventSink): string | null {
  const next = text.replace(/^[\s,]+/, '');
  if (next.startsWith('}')) {
    sink.toolArguments(state.calls, state.fresh ? '{}' : '}');
    sink.toolEnd(state.calls);
    state.calls += 1;
    state.mode = 'tail';
    return next.slice(1);
  }
  if (next.startsWith(CLOSE)) {
    state.mode = 'tail';
    sink.toolEnd(state.calls);
    state.calls += 1;
    return next;
  }
  const at = next.indexOf(':');
  if (at === -1) {
    state.held = next;
    return null;
  }
  state.key = strip(next.slice(0, at));
  state.mode = 'value';
  state.from = 0;
  state.depth = 0;
  state.escaped = false;
  return next.slice(at + 1);
}

/** Where the value ends, or -1 where it has not. */
function valueEnd(state: GemmaState, text: string): number {
  for (;;) {
    if (state.escaped) {
      const at = text.indexOf(ESCAPE, state.from);
      if (at === -1) {
        state.from = Math.max(state.from, text.length - heldTail(text.slice(state.from), ESCAPE));
        return -1;
      }
      state.escaped = false;
      state.from = at + ESCAPE.length;
      continue;
    }
    const c = text[state.from];
    if (c === undefined) return -1;
    if (c === '<') {
      const rest = text.slice(state.from, state.from + CLOSE.length);
      if (ESCAPE.startsWith(rest) && rest !== ESCAPE) return -1;
      if (rest.startsWith(ESCAPE)) {
        state.escaped = true;
        state.from += ESCAPE.length;
        continue;
      }
      if (rest === CLOSE) return state.from;
      if (CLOSE.startsWith(rest)) return -1;
    }
    if (state.depth === 0 && (c === ',' || c === '}')) return state.from;
    if (c === '[' || c === '{') state.depth += 1;
    else if (c === ']' || c === '}') state.depth -= 1;
    state.depth = Math.max(0, state.depth);
    state.from += 1;
  }
}

function writeArgument(state: GemmaState, json: string, sink: EventSink): void {
  sink.toolArguments(state.calls, `${state.fresh ? '{' : ', '}${dumps(state.key)}: ${json}`);
  state.fresh = false;
}

function readValue(state: GemmaState, text: string, sink: EventSink): string | null {
  const end = valueEnd(state, text);
  if (end === -1) {
    state.held = text;
    return null;
  }
  writeArgument(state, valueJson(text.slice(0, end)), sink);
  state.mode = 'key';
  return text.slice(end);
}

function readTail(state: GemmaState, text: string): string | null {
  const next = stripStart(text);
  if (CLOSE.startsWith(next) && next !== CLOSE) {
    state.held = next;
    return null;
  }
  state.mode = 'text';
  return next.startsWith(CLOSE) ? next.slice(CLOSE.length) : next;
}

const READERS = { text: readText, head: readHead, key: readKey, value: readValue, tail: readTail };

function create(): StreamParser<GemmaState> {
  return {
    init: () => ({ mode: 'text', held: '', from: 0, depth: 0, escaped: false, key: '', fresh: true, calls: 0 }),
    push(state: GemmaState, piece: Piece, sink: EventSink): void {
      let text: string | null = state.held + piece.text;
      state.held = '';
      while (text) text = READERS[state.mode](state, text, sink);
    },
    finish(state: GemmaState, sink: EventSink): void {
      const { mode, held } = state;
      if (mode === 'text' && held !== '') sink.content(held);
      if (mode === 'value') {
        const written = stripStart(held);
        const value = written.startsWith(ESCAPE) ? `"${dumps(written.slice(ESCAPE.length)).slice(1, -1)}` : written;
        if (value !== '') writeArgument(state, value, sink);
      }
      if (mode === 'key' || mode === 'value') sink.toolEnd(state.calls);
    },
  };
}

export const functiongemma: ToolFormat<GemmaState> = {
  kind: 'tool',
  name: 'functiongemma',
  aliases: [],
  models: 'FunctionGemma',
  sample: '<start_function_call>call:get_weather{city:<escape>Oslo<escape>}<end_function_call>',
  stateVersion: 1,
  stateSchema,
  create,
  forcedChoice: 'json',
  whenNone: 'content',
  callDeltas: 'name-apart',
  complete: stripContentBesideCalls,
};

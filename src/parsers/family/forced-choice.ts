import { z } from 'zod';
import { dumps, tryLoads } from '../../core/python-json.ts';
import type { CompleteAnswer, EventSink, Piece, StreamParser, ToolChoice } from '../../core/stream-parser.ts';
import { jsonScanState, startScan } from './json-scan.ts';
import type { JsonScan } from './json-scan.ts';

/**
 * Tool choice `required` or named, for formats whose models then write bare JSON under guidance: a list of
 * `{"name": ..., "parameters": ...}` (required), or just the arguments of the named function. On purpose unlike the reference: prose of
 * a model that was not guided is content, beside the calls if there are any.
 */
export interface ForcedState {
  /** `list`: before or between calls; `prose`: in text there; `key`, `colon`, `value`: inside a call object; `arguments`: inside the value of `parameters`; `skip`: inside another value; `done`: behind the list. */
  mode: 'list' | 'prose' | 'key' | 'colon' | 'value' | 'arguments' | 'skip' | 'done';
  scan: JsonScan;
  /** The key last read, the value of `name` (null until read), and text that is not given out yet. */
  key: string;
  name: string | null;
  held: string;
  /** The value being read is a container or string (ends by itself), or a bare scalar (ends at `,`, `}` or white space). */
  scalar: boolean;
  opened: boolean;
  calls: number;
}

export const forcedState: z.ZodType<ForcedState> = z.object({
  mode: z.enum(['list', 'prose', 'key', 'colon', 'value', 'arguments', 'skip', 'done']),
  scan: jsonScanState,
  key: z.string(),
  name: z.string().nullable(),
  held: z.string(),
  scalar: z.boolean(),
  opened: z.boolean(),
  calls: z.int().min(0),
});

function initial(): ForcedState {
  return { mode: 'list', scan: startScan(), key: '', name: null, held: '', scalar: false, opened: false, calls: 0 };
}

function createNamedParser(name: string): StreamParser<ForcedState> {
  return {
    init: initial,
    push(state: ForcedState, piece: Piece, sink: EventSink): void {
      if (!state.opened) {
        if (piece.text === '') return;
        sink.toolStart(0, name);
        state.opened = true;
        state.calls = 1;
      }
      sink.toolArguments(0, piece.text);
    },
    finish(state: ForcedState, sink: EventSink): void {
      if (state.opened) sink.toolEnd(0);
    },
  };
}

/** Begins the call once its name is known and its parameters have begun. */
function announce(state: ForcedState, sink: EventSink): void {
  if (state.opened || state.name === null) return;
  sink.toolStart(state.calls, state.name);
  state.opened = true;
  state.calls += 1;
}

function give(state: ForcedState, text: string, sink: EventSink): void {
  state.held += text;
  announce(state, sink);
  if (!state.opened) return;
  sink.toolArguments(state.calls - 1, state.held);
  state.held = '';
}

function endValue(state: ForcedState, valueText: string): void {
  if (state.key === 'name') {
    const value = tryLoads(valueText);
    state.name = typeof value === 'string' ? value : null;
  }
  state.mode = 'key';
  state.key = '';
}

/** Reads one unit inside the value of a member; answers whether the value ended before this unit. */
function readValue(state: ForcedState, c: string, sink: EventSink): boolean {
  const isArguments = state.mode === 'arguments';
  if (state.scalar && (c === ',' || c === '}' || c === ']' || /\s/.test(c))) {
    if (!isArguments) endValue(state, state.held);
    else state.mode = 'key';
    if (!isArguments) state.held = '';
    return true;
  }
  const { scan } = state;
  const before = scan.inString || scan.depth > 0;
  if (scan.inString) {
    if (scan.escaped) scan.escaped = false;
    else if (c === '\\') scan.escaped = true;
    else if (c === '"') scan.inString = false;
  } else if (c === '"') scan.inString = true;
  else if (c === '{' || c === '[') scan.depth += 1;
  else if (c === '}' || c === ']') scan.depth -= 1;
  if (isArguments) give(state, c, sink);
  else state.held += c;
  if (!state.scalar && before && !scan.inString && scan.depth === 0) {
    if (isArguments) state.mode = 'key';
    else {
      endValue(state, state.held);
      state.held = '';
    }
  }
  return false;
}

function endObject(state: ForcedState, sink: EventSink): void {
  announce(state, sink);
  if (state.opened) {
    if (state.held !== '') sink.toolArguments(state.calls - 1, state.held);
    sink.toolEnd(state.calls - 1);
  }
  state.mode = 'list';
  state.held = '';
  state.name = null;
  state.opened = false;
}

/** Reads one unit outside the calls. */
function readBetween(state: ForcedState, c: string, sink: EventSink): void {
  if (c === '{') state.mode = 'key';
  else if (c === '[') state.mode = 'list';
  else if (state.mode === 'list' && c === ']') state.mode = 'done';
  else if (state.mode === 'prose' || !/[\s,\]]/.test(c)) {
    state.mode = 'prose';
    sink.content(c);
  }
}

function step(state: ForcedState, c: string, sink: EventSink): void {
  switch (state.mode) {
    case 'list':
    case 'prose':
    case 'done':
      readBetween(state, c, sink);
      return;
    case 'key':
      if (state.scan.inString) {
        if (c === '"') {
          state.scan.inString = false;
          state.mode = 'colon';
        } else state.key += c;
      } else if (c === '"') {
        state.scan.inString = true;
        state.key = '';
      } else if (c === '}') endObject(state, sink);
      return;
    case 'colon':
      if (c === ':') state.mode = 'value';
      return;
    case 'value':
      if (/\s/.test(c)) return;
      state.mode = state.key === 'parameters' || state.key === 'arguments' ? 'arguments' : 'skip';
      state.scalar = c !== '"' && c !== '{' && c !== '[';
      state.scan = startScan();
      readValue(state, c, sink);
      return;
    case 'arguments':
    case 'skip':
      if (readValue(state, c, sink)) step(state, c, sink);
  }
}

function createRequiredParser(): StreamParser<ForcedState> {
  return {
    init: initial,
    push(state: ForcedState, piece: Piece, sink: EventSink): void {
      const isOutside = state.mode === 'list' || state.mode === 'prose' || state.mode === 'done';
      // A marker there is no prose.
      if (isOutside && piece.tokenId !== null) return;
      for (const c of piece.text) step(state, c, sink);
    },
    finish(state: ForcedState, sink: EventSink): void {
      if (state.opened) sink.toolEnd(state.calls - 1);
    },
  };
}

/** @param toolChoice `required` or a named function */
export function createForcedParser(toolChoice: ToolChoice): StreamParser<ForcedState> {
  return toolChoice !== null && typeof toolChoice === 'object' ? createNamedParser(toolChoice.name) : createRequiredParser();
}

/**
 * In a complete answer the list must be valid as a whole, and arguments are serialised again; a named call needs more than white space.
 * An output with prose is what streams make of it.
 */
export function completeForced(answer: CompleteAnswer, toolChoice: ToolChoice): void {
  if (toolChoice === 'required' && answer.content !== null) return;
  answer.content = null;
  if (toolChoice !== null && typeof toolChoice === 'object') {
    answer.toolCalls = answer.text.trim() === '' ? [] : [{ name: toolChoice.name, arguments: answer.text }];
    return;
  }
  answer.toolCalls = [];
  const list = tryLoads(answer.text);
  if (!Array.isArray(list)) return;
  for (const item of list) {
    if (!(item instanceof Map)) return void (answer.toolCalls = []);
    const name = item.get('name');
    const parameters = item.get('parameters') ?? null;
    if (typeof name !== 'string' || (parameters !== null && !(parameters instanceof Map))) return void (answer.toolCalls = []);
    answer.toolCalls.push({ name, arguments: dumps(parameters) });
  }
}

import { z } from 'zod';
import type { EventSink, ParserContext, Piece, StreamParser, ToolFormat } from '../../core/stream-parser.ts';
import { dropBlankContent } from '../family/complete-answer.ts';
import { heldTail } from '../family/marker-scan.ts';
import {
  endPythonicChunk,
  finishPythonic,
  pythonicStreamState,
  readPythonic,
  settlePythonic,
  startPythonic,
} from '../family/pythonic-stream.ts';
import type { PythonicStream } from '../family/pythonic-stream.ts';
import { stripStart } from '../family/white-space.ts';

/*
 * <function_calls>
 * get_weather(city='Oslo', days=2)
 * ping()
 * </function_calls>
 *
 * Written by Olmo 3; one call a line. The tags may be missing where the output is nothing but calls. Specified by the chat template.
 *
 * As in the reference: text behind the calls is dropped. On purpose unlike it: in streams calls may follow text, a call may go over several
 * lines, markers inside strings are text, a positional argument makes the call text, and calls without tags are found in streams too where
 * they begin with the name of a tool.
 */

const OPEN = '<function_calls>';
const CLOSE = '</function_calls>';
/** Calls go on until something that begins with the closing tag's first unit. */
const RULES = { separator: '', end: '<', mendsQuotes: false };

interface Olmo3State {
  /** `start`: nothing but white space and what may be a tool's name; `bare`: in calls without tags; `closing`: in the closing tag; `closed`: behind it; `over`: nothing more is shown. */
  phase: 'start' | 'text' | 'calls' | 'bare' | 'closing' | 'closed' | 'over';
  /** A tail that may begin a marker or a tool's name; the calls' text until something of them was given out; the closing tag so far. */
  held: string;
  stream: PythonicStream;
}

const stateSchema: z.ZodType<Olmo3State> = z.object({
  phase: z.enum(['start', 'text', 'calls', 'bare', 'closing', 'closed', 'over']),
  held: z.string(),
  stream: pythonicStreamState,
});

function readCalls(state: Olmo3State, text: string, sink: EventSink): string {
  const { stream } = state;
  const end = readPythonic(stream, text, 0, RULES);
  settlePythonic(stream, RULES);
  state.held = stream.begun ? '' : state.held + text.slice(0, end);
  if (stream.calls.mode === 'done') {
    state.phase = 'closing';
    state.held = RULES.end;
  } else if (stream.calls.mode === 'broken') {
    const rest = state.phase === 'bare' && stream.begun ? stream.calls.word : state.held;
    if (rest !== '') sink.content(rest);
    state.held = '';
    state.phase = stream.begun && state.phase === 'calls' ? 'over' : 'text';
  }
  return text.slice(end);
}

function readText(state: Olmo3State, text: string, sink: EventSink): string {
  const at = text.indexOf(OPEN);
  const kept = at === -1 ? text.length - heldTail(text, OPEN) : at;
  if (kept > 0) sink.content(text.slice(0, kept));
  if (at === -1) {
    state.held = text.slice(kept);
    return '';
  }
  state.phase = 'calls';
  state.held = OPEN;
  return text.slice(at + OPEN.length);
}

/** At the beginning a tool's name may begin calls without tags, and white space in front of calls is dropped. */
function readStart(state: Olmo3State, text: string, names: readonly string[]): string {
  const word = stripStart(text);
  const isCall = names.some((name) => word.startsWith(`${name}(`));
  if (!isCall && [OPEN, ...names.map((name) => `${name}(`)].some((begin) => begin !== word && begin.startsWith(word))) {
    state.held = text;
    return '';
  }
  state.phase = isCall ? 'bare' : 'text';
  return word.startsWith(OPEN) ? word : text;
}

function readClosing(state: Olmo3State, text: string): string {
  const tag = state.held + text;
  if (tag.length < CLOSE.length && CLOSE.startsWith(tag)) {
    state.held = tag;
    return '';
  }
  state.phase = tag.startsWith(CLOSE) ? 'closed' : 'over';
  state.held = '';
  return tag.slice(CLOSE.length);
}

function step(state: Olmo3State, text: string, names: readonly string[], sink: EventSink): string {
  if (state.phase === 'start') return readStart(state, text, names);
  if (state.phase === 'text') return readText(state, text, sink);
  if (state.phase === 'calls' || state.phase === 'bare') return readCalls(state, text, sink);
  if (state.phase === 'closing') return readClosing(state, text);
  // Only white space leaves the calls complete in the reference's eyes.
  if (stripStart(text) !== '') state.phase = 'over';
  return '';
}

function create({ tools }: ParserContext): StreamParser<Olmo3State> {
  const names = tools.map(({ name }) => name);
  return {
    init: () => ({ phase: 'start', held: '', stream: startPythonic() }),
    push(state: Olmo3State, piece: Piece, sink: EventSink): void {
      const isText = state.phase === 'start' || state.phase === 'text';
      if (piece.text === '' && state.held === '' && isText) sink.content('');
      let { text } = piece;
      if (text !== '' && isText) {
        text = state.held + text;
        state.held = '';
      }
      while (text !== '') text = step(state, text, names, sink);
    },
    endChunk(state: Olmo3State, sink: EventSink): void {
      if (state.phase === 'calls' || state.phase === 'bare' || state.phase === 'closed') endPythonicChunk(state.stream, RULES, sink);
    },
    finish(state: Olmo3State, sink: EventSink): void {
      const isText = state.phase === 'start' || state.phase === 'text';
      const hasCalls = finishPythonic(state.stream, sink);
      if (state.held !== '' && (isText || (!hasCalls && state.stream.calls.mode !== 'name'))) sink.content(state.held);
    },
  };
}

export const olmo3: ToolFormat<Olmo3State> = {
  kind: 'tool',
  name: 'olmo3',
  aliases: [],
  models: 'Olmo 3',
  sample: "<function_calls>\nget_weather(city='Oslo', days=2)\n</function_calls>",
  stateVersion: 1,
  stateSchema,
  create,
  forcedChoice: 'json',
  whenNone: 'content',
  callDeltas: 'merged',
  complete: dropBlankContent,
};

import { z } from 'zod';
import type { EventSink, ParserContext, Piece, StreamParser, ToolFormat } from '../../core/stream-parser.ts';
import { joinStrippedParts } from '../family/complete-answer.ts';
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
 * <|tool_call_start|>[get_weather(city='Oslo', days=2)]<|tool_call_end|>Checking the weather now.
 *
 * Written by Liquid's LFM2 and LFM2.5. Specified by their model cards and chat templates.
 *
 * As in the reference: quotes inside a string of the same quotes, parameters named as Python's keywords and numbers with leading zeros are
 * read for what they mean; the list written once more behind the end token is dropped; in complete answers the texts before and behind are
 * stripped and joined by a newline. On purpose unlike it: markers inside strings are text, further lists between tokens are calls.
 */

const START = '<|tool_call_start|>';
const END = '<|tool_call_end|>';
const RULES = { separator: ',', end: ']', mendsQuotes: true };

interface Lfm2State {
  /** `block`: behind the start token; `list`: in the list; `closing`: between it and the end token; `echo`: in what may be the list again. */
  phase: 'text' | 'block' | 'list' | 'closing' | 'echo';
  /** Text since the start token until something of a call was given out; an echo so far. */
  held: string;
  /** A list was read to its end token; nothing but white space came since. */
  behind: boolean;
  fresh: boolean;
  stream: PythonicStream;
}

const stateSchema: z.ZodType<Lfm2State> = z.object({
  phase: z.enum(['text', 'block', 'list', 'closing', 'echo']),
  held: z.string(),
  behind: z.boolean(),
  fresh: z.boolean(),
  stream: pythonicStreamState,
});

function giveHeld(state: Lfm2State, sink: EventSink): void {
  sink.content(state.held);
  state.held = '';
  state.phase = 'text';
}

/** Another block goes on counting the calls. */
function open(state: Lfm2State): void {
  state.phase = 'block';
  state.held = START;
  state.stream = { ...startPythonic(), started: state.stream.started };
}

function close(state: Lfm2State): void {
  state.phase = 'text';
  state.held = '';
  state.behind = true;
  state.fresh = true;
}

function readList(state: Lfm2State, text: string, sink: EventSink): void {
  const { stream } = state;
  const end = readPythonic(stream, text, 0, RULES);
  settlePythonic(stream, RULES);
  state.held = stream.begun ? '' : state.held + text.slice(0, end);
  if (stream.calls.mode === 'done' || (stream.calls.mode === 'broken' && stream.begun)) {
    state.phase = 'closing';
  } else if (stream.calls.mode === 'broken') {
    state.held += text.slice(end);
    giveHeld(state, sink);
  }
}

function readBlock(state: Lfm2State, text: string, sink: EventSink): void {
  const list = stripStart(text);
  state.held += text.slice(0, text.length - list.length);
  if (list.startsWith('[')) {
    state.phase = 'list';
    state.held += '[';
    readList(state, list.slice(1), sink);
  } else if (list !== '') {
    state.held += list;
    giveHeld(state, sink);
  }
}

function readText(state: Lfm2State, text: string, sink: EventSink): void {
  const first = state.fresh ? stripStart(text)[0] : undefined;
  state.fresh &&= first === undefined;
  if (first !== '[' && first !== '<') return sink.content(text);
  state.phase = 'echo';
  state.held = text;
}

function push(state: Lfm2State, piece: Piece, sink: EventSink, context: ParserContext): void {
  const { text } = piece;
  const inString = state.phase === 'list' && state.stream.calls.mode === 'value' && state.stream.calls.value.mode === 'string';
  if (text === START && state.phase !== 'list' && state.phase !== 'block') {
    if (state.phase === 'echo') giveHeld(state, sink);
    open(state);
  } else if (
    text === END &&
    !inString &&
    (state.phase === 'closing' || state.phase === 'echo' || (state.phase === 'text' && state.behind))
  ) {
    close(state);
  } else if (text === '') {
    if (state.phase === 'text') sink.content('');
  } else if (state.fresh && piece.tokenId !== null && context.vocabulary.isSpecial(piece.tokenId)) {
    sink.content('');
  } else if (state.phase === 'text') {
    readText(state, text, sink);
  } else if (state.phase === 'echo') {
    state.held += text;
  } else if (state.phase === 'block') {
    readBlock(state, text, sink);
  } else if (state.phase === 'list') {
    readList(state, text, sink);
  }
}

function create(context: ParserContext): StreamParser<Lfm2State> {
  return {
    init: () => ({ phase: 'text', held: '', behind: false, fresh: false, stream: startPythonic() }),
    push(state: Lfm2State, piece: Piece, sink: EventSink): void {
      push(state, piece, sink, context);
    },
    endChunk(state: Lfm2State, sink: EventSink): void {
      const closed = state.behind && (state.phase === 'text' || state.phase === 'echo');
      // What became of a mended string is only sure at the end token.
      if (closed || (state.phase !== 'text' && !state.stream.calls.value.mended)) endPythonicChunk(state.stream, RULES, sink);
    },
    finish(state: Lfm2State, sink: EventSink): void {
      const hasCalls = finishPythonic(state.stream, sink);
      if (state.held !== '' && (state.phase === 'echo' || !hasCalls) && state.stream.calls.mode !== 'name') sink.content(state.held);
    },
  };
}

export const lfm2: ToolFormat<Lfm2State> = {
  kind: 'tool',
  name: 'lfm2',
  aliases: [],
  models: 'LFM2, LFM2.5',
  sample: "<|tool_call_start|>[get_weather(city='Oslo', days=2)]<|tool_call_end|>",
  stateVersion: 1,
  stateSchema,
  requiredTokens: [START, END],
  create,
  forcedChoice: 'json',
  whenNone: 'content',
  callDeltas: 'merged',
  complete: joinStrippedParts,
};

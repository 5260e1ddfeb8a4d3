import { z } from 'zod';
import type { EventSink, ParserContext, Piece, StreamParser } from '../../core/stream-parser.ts';
import type { PythonCallRules } from './python-calls.ts';
import { endPythonicChunk, finishPythonic, pythonicStreamState, readPythonic, settlePythonic, startPythonic } from './pythonic-stream.ts';
import type { PythonicStream } from './pythonic-stream.ts';
import { stripStart } from './white-space.ts';

/** Lists of calls written as Python, each between two tokens, with text around them. */
export interface PythonBlocks {
  /** `block`: behind the start token; `list`: in the list; `closing`: between it and the end token; `echo`: in what may be the list again. */
  phase: 'text' | 'block' | 'list' | 'closing' | 'echo';
  /** Text since the start token until something of a call was given out; an echo so far. */
  held: string;
  /** A list was read to its end token; nothing but white space came since. */
  behind: boolean;
  fresh: boolean;
  stream: PythonicStream;
}

export const pythonBlocksState: z.ZodType<PythonBlocks> = z.object({
  phase: z.enum(['text', 'block', 'list', 'closing', 'echo']),
  held: z.string(),
  behind: z.boolean(),
  fresh: z.boolean(),
  stream: pythonicStreamState,
});

export interface PythonBlockRules {
  open: string;
  close: string;
  /** A list right behind a closed block is the same once more, and is dropped. */
  dropsEcho: boolean;
  /** A quote with nothing behind it that can follow a value belongs to the string. */
  mendsQuotes: boolean;
}

function callRules({ mendsQuotes }: PythonBlockRules): PythonCallRules {
  return { separator: ',', end: ']', mendsQuotes };
}

function giveHeld(state: PythonBlocks, sink: EventSink): void {
  sink.content(state.held);
  state.held = '';
  state.phase = 'text';
}

/** Another block goes on counting the calls; those of the last one may still wait for the end of the chunk. */
function open(state: PythonBlocks, rules: PythonBlockRules, sink: EventSink): void {
  finishPythonic(state.stream, sink);
  state.phase = 'block';
  state.held = rules.open;
  state.stream = { ...startPythonic(), started: state.stream.started };
}

function close(state: PythonBlocks): void {
  state.phase = 'text';
  state.held = '';
  state.behind = true;
  state.fresh = true;
}

function readList(state: PythonBlocks, text: string, rules: PythonBlockRules, sink: EventSink): void {
  const { stream } = state;
  const end = readPythonic(stream, text, 0, callRules(rules));
  settlePythonic(stream, callRules(rules));
  state.held = stream.begun ? '' : state.held + text.slice(0, end);
  if (stream.calls.mode === 'done' || (stream.calls.mode === 'broken' && stream.begun)) {
    state.phase = 'closing';
  } else if (stream.calls.mode === 'broken') {
    state.held += text.slice(end);
    giveHeld(state, sink);
  }
}

function readBlock(state: PythonBlocks, text: string, rules: PythonBlockRules, sink: EventSink): void {
  const list = stripStart(text);
  state.held += text.slice(0, text.length - list.length);
  if (list.startsWith('[')) {
    state.phase = 'list';
    state.held += '[';
    readList(state, list.slice(1), rules, sink);
  } else if (list !== '') {
    state.held += list;
    giveHeld(state, sink);
  }
}

function readText(state: PythonBlocks, text: string, rules: PythonBlockRules, sink: EventSink): void {
  const first = state.fresh ? stripStart(text)[0] : undefined;
  state.fresh &&= first === undefined;
  if (!rules.dropsEcho || (first !== '[' && first !== '<')) return sink.content(text);
  state.phase = 'echo';
  state.held = text;
}

function push(state: PythonBlocks, piece: Piece, rules: PythonBlockRules, sink: EventSink, context: ParserContext): void {
  const { text } = piece;
  const inString = state.phase === 'list' && state.stream.calls.mode === 'value' && state.stream.calls.value.mode === 'string';
  if (text === rules.open && state.phase !== 'list' && state.phase !== 'block') {
    if (state.phase === 'echo') giveHeld(state, sink);
    open(state, rules, sink);
  } else if (
    text === rules.close &&
    !inString &&
    (state.phase === 'closing' || state.phase === 'echo' || (state.phase === 'text' && state.behind))
  ) {
    close(state);
  } else if (text === '') {
    if (state.phase === 'text') sink.content('');
  } else if (state.fresh && piece.tokenId !== null && context.vocabulary.isSpecial(piece.tokenId)) {
    sink.content('');
  } else if (state.phase === 'text') {
    readText(state, text, rules, sink);
  } else if (state.phase === 'echo') {
    state.held += text;
  } else if (state.phase === 'block') {
    readBlock(state, text, rules, sink);
  } else if (state.phase === 'list') {
    readList(state, text, rules, sink);
  }
}

/** The two tokens must be tokens of the vocabulary. */
export function createPythonBlocks(rules: PythonBlockRules, context: ParserContext): StreamParser<PythonBlocks> {
  return {
    init: () => ({ phase: 'text', held: '', behind: false, fresh: false, stream: startPythonic() }),
    push(state: PythonBlocks, piece: Piece, sink: EventSink): void {
      push(state, piece, rules, sink, context);
    },
    endChunk(state: PythonBlocks, sink: EventSink): void {
      const closed = state.behind && (state.phase === 'text' || state.phase === 'echo');
      // What became of a mended string is only sure at the end token.
      if (closed || (state.phase !== 'text' && !state.stream.calls.value.mended)) endPythonicChunk(state.stream, callRules(rules), sink);
    },
    finish(state: PythonBlocks, sink: EventSink): void {
      const hasCalls = finishPythonic(state.stream, sink);
      if (state.held !== '' && (state.phase === 'echo' || !hasCalls) && state.stream.calls.mode !== 'name') sink.content(state.held);
    },
  };
}

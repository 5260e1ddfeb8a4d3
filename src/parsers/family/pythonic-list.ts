import { z } from 'zod';
import type { EventSink, ParserContext, Piece, StreamParser } from '../../core/stream-parser.ts';
import { endPythonicChunk, finishPythonic, pythonicStreamState, readPythonic, settlePythonic, startPythonic } from './pythonic-stream.ts';
import type { PythonicStream } from './pythonic-stream.ts';
import { isBlank } from './white-space.ts';

/** An output that is, from its first unit on, a list of calls written as Python; anything else is content as a whole. */
export interface PythonicList {
  /** `failed`: text that began as a list; `behind`: the list is closed; `over`: nothing more is shown. */
  phase: 'start' | 'list' | 'text' | 'failed' | 'behind' | 'over';
  /** All text so far, until something of a call was given out; behind the list, white space that may be its end. */
  held: string;
  stream: PythonicStream;
}

export const pythonicListState: z.ZodType<PythonicList> = z.object({
  phase: z.enum(['start', 'list', 'text', 'failed', 'behind', 'over']),
  held: z.string(),
  stream: pythonicStreamState,
});

export interface PythonicListRules {
  /** A token that may stand in front of the list, and one behind it. */
  open: string | null;
  close: string | null;
  /** Text behind the list is content; otherwise it is dropped. */
  keepsText: boolean;
}

const CALL_RULES = { separator: ',', end: ']', mendsQuotes: false };

export function createPythonicList(rules: PythonicListRules, context: ParserContext): StreamParser<PythonicList> {
  const isControl = ({ tokenId }: Piece): boolean => tokenId !== null && context.vocabulary.isSpecial(tokenId);

  const behind = (state: PythonicList, text: string, sink: EventSink): void => {
    if (!rules.keepsText || isBlank(text)) {
      if (!isBlank(text)) state.phase = 'over';
      state.held += text;
      return;
    }
    state.phase = 'text';
    sink.content(state.held + text);
    state.held = '';
  };

  const start = (state: PythonicList, text: string, sink: EventSink): void => {
    state.held += text;
    if (state.held === rules.open) return;
    const list = state.held.slice(rules.open !== null && state.held.startsWith(rules.open) ? rules.open.length : 0);
    if (list.startsWith('[')) {
      state.phase = 'list';
      const rest = list.slice(1);
      state.held = state.held.slice(0, state.held.length - rest.length);
      read(state, rest, sink);
    } else {
      state.phase = 'text';
      sink.content(state.held);
      state.held = '';
    }
  };

  const read = (state: PythonicList, text: string, sink: EventSink): void => {
    const { stream } = state;
    const end = readPythonic(stream, text, 0, CALL_RULES);
    settlePythonic(stream, CALL_RULES);
    state.held = stream.begun ? '' : state.held + text.slice(0, end);
    if (stream.calls.mode === 'done') {
      state.phase = 'behind';
      if (end < text.length) behind(state, text.slice(end), sink);
    } else if (stream.calls.mode === 'broken') {
      state.phase = stream.begun ? 'over' : 'failed';
      if (!stream.begun) sink.content(state.held + text.slice(end));
      state.held = '';
    }
  };

  return {
    init: () => ({ phase: 'start', held: '', stream: startPythonic() }),
    push(state: PythonicList, piece: Piece, sink: EventSink): void {
      const { text } = piece;
      if (state.phase === 'text' || (state.phase === 'start' && state.held + text === '')) sink.content(text);
      else if (text === '') return;
      else if (state.phase === 'failed' && (!isControl(piece) || text === rules.close)) sink.content(text);
      else if (state.phase === 'start') start(state, text, sink);
      else if (state.phase === 'list') read(state, text, sink);
      else if (state.phase === 'behind' && isControl(piece)) state.phase = text === rules.close ? 'behind' : 'over';
      else if (state.phase === 'behind') behind(state, text, sink);
    },
    endChunk(state: PythonicList, sink: EventSink): void {
      if (state.phase === 'list' || state.phase === 'behind') endPythonicChunk(state.stream, CALL_RULES, sink);
    },
    finish(state: PythonicList, sink: EventSink): void {
      const { stream, held } = state;
      if (!finishPythonic(stream, sink) && held !== '' && stream.calls.mode !== 'name') sink.content(held);
    },
  };
}

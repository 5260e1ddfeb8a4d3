import { dumps, tryLoads } from '../../core/python-json.ts';
import type { EventSink, ParserContext, Piece, StreamParser } from '../../core/stream-parser.ts';
import { cutCallList, isInCallString, readCallList, startCallList } from './call-list.ts';
import type { CallListSink } from './call-list.ts';
import { TOOL_CALLS, startListed, startMistral } from './mistral-form.ts';
import type { MistralState } from './mistral-form.ts';
import { stripStart } from './white-space.ts';

const CLOSE = '[/TOOL_CALLS]';

/** The events of one list. What makes no call is content. */
function listSink(state: MistralState, sink: EventSink, isComplete: boolean): CallListSink {
  const give = (text: string): void => sink.toolArguments(state.calls - 1, text);
  return {
    start: (name) => startListed(state, name, sink),
    arguments(text, isDecoded): void {
      if (isDecoded || !isComplete) give(text);
      else state.written += text;
    },
    end(): void {
      // In complete answers, arguments that are valid JSON are read and serialised again.
      const value = tryLoads(state.written);
      const written = value === undefined ? state.written : dumps(value);
      if (written !== '') give(written);
      state.written = '';
      sink.toolEnd(state.calls - 1);
    },
    stray: (text) => sink.content(stripStart(text)),
  };
}

function read(state: MistralState, text: string, isComplete: boolean, sink: EventSink): void {
  const { result, end } = readCallList(state.list, text, listSink(state, sink, isComplete));
  if (result === 'open') return;
  state.mode = result === 'done' ? 'closed' : result === 'none' ? 'behind' : 'broken';
  if (result === 'none' && end < text.length) sink.content(text.slice(end));
  else if (result === 'done') readBehind(state, text.slice(end), sink);
}

/** Some models write a closing marker, which is no token. */
function readBehind(state: MistralState, text: string, sink: EventSink): void {
  const all = state.held + text;
  state.held = '';
  if (CLOSE.startsWith(all) && all !== CLOSE) {
    state.held = all;
    return;
  }
  state.mode = 'behind';
  const rest = all.startsWith(CLOSE) ? all.slice(CLOSE.length) : all;
  if (rest !== '') sink.content(rest);
}

/**
 * Calls as Mistral models before tokenizer version 11 write them, in one JSON list behind the marker. Where a call is forced, models
 * write the bare list.
 */
export function createMistralLists(context: ParserContext): StreamParser<MistralState> {
  const marker = context.vocabulary.tokenToId(TOOL_CALLS);
  const { toolChoice } = context;
  const isForced = toolChoice === 'required' || (toolChoice !== null && typeof toolChoice === 'object');
  const isPlain = toolChoice === 'none';
  const isComplete = context.mode === 'one-shot';

  return {
    repeatsType: true,
    init: () => startMistral(isForced ? 'list' : 'content'),
    push(state, piece: Piece, sink): void {
      if (isPlain) return sink.content(piece.text);
      if (piece.tokenId !== null && piece.tokenId === marker && !(state.mode === 'list' && isInCallString(state.list))) {
        if (state.mode === 'list') cutCallList(state.list, listSink(state, sink, isComplete));
        else if (state.held !== '') sink.content(state.held);
        state.held = '';
        state.mode = 'list';
        state.list = startCallList();
      } else if (state.mode === 'list') {
        read(state, piece.text, isComplete, sink);
      } else if (state.mode === 'closed') {
        readBehind(state, piece.text, sink);
      } else if (state.mode === 'content' || (piece.text !== '' && (state.mode === 'behind' || piece.tokenId === null))) {
        // As in the reference, a token without text shows as empty content, but only while there was no call; and special tokens
        // behind a list that broke off are dropped.
        sink.content(piece.text);
      }
    },
    finish(state, sink): void {
      if (state.mode === 'list') cutCallList(state.list, listSink(state, sink, isComplete));
      else if (state.held !== '') sink.content(state.held);
    },
  };
}

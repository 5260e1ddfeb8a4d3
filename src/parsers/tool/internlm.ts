import { z } from 'zod';
import type { EventSink, ParserContext, Piece, StreamParser, ToolFormat } from '../../core/stream-parser.ts';
import { callObjectState, readCallObject, startCallObject } from '../family/call-object.ts';
import type { CallObject } from '../family/call-object.ts';
import { dropBlankContent } from '../family/complete-answer.ts';
import { giveLagging, laggingState, restLagging, startLagging, takeLagging } from '../family/lagging-arguments.ts';
import type { LaggingArguments } from '../family/lagging-arguments.ts';
import { heldTail } from '../family/marker-scan.ts';
import { stripStart } from '../family/white-space.ts';

/*
 * I will look.<|action_start|><|plugin|>
 * {"name": "get_weather", "parameters": {"city": "Oslo"}}<|action_end|>
 *
 * Written by InternLM 2 and 2.5. Specified by their chat templates and the project's documentation.
 *
 * As in the reference: arguments are serialised again and come one chunk late; text behind the first call is dropped. On purpose unlike it:
 * several calls are found, markers inside strings are text, a call without parameters gets `{}`, a block that is no call is content.
 */

const START = '<|action_start|>';
const OPEN = `${START}<|plugin|>`;
const CLOSE = '<|action_end|>';
const SURE_TAIL = 3;
const KEYS = { name: 'name', arguments: ['parameters', 'arguments'], stop: '<' };

interface InternlmState {
  /** `after`: behind a call's object; `closed`: behind its block. Text is dropped in both. */
  mode: 'text' | 'call' | 'after' | 'closed';
  held: string;
  /** The block so far, until its name is known. */
  raw: string;
  object: CallObject;
  lagging: LaggingArguments;
  /** The chunk so far. */
  chunk: string;
  /** The reference would not understand the block any more, so its streams say nothing. */
  quiet: boolean;
  calls: number;
}

const stateSchema: z.ZodType<InternlmState> = z.object({
  mode: z.enum(['text', 'call', 'after', 'closed']),
  held: z.string(),
  raw: z.string(),
  object: callObjectState,
  lagging: laggingState,
  chunk: z.string(),
  quiet: z.boolean(),
  calls: z.int().min(0),
});

function readText(state: InternlmState, text: string, hasToken: boolean, sink: EventSink): string {
  const at = text.indexOf(OPEN);
  const tail = heldTail(text, OPEN);
  // A marker that is a token of its own hardly comes in parts, so little of it is not held, as in the reference.
  const kept = at === -1 ? text.length - (hasToken && tail < SURE_TAIL ? 0 : tail) : at;
  if (state.mode === 'text' && kept > 0) sink.content(text.slice(0, kept));
  if (at === -1) {
    state.held = text.slice(kept);
    return '';
  }
  endArguments(state, sink);
  state.mode = 'call';
  state.raw = OPEN;
  state.object = startCallObject();
  state.lagging = startLagging();
  state.quiet = false;
  return text.slice(at + OPEN.length);
}

function readAfter(state: InternlmState, text: string): string {
  const rest = stripStart(text);
  if (rest === '') return '';
  state.mode = 'closed';
  if (rest.startsWith(CLOSE)) return rest.slice(CLOSE.length);
  state.quiet = !rest.startsWith(START);
  return rest;
}

function readCall(state: InternlmState, text: string, sink: EventSink): string {
  const { object } = state;
  const end = readCallObject(object, text, 0, KEYS, {
    name(name) {
      sink.toolStart(state.calls, name);
      state.calls += 1;
      state.lagging.fresh = true;
    },
    arguments: (part) => takeLagging(state.lagging, part),
  });
  if (!object.begun) state.raw += text.slice(0, end);
  if (object.mode !== 'done' && object.mode !== 'broken') return '';
  if (object.begun) {
    state.mode = 'after';
  } else {
    sink.content(state.raw);
    state.mode = state.calls > 0 ? 'closed' : 'text';
  }
  state.raw = '';
  return text.slice(end);
}

/** Gives out what is left of a call's arguments. */
function endArguments(state: InternlmState, sink: EventSink): void {
  if (state.calls === 0) return;
  const rest = restLagging(state.lagging);
  if (rest !== '') sink.toolArguments(state.calls - 1, rest);
}

function create({ mode, vocabulary }: ParserContext): StreamParser<InternlmState> {
  const hasToken = vocabulary.tokenToId(START) !== undefined;
  return {
    init: () => ({
      mode: 'text',
      held: '',
      raw: '',
      object: startCallObject(),
      lagging: startLagging(),
      chunk: '',
      quiet: false,
      calls: 0,
    }),
    push(state: InternlmState, piece: Piece, sink: EventSink): void {
      if (piece.text === '' && state.mode === 'text' && state.held === '') sink.content('');
      state.chunk += piece.text;
      let text = state.held + piece.text;
      state.held = '';
      while (text !== '') {
        if (state.mode === 'call') text = readCall(state, text, sink);
        else text = state.mode === 'after' ? readAfter(state, text) : readText(state, text, hasToken, sink);
      }
    },
    endChunk(state: InternlmState, sink: EventSink): void {
      const { chunk } = state;
      state.chunk = '';
      if (mode === 'one-shot' || state.calls === 0 || state.quiet || (state.mode === 'call' && !state.object.begun)) return;
      const given = giveLagging(state.lagging, chunk);
      if (given !== null) sink.toolArguments(state.calls - 1, given);
    },
    finish(state: InternlmState, sink: EventSink): void {
      if (state.mode === 'call' && !state.object.begun) {
        if (state.object.hasArguments) sink.content(state.raw);
        return;
      }
      if (state.mode === 'text' && state.held !== '') sink.content(state.held);
      if (state.calls === 0) return;
      endArguments(state, sink);
      sink.toolEnd(state.calls - 1);
    },
  };
}

export const internlm: ToolFormat<InternlmState> = {
  kind: 'tool',
  name: 'internlm',
  aliases: ['internlm2'],
  models: 'InternLM 2, 2.5',
  sample: '<|action_start|><|plugin|>\n{"name": "get_weather", "parameters": {"city": "Oslo"}}<|action_end|>',
  stateVersion: 1,
  stateSchema,
  create,
  forcedChoice: 'json',
  whenNone: 'content',
  callDeltas: 'merged',
  complete: dropBlankContent,
};

import { z } from 'zod';
import type { EventSink, Piece, StreamParser, ToolFormat } from '../../core/stream-parser.ts';
import { callObjectState, readCallObject, startCallObject } from '../family/call-object.ts';
import type { CallObject } from '../family/call-object.ts';
import { dropBlankContent, reserialiseArguments } from '../family/complete-answer.ts';
import { firstMarker, heldTailOf } from '../family/marker-scan.ts';
import { stripStart } from '../family/white-space.ts';

/*
 * I will look.<|function_call|>{"name": "get_weather", "arguments": {"city": "Oslo"}}
 * I will look.<|message_sep|>
 *
 * function call<|role_sep|>
 * {"name": "get_weather", "arguments": {"city": "Oslo"}}
 *
 * Written by Sber's GigaChat 3, the second form by its first version. Specified by the chat template.
 *
 * As in the reference: arguments stream as they are written, and are serialised again in complete answers. On purpose unlike it: several
 * calls are calls, text behind them is content, what is no call is content, and the markers never are.
 */

const OPENERS = ['<|function_call|>', 'function call<|role_sep|>\n'];
const SEPARATOR = '<|message_sep|>';
const END = '</s>';
const KEYS = { name: 'name', arguments: ['arguments'], stop: '<' };

interface GigachatState {
  /** `separated`: right behind a separator; `after`: right behind a call. */
  mode: 'text' | 'separated' | 'call' | 'after';
  /** Text that may be the beginning of a marker. */
  held: string;
  /** The opener and the object so far, until its name is known. */
  raw: string;
  object: CallObject;
  calls: number;
}

const stateSchema: z.ZodType<GigachatState> = z.object({
  mode: z.enum(['text', 'separated', 'call', 'after']),
  held: z.string(),
  raw: z.string(),
  object: callObjectState,
  calls: z.int().min(0),
});

function readText(state: GigachatState, text: string, sink: EventSink): string {
  const markers = [...OPENERS, SEPARATOR];
  const hit = firstMarker(text, markers);
  const kept = hit ? hit.at : text.length - heldTailOf(text, markers);
  if (kept > 0) sink.content(text.slice(0, kept));
  if (!hit) {
    state.held = text.slice(kept);
    return '';
  }
  state.mode = hit.marker === SEPARATOR ? 'separated' : 'call';
  state.raw = hit.marker;
  state.object = startCallObject();
  return text.slice(kept + hit.marker.length);
}

function readCall(state: GigachatState, text: string, sink: EventSink): string {
  const { object } = state;
  const end = readCallObject(object, text, 0, KEYS, {
    name: (name) => sink.toolStart(state.calls, name),
    arguments: (part) => sink.toolArguments(state.calls, part),
  });
  if (!object.begun) state.raw += text.slice(0, end);
  if (object.mode !== 'done' && object.mode !== 'broken') return '';
  if (object.begun) {
    sink.toolEnd(state.calls);
    state.calls += 1;
    state.mode = 'after';
  } else {
    sink.content(state.raw);
    state.mode = 'text';
  }
  state.raw = '';
  return text.slice(end);
}

/** White space behind a separator is dropped; so is the end of the sequence behind a call, where it is written as text. */
function readBehind(state: GigachatState, text: string): string {
  const next = state.mode === 'separated' ? stripStart(text) : text;
  if (state.mode === 'after' && END.startsWith(next) && next !== END) {
    state.held = next;
    return '';
  }
  const isEnd = state.mode === 'after' && next.startsWith(END);
  if (next !== '') state.mode = 'text';
  return isEnd ? next.slice(END.length) : next;
}

function read(state: GigachatState, text: string, sink: EventSink): string {
  if (state.mode === 'text') return readText(state, text, sink);
  return state.mode === 'call' ? readCall(state, text, sink) : readBehind(state, text);
}

function create(): StreamParser<GigachatState> {
  return {
    init: () => ({ mode: 'text', held: '', raw: '', object: startCallObject(), calls: 0 }),
    push(state: GigachatState, piece: Piece, sink: EventSink): void {
      let text = state.held + piece.text;
      state.held = '';
      while (text !== '') text = read(state, text, sink);
    },
    finish(state: GigachatState, sink: EventSink): void {
      const { mode, held, raw, object } = state;
      if (mode !== 'call') {
        if (held !== '') sink.content(held);
      } else if (object.begun) sink.toolEnd(state.calls);
      else if (object.hasArguments) sink.content(raw);
    },
  };
}

export const gigachat3: ToolFormat<GigachatState> = {
  kind: 'tool',
  name: 'gigachat3',
  aliases: [],
  models: 'GigaChat 3',
  sample: '<|function_call|>{"name": "get_weather", "arguments": {"city": "Oslo"}}',
  stateVersion: 1,
  stateSchema,
  create,
  forcedChoice: 'json',
  whenNone: 'content',
  callDeltas: 'name-apart',
  complete(answer, context) {
    reserialiseArguments(answer);
    dropBlankContent(answer, context);
  },
};

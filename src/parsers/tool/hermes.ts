import { z } from 'zod';
import type { EventSink, ParserContext, Piece, StreamParser, ToolFormat } from '../../core/stream-parser.ts';
import { callObjectState, readCallObject, startCallObject } from '../family/call-object.ts';
import type { CallObject } from '../family/call-object.ts';
import { dropBlankContent, reserialiseArguments } from '../family/complete-answer.ts';
import { heldTail } from '../family/marker-scan.ts';

/*
 * <tool_call>
 * {"name": "get_weather", "arguments": {"city": "Oslo"}}
 * </tool_call>
 *
 * Written by Hermes 2 Pro and 3, Qwen 2.5 and Qwen 3 (not Coder), and many fine-tunes; one block a call. Specified by the
 * Hermes-Function-Calling repository and the chat templates.
 *
 * As in the reference: text behind the first call is dropped, and a block cut off before its name is closed; in complete answers arguments are serialised again. On purpose unlike it:
 * markers inside strings are text, arguments may come before the name, a call without arguments gets `{}`, and a block that names no
 * function becomes content in streams too.
 */

const OPEN = '<tool_call>';
const CLOSE = '</tool_call>';
const KEYS = { name: 'name', arguments: ['arguments'], stop: '<' };

interface HermesState {
  /** `text`: content; `call`: in an object; `after`: behind a call, where text is dropped; `unread`: in a block that is no call, shown as it is. */
  mode: 'text' | 'call' | 'after' | 'unread';
  /** A tail that may begin a marker. */
  held: string;
  /** The block so far, until its name is known. */
  raw: string;
  object: CallObject;
  /** The end of the arguments so far, held while it may be white space at the end of the block. */
  tail: string;
  calls: number;
}

const stateSchema: z.ZodType<HermesState> = z.object({
  mode: z.enum(['text', 'call', 'after', 'unread']),
  held: z.string(),
  raw: z.string(),
  object: callObjectState,
  tail: z.string(),
  calls: z.int().min(0),
});

/** Shows or drops the text in front of the next marker; answers the text behind it, or null where the text ended. */
function readText(state: HermesState, text: string, sink: EventSink): string | null {
  const open = text.indexOf(OPEN);
  const close = state.mode === 'unread' ? text.indexOf(CLOSE) : -1;
  const closes = close !== -1 && (open === -1 || close < open);
  if (closes || open !== -1) {
    const at = closes ? close + CLOSE.length : open;
    if (state.mode !== 'after' && at > 0) sink.content(text.slice(0, at));
    if (closes) {
      state.mode = state.calls > 0 ? 'after' : 'text';
      return text.slice(at);
    }
    state.mode = 'call';
    state.object = startCallObject();
    state.raw = OPEN;
    return text.slice(at + OPEN.length);
  }
  const kept = text.length - Math.max(heldTail(text, OPEN), state.mode === 'unread' ? heldTail(text, CLOSE) : 0);
  if (state.mode !== 'after' && kept > 0) sink.content(text.slice(0, kept));
  state.held = text.slice(kept);
  return null;
}

/** Reads on in a block's object; answers the text behind it, or null where the text ended. */
function readCall(state: HermesState, text: string, sink: EventSink): string | null {
  const { object } = state;
  const end = readCallObject(object, text, 0, KEYS, {
    name(name) {
      sink.toolStart(state.calls, name);
      state.calls += 1;
    },
    arguments(part) {
      const known = state.tail + part;
      const length = known.trimEnd().length - heldTail(known, CLOSE);
      const kept = known.slice(0, Math.max(length, 0)).trimEnd().length;
      if (kept > 0) sink.toolArguments(state.calls - 1, known.slice(0, kept));
      state.tail = known.slice(kept);
    },
  });
  if (!object.begun) state.raw += text.slice(0, end);
  if (object.mode !== 'done' && object.mode !== 'broken') return null;
  if (object.begun) {
    sink.toolEnd(state.calls - 1);
    state.mode = 'after';
  } else {
    sink.content(state.raw);
    state.mode = 'unread';
  }
  state.raw = '';
  state.tail = '';
  return text.slice(end);
}

function create(): StreamParser<HermesState> {
  return {
    init: () => ({ mode: 'text', held: '', raw: '', object: startCallObject(), tail: '', calls: 0 }),
    push(state: HermesState, piece: Piece, sink: EventSink): void {
      let text: string | null = state.held + piece.text;
      state.held = '';
      while (text) text = state.mode === 'call' ? readCall(state, text, sink) : readText(state, text, sink);
    },
    finish(state: HermesState, sink: EventSink): void {
      if (state.mode !== 'call') {
        if (state.mode !== 'after' && state.held !== '') sink.content(state.held);
      } else if (state.object.begun) {
        const rest = state.object.scan.inString ? state.tail.trimEnd() : '';
        if (rest !== '') sink.toolArguments(state.calls - 1, rest);
        sink.toolEnd(state.calls - 1);
      } else if (state.object.hasArguments) {
        sink.content(state.raw);
      }
    },
  };
}

export const hermes: ToolFormat<HermesState> = {
  kind: 'tool',
  name: 'hermes',
  aliases: ['qwen', 'qwen25', 'qwen3_json'],
  models: 'Hermes 2 Pro and 3, Qwen 2.5, Qwen 3',
  sample: '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Oslo"}}\n</tool_call>',
  stateVersion: 1,
  stateSchema,
  create,
  forcedChoice: 'markup',
  whenNone: 'content',
  callDeltas: 'name-apart',
  complete(answer, context: ParserContext) {
    reserialiseArguments(answer);
    dropBlankContent(answer, context);
  },
};

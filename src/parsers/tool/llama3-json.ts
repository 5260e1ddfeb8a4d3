import { z } from 'zod';
import type { EventSink, ParserContext, Piece, StreamParser, ToolFormat } from '../../core/stream-parser.ts';
import { dropBlankContent } from '../family/complete-answer.ts';
import { giveCall, heldCall, isOpenName } from '../family/held-call.ts';
import { checkJson, jsonCheckState, startCheck } from '../family/json-check.ts';
import type { JsonCheck } from '../family/json-check.ts';

/*
 * <|python_tag|>{"name": "get_weather", "parameters": {"city": "Oslo"}}; {"name": "ping", "parameters": {}}
 *
 * Written by Llama 3.1, 3.2 and (with the matching template) 4; the tag is optional, calls are parted by semicolons. Specified by Meta's
 * prompt format pages and the chat templates.
 *
 * Nothing but its own shape marks an object as a call, so an object is held until it is closed: then it is a call, or text. As in the
 * reference: text behind the first call is dropped. On purpose unlike it: text in front of a call stays content, in streams a call
 * may follow text, anything may stand between two calls, and an object that is no call is content (one that is cut off in its name is not
 * shown, as in the reference's streams).
 */

const TAG = '<|python_tag|>';
/** Llama 4's spelling of the tag. */
const TAGS = [TAG, '<|python_start|>'];
const KEYS = ['arguments', 'parameters'];

interface Llama3State {
  /** `text`: content, or dropped behind a call; `lead`: in a tag or bracket that may stand in front of an object; `object`: in an object. */
  mode: 'text' | 'lead' | 'object';
  /** The tag and bracket in front of the object, held until the object is known to be a call. */
  lead: string;
  /** The object so far. */
  object: string;
  check: JsonCheck;
  /** Nothing but white space so far on this line. */
  lineStart: boolean;
  /** Directly behind an object that is no call. */
  behindObject: boolean;
  calls: number;
}

const stateSchema: z.ZodType<Llama3State> = z.object({
  mode: z.enum(['text', 'lead', 'object']),
  lead: z.string(),
  object: z.string(),
  check: jsonCheckState,
  lineStart: z.boolean(),
  behindObject: z.boolean(),
  calls: z.int().min(0),
});

function giveText(state: Llama3State, text: string, sink: EventSink): void {
  const line = text.slice(text.lastIndexOf('\n') + 1);
  state.lineStart = line.trim() === '' && (state.lineStart || line.length < text.length);
  if (text === '') return;
  state.behindObject = false;
  if (state.calls === 0) sink.content(text);
}

/** What was held turned out to be text. */
function giveHeld(state: Llama3State, sink: EventSink): void {
  giveText(state, state.lead + state.object, sink);
  state.behindObject = state.object !== '';
  state.lead = '';
  state.object = '';
  state.mode = 'text';
}

/** Where an object, or what leads to one, may begin. Inside a line only a brace that goes on with a quote counts: prose has braces too. */
function nextStart(state: Llama3State, text: string): number {
  for (const match of text.matchAll(/[{[<]/g)) {
    const before = text.slice(0, match.index);
    const line = before.slice(before.lastIndexOf('\n') + 1);
    const atLineStart = line.trim() === '' && (state.lineStart || line.length < before.length);
    if (match[0] === '{' ? atLineStart || state.calls > 0 || text[match.index + 1] === '"' : match[0] === '[' && atLineStart)
      return match.index;
    if (match[0] === '<' && TAGS.some((tag) => text.startsWith(tag, match.index))) return match.index;
  }
  return -1;
}

function readText(state: Llama3State, text: string, sink: EventSink): string {
  const start = nextStart(state, text);
  giveText(state, start === -1 ? text : text.slice(0, start), sink);
  if (start === -1) return '';
  state.mode = 'lead';
  return text.slice(start);
}

/** A tag and a bracket may stand in front of the object: with anything else behind them they are text. */
function readLead(state: Llama3State, text: string, sink: EventSink): string {
  const lead = TAGS.find((tag) => text.startsWith(tag)) ?? /^(?:\s+|\[)/.exec(text)?.[0] ?? '';
  if (lead !== '') {
    state.lead += lead;
    return text.slice(lead.length);
  }
  if (text.startsWith('{')) {
    state.mode = 'object';
    state.check = startCheck();
  } else {
    giveHeld(state, sink);
  }
  return text;
}

function readObject(state: Llama3State, text: string, sink: EventSink): string {
  const end = checkJson(state.check, text, 0);
  state.object += text.slice(0, end);
  if (state.check.expect === 'broken') giveHeld(state, sink);
  if (state.check.expect !== 'done') return text.slice(end);
  const call = heldCall(state.object, KEYS);
  if (call) {
    giveCall(call, state.calls, sink);
    state.calls += 1;
    state.lead = '';
    state.object = '';
    state.mode = 'text';
  } else {
    giveHeld(state, sink);
  }
  return text.slice(end);
}

const READERS = { text: readText, lead: readLead, object: readObject };

/** A control token such as the end of the turn is no part of an object, nor of the text right behind one. */
function endsObject(state: Llama3State, piece: Piece, context: ParserContext): boolean {
  if (piece.tokenId === null || !context.vocabulary.isSpecial(piece.tokenId) || TAGS.includes(piece.text)) return false;
  return state.behindObject || (state.mode === 'object' && state.check.expect !== 'in-string' && state.check.expect !== 'in-key');
}

function create(context: ParserContext): StreamParser<Llama3State> {
  return {
    init: () => ({ mode: 'text', lead: '', object: '', check: startCheck(), lineStart: true, behindObject: false, calls: 0 }),
    push(state: Llama3State, piece: Piece, sink: EventSink): void {
      if (piece.text === '' && state.mode === 'text' && state.calls === 0) sink.content('');
      if (endsObject(state, piece, context)) return giveHeld(state, sink);
      let { text } = piece;
      while (text !== '') text = READERS[state.mode](state, text, sink);
    },
    finish(state: Llama3State, sink: EventSink): void {
      if (!isOpenName(state.object)) giveHeld(state, sink);
    },
  };
}

export const llama3Json: ToolFormat<Llama3State> = {
  kind: 'tool',
  name: 'llama3_json',
  aliases: ['llama', 'llama3', 'llama4_json'],
  models: 'Llama 3.1, 3.2 and 4',
  sample: '{"name": "get_weather", "parameters": {"city": "Oslo"}}',
  stateVersion: 1,
  stateSchema,
  requiredTokens: [TAG],
  create,
  forcedChoice: 'markup',
  whenNone: 'content',
  callDeltas: 'name-apart',
  complete: dropBlankContent,
};

import { z } from 'zod';
import { tryLoads } from '../../core/python-json.ts';
import type { EventSink, ParserContext, Piece, StreamParser, ToolFormat } from '../../core/stream-parser.ts';
import { joinStrippedParts } from '../family/complete-answer.ts';
import { jsonMirrorState, mirrorScalar, readMirror, startMirror } from '../family/json-mirror.ts';
import type { JsonMirror } from '../family/json-mirror.ts';
import { firstMarker, heldTailOf } from '../family/marker-scan.ts';

/*
 * I will look.<|tools_prefix|>[{"get_weather": {"city": "Oslo"}}, {"ping": {}}]<|tools_suffix|>
 *
 * Written by Apertus; the list may be a single object. Specified by the chat template.
 *
 * As in the reference: arguments are serialised again, and units that may turn out to be closing ones come with what follows them; in complete
 * answers the texts before and behind are stripped and joined by a newline. On purpose unlike it: text beside a marker is kept, markers
 * inside strings are text, several blocks are read, arguments that are cut off stay open in complete answers too, and what follows
 * arguments that cannot be read is content.
 */

const PREFIX = '<|tools_prefix|>';
const SUFFIX = '<|tools_suffix|>';
/** Units at the end that the reference keeps back while a call may go on. */
const CLOSING = /[}"\] ,]+$/;

interface ApertusState {
  /** `list`: between calls; `object`, `key`, `colon`: in front of a call's arguments; `end`: behind them. */
  mode: 'text' | 'list' | 'object' | 'key' | 'colon' | 'arguments' | 'end';
  held: string;
  /** The block so far, until a name was given out. */
  raw: string;
  /** A name so far, as written. */
  word: string;
  escaped: boolean;
  mirror: JsonMirror;
  /** The block is a list; the open call's name was given out. */
  isList: boolean;
  named: boolean;
  /** In this chunk something of a call was given out; a marker was read but nothing of a call: a control token behind it is not shown, as in the reference. */
  gave: boolean;
  marked: boolean;
  calls: number;
}

const stateSchema: z.ZodType<ApertusState> = z.object({
  mode: z.enum(['text', 'list', 'object', 'key', 'colon', 'arguments', 'end']),
  held: z.string(),
  raw: z.string(),
  word: z.string(),
  escaped: z.boolean(),
  mirror: jsonMirrorState,
  isList: z.boolean(),
  named: z.boolean(),
  gave: z.boolean(),
  marked: z.boolean(),
  calls: z.int().min(0),
});

function readText(state: ApertusState, text: string, sink: EventSink): string {
  const hit = firstMarker(text, [PREFIX, SUFFIX]);
  const kept = hit ? hit.at : text.length - heldTailOf(text, [PREFIX, SUFFIX]);
  if (kept > 0) sink.content(text.slice(0, kept));
  if (!hit) {
    state.held = text.slice(kept);
    return '';
  }
  state.mode = 'text';
  state.marked = !state.gave;
  if (hit.marker === PREFIX) {
    state.mode = 'list';
    state.raw = PREFIX;
    state.isList = false;
    state.named = false;
  }
  return text.slice(kept + hit.marker.length);
}

function giveName(state: ApertusState, sink: EventSink): void {
  if (state.named) return;
  const name = tryLoads(`"${state.word}"`);
  sink.toolStart(state.calls, typeof name === 'string' ? name : state.word);
  sink.toolArguments(state.calls, '');
  state.named = true;
  state.raw = '';
  state.calls += 1;
}

/** All of the call is known. */
function endCall(state: ApertusState, sink: EventSink): void {
  if (state.mirror.stack === '' && state.mirror.json === '' && !state.named) return;
  giveName(state, sink);
  state.gave = true;
  if (state.mirror.json !== '') sink.toolArguments(state.calls - 1, state.mirror.json);
  state.mirror = startMirror();
  sink.toolEnd(state.calls - 1);
}

function breakOff(state: ApertusState, text: string, sink: EventSink): string {
  if (state.mirror.json !== '' || state.named) endCall(state, sink);
  if (state.raw !== '') sink.content(state.raw);
  state.mode = 'text';
  state.raw = '';
  return text;
}

/** Takes one unit between calls or in front of arguments; false where it cannot stand there. */
function step(state: ApertusState, c: string, sink: EventSink): boolean {
  if (state.mode === 'key') {
    if (c === '"' && !state.escaped) state.mode = 'colon';
    else state.word += c;
    state.escaped = c === '\\' && !state.escaped;
    return true;
  }
  if (/\s/.test(c)) return true;
  if (state.mode === 'colon' && c === ':') {
    state.mode = 'arguments';
    state.mirror = startMirror();
  } else if (state.mode === 'object' && c === '"') {
    state.mode = 'key';
    state.word = '';
    state.escaped = false;
  } else if (state.mode === 'end' && c === '}') {
    state.mode = state.isList ? 'list' : 'text';
    if (!state.isList) endCall(state, sink);
  } else if (state.mode === 'list' && c === '{') {
    endCall(state, sink);
    state.named = false;
    state.mode = 'object';
  } else if (state.mode === 'list' && state.isList && c === ']') {
    endCall(state, sink);
    if (state.calls === 0 && state.raw !== '') sink.content(state.raw + c);
    state.mode = 'text';
  } else if (state.mode === 'list' && c === (state.isList ? ',' : '[')) {
    state.isList = true;
  } else {
    return false;
  }
  return true;
}

function isOver({ mode }: ApertusState): boolean {
  return mode === 'text';
}

function readBlock(state: ApertusState, text: string, sink: EventSink): string {
  let at = 0;
  while (at < text.length && !isOver(state)) {
    const from = at;
    if (state.mode === 'arguments') at = readMirror(state.mirror, text, at);
    else if (step(state, text[at] ?? '', sink)) at += 1;
    else return breakOff(state, text.slice(at), sink);
    if (state.raw !== '' && !isOver(state)) state.raw += text.slice(from, at);
    if (state.mode !== 'arguments') continue;
    if (state.mirror.expect === 'broken') return breakOff(state, text.slice(at), sink);
    if (state.mirror.expect === 'done') state.mode = 'end';
  }
  return text.slice(at);
}

function create({ vocabulary }: ParserContext): StreamParser<ApertusState> {
  return {
    init: () => ({
      mode: 'text',
      held: '',
      raw: '',
      word: '',
      escaped: false,
      mirror: startMirror(),
      isList: false,
      named: false,
      gave: false,
      marked: false,
      calls: 0,
    }),
    push(state: ApertusState, piece: Piece, sink: EventSink): void {
      const isControl = piece.tokenId !== null && vocabulary.isSpecial(piece.tokenId) && piece.text !== PREFIX && piece.text !== SUFFIX;
      if (isControl && state.marked && state.mode === 'text') return;
      let text = state.held + piece.text;
      state.held = '';
      while (text !== '') text = state.mode === 'text' ? readText(state, text, sink) : readBlock(state, text, sink);
    },
    endChunk(state: ApertusState, sink: EventSink): void {
      const { mirror } = state;
      state.marked = false;
      state.gave = false;
      if (mirror.json === '' || (state.mode !== 'arguments' && state.mode !== 'end' && state.mode !== 'list')) return;
      giveName(state, sink);
      const text = mirror.json.replace(CLOSING, '');
      if (text !== '') sink.toolArguments(state.calls - 1, text);
      mirror.json = mirror.json.slice(text.length);
    },
    finish(state: ApertusState, sink: EventSink): void {
      if (state.mode === 'text') {
        if (state.held !== '') sink.content(state.held);
        return;
      }
      state.mirror.json += mirrorScalar(state.mirror);
      endCall(state, sink);
    },
  };
}

export const apertus: ToolFormat<ApertusState> = {
  kind: 'tool',
  name: 'apertus',
  aliases: [],
  models: 'Apertus',
  sample: '<|tools_prefix|>[{"get_weather": {"city": "Oslo"}}]<|tools_suffix|>',
  stateVersion: 1,
  stateSchema,
  create,
  forcedChoice: 'json',
  whenNone: 'content',
  callDeltas: 'empty-apart',
  complete: joinStrippedParts,
};

import { z } from 'zod';
import type { EventSink, ParserContext, StreamParser } from '../../core/stream-parser.ts';
import { INVOKE_CLOSE, INVOKE_OPEN, PARAMETER_CLOSE, PARAMETER_OPEN, callOfBlock } from './atem-calls.ts';
import { firstMarker, heldTail, heldTailOf } from './marker-scan.ts';
import { isBlank } from './white-space.ts';

const START = '<|start|>';
const MESSAGE = '<|message|>';
const MESSAGE_END = '<|eom|>';
const TURN_END = '<|eot|>';
const MARKERS = [START, MESSAGE, MESSAGE_END, TURN_END];

/** What becomes of a message, by whom it is for. `raw`: it would hold calls, but is shown as it is. */
type Channel = 'reasoning' | 'content' | 'calls' | 'dropped' | 'raw';

/** What the two generations of Muse differ in. */
export interface MuseProfile {
  /** Recipients of messages that are shown, and what they are shown as. A message to anyone else holds calls. */
  channels: Readonly<Record<string, Channel>>;
  /** A message to nobody. */
  unaddressed: Channel;
  /** Parameters of type `string` are text whatever they say. */
  keepsStrings: boolean;
}

export interface MuseState {
  /** `opening`: at the very beginning; `header`: in front of a message; `body`: in one. */
  mode: 'opening' | 'header' | 'body';
  channel: Channel;
  /** Text that may begin a marker or header; in a header all of it. */
  held: string;
  /** The call that is open in a channel of calls, from its opening tag. */
  block: string;
  /** Inside a parameter of that call. */
  inParameter: boolean;
  calls: number;
}

export const museState: z.ZodType<MuseState> = z.object({
  mode: z.enum(['opening', 'header', 'body']),
  channel: z.enum(['reasoning', 'content', 'calls', 'dropped', 'raw']),
  held: z.string(),
  block: z.string(),
  inParameter: z.boolean(),
  calls: z.int().min(0),
});

/** A header as far as it may have come without a marker, as the first one of a turn may. */
const BARE_HEADER = /^\s*(?:t|to|to=[^\s<]*)?$/;
/** The end of a text that may be such a header. */
const HEADER_TAIL = /\s(?:t|to|to=[^\s<]*)$/;
const RECIPIENT = /to=([^\s<]+)\s*$/;
/** No header is longer. */
const MAX_HEADER = 256;

/** Reads one text. */
class Reading {
  private readonly state: MuseState;
  private readonly sink: EventSink;
  private readonly profile: MuseProfile;
  private readonly context: ParserContext;

  constructor(state: MuseState, sink: EventSink, profile: MuseProfile, context: ParserContext) {
    this.state = state;
    this.sink = sink;
    this.profile = profile;
    this.context = context;
  }

  /** @returns what is left to read; empty where the rest is held */
  step(text: string): string {
    const { state } = this;
    if (state.mode === 'opening') return this.open(text);
    if (state.mode === 'header') return this.header(text);
    return state.channel === 'calls' ? this.callBody(text) : this.body(text);
  }

  private open(text: string): string {
    const { state } = this;
    const marker = firstMarker(text, MARKERS);
    const before = marker ? text.slice(0, marker.at) : text;
    if (marker && BARE_HEADER.test(before)) {
      state.mode = 'header';
      return text;
    }
    if (
      !marker &&
      text.length <= MAX_HEADER &&
      (BARE_HEADER.test(text.slice(0, text.length - heldTailOf(text, MARKERS))) || '<atem:'.startsWith(text.trimStart()))
    ) {
      state.held = text;
      return '';
    }
    // There is no header: what stands in the prompt or nowhere.
    state.mode = 'body';
    if (text.trimStart().startsWith('<atem:')) state.channel = 'calls';
    return text;
  }

  private header(text: string): string {
    const { state } = this;
    const marker = firstMarker(text, MARKERS);
    if (!marker) {
      state.held = text.slice(-MAX_HEADER);
      return '';
    }
    const rest = text.slice(marker.at + marker.marker.length);
    if (marker.marker === MESSAGE) this.startBody(text.slice(0, marker.at));
    return rest;
  }

  private startBody(header: string): void {
    const { state, profile, context } = this;
    const recipient = RECIPIENT.exec(header)?.[1];
    state.mode = 'body';
    state.block = '';
    state.inParameter = false;
    if (recipient === undefined) {
      // As in the reference, where a tool parser that reads on shows what the reasoning parser drops.
      const isRead = state.calls > 0 || !context.hasReasoningParser;
      state.channel = isRead && profile.unaddressed === 'dropped' ? 'content' : profile.unaddressed;
    } else state.channel = Object.hasOwn(profile.channels, recipient) ? (profile.channels[recipient] ?? 'calls') : 'calls';
    const shown = context.toolChoice === 'none' || !context.hasToolParser;
    if (state.channel !== 'calls' || !shown) return;
    state.channel = 'raw';
    this.sink.content(`to=${recipient ?? ''}${MESSAGE}`);
  }

  private body(text: string): string {
    const { state } = this;
    const marker = firstMarker(text, MARKERS);
    if (!marker) {
      const whole = text.slice(0, text.length - heldTailOf(text, MARKERS));
      const tail = HEADER_TAIL.exec(whole);
      const end = tail && whole.length - tail.index <= MAX_HEADER ? tail.index : whole.length;
      this.give(text.slice(0, end));
      state.held = text.slice(end);
      return '';
    }
    const before = text.slice(0, marker.at);
    const rest = text.slice(marker.at + marker.marker.length);
    const bare = marker.marker === MESSAGE ? RECIPIENT.exec(before) : null;
    if (marker.marker === MESSAGE && !bare) this.give(before + MESSAGE);
    else
      this.give((bare ? before.slice(0, bare.index) : before) + (state.channel === 'raw' && marker.marker !== START ? marker.marker : ''));
    if (bare) this.startBody(before);
    else if (marker.marker !== MESSAGE) state.mode = 'header';
    return rest;
  }

  private give(text: string): void {
    if (text === '' || this.state.channel === 'dropped') return;
    if (this.state.channel === 'reasoning') this.sink.reasoning(text);
    else this.sink.content(text);
  }

  private callBody(text: string): string {
    const { state } = this;
    if (state.block === '') {
      const found = firstMarker(text, [INVOKE_OPEN, ...MARKERS]);
      if (!found) {
        state.held = text.slice(text.length - heldTailOf(text, [INVOKE_OPEN, ...MARKERS]));
        return '';
      }
      const rest = text.slice(found.at + found.marker.length);
      if (found.marker === INVOKE_OPEN) state.block = INVOKE_OPEN;
      else if (found.marker === MESSAGE) this.startBody(text.slice(0, found.at));
      else state.mode = 'header';
      return rest;
    }
    // Inside a value only its end counts, and what no message can hold.
    const sought = state.inParameter ? [PARAMETER_CLOSE, START] : [PARAMETER_OPEN, INVOKE_CLOSE, START, MESSAGE_END, TURN_END];
    const found = firstMarker(text, sought);
    const end = found ? found.at + found.marker.length : text.length - heldTailOf(text, sought);
    state.block += text.slice(0, end);
    if (!found) {
      state.held = text.slice(end);
      return '';
    }
    if (found.marker === PARAMETER_OPEN) state.inParameter = true;
    else if (found.marker === PARAMETER_CLOSE) state.inParameter = false;
    else {
      if (found.marker === INVOKE_CLOSE) this.giveCall();
      else state.mode = 'header';
      state.block = '';
      state.inParameter = false;
    }
    return text.slice(end);
  }

  private giveCall(): void {
    const { state, sink } = this;
    const call = callOfBlock(state.block, this.context.tools, this.profile.keepsStrings);
    if (!call) return;
    sink.toolStart(state.calls, call.name);
    sink.toolArguments(state.calls, call.arguments);
    sink.toolEnd(state.calls);
    state.calls += 1;
  }
}

/** Whether the prompt ends inside a message: templates open those of reasoning. */
function isOpenMessage(promptTokenIds: readonly number[], { vocabulary }: ParserContext): boolean {
  const ids = new Map(MARKERS.map((marker) => [vocabulary.tokenToId(marker), marker]));
  const last = promptTokenIds.findLast((id) => ids.has(id));
  return last !== undefined && ids.get(last) === MESSAGE;
}

export function createMuseParser(profile: MuseProfile, context: ParserContext): StreamParser<MuseState> {
  return {
    init: (promptTokenIds) => ({
      ...(isOpenMessage(promptTokenIds, context)
        ? ({ mode: 'body', channel: 'reasoning' } as const)
        : ({ mode: 'opening', channel: 'content' } as const)),
      held: '',
      block: '',
      inParameter: false,
      calls: 0,
    }),
    push(state, piece, sink): void {
      if (piece.text === '') return;
      const reading = new Reading(state, sink, profile, context);
      let text = state.held + piece.text;
      state.held = '';
      while (text !== '') text = reading.step(text);
    },
    finish(state, sink): void {
      const { held } = state;
      state.held = '';
      if (held === '' || state.mode === 'header' || (state.mode === 'body' && (state.channel === 'calls' || state.channel === 'dropped')))
        return;
      const isFraming = MARKERS.some((marker) => heldTail(held, marker) === held.length);
      if (isFraming || (state.mode === 'opening' && isBlank(held))) return;
      if (state.mode === 'body' && state.channel === 'reasoning') sink.reasoning(held);
      else sink.content(held);
    },
  };
}

import { z } from 'zod';
import type { ParserContext, StreamParser } from '../../core/stream-parser.ts';
import { callObjectState, startCallObject } from './call-object.ts';
import { contentGateState, openGate } from './content-gate.ts';
import { createGatedParser, GatedObjectReading } from './gated-reading.ts';
import type { GatedObjectState } from './gated-reading.ts';
import { createJsonReader, jsonArgumentsState } from './json-arguments.ts';
import { UNKNOWN_SPECIAL } from './marked-lexer.ts';
import type { Markers } from './marked-lexer.ts';
import type { Properties } from './schema-coercion.ts';
import { holdEnd, isBlank } from './white-space.ts';

/** Inkling's messages: blocks whose first marker tells their kind. */
export interface InklingState extends GatedObjectState {
  /** `header`: in front of a block's kind; `shown`: in a call that is content, since no tool parser is asked for. */
  mode: 'header' | 'content' | 'reasoning' | 'call' | 'shown';
  /** The header's text. */
  header: string;
  /** White space at the end of reasoning so far. */
  trailing: string;
}

export const inklingState: z.ZodType<InklingState> = z.object({
  held: z.string(),
  mode: z.enum(['header', 'content', 'reasoning', 'call', 'shown']),
  header: z.string(),
  trailing: z.string(),
  object: callObjectState,
  raw: z.string(),
  name: z.string(),
  calls: z.int().min(0),
  arguments: jsonArgumentsState,
  gate: contentGateState,
});

export const MODEL = '<|message_model|>';
export const TEXT = '<|content_text|>';
export const THINKING = '<|content_thinking|>';
export const END_SAMPLING = '<|content_model_end_sampling|>';
export const INKLING_MARKERS: Markers = {
  spellings: {
    model: [MODEL],
    text: [TEXT, '<|content_invoke_tool_text|>', '<|content_tool_error|>'],
    thinking: [THINKING],
    call: ['<|content_invoke_tool_json|>'],
    end: ['<|end_message|>', END_SAMPLING],
  },
  byToken: [],
};
const KEYS = { name: 'name', arguments: ['args', 'arguments', 'parameters'], stop: '' };
/** A longer header is none: its text is shown. */
const MAX_HEADER = 256;

const reader = createJsonReader({ waits: true, quotes: null, keepsUntyped: true });

/** Reads one piece. */
class Reading extends GatedObjectReading<InklingState> {
  protected readonly keys = KEYS;
  protected readonly reader = reader;

  marker(name: string, text: string): void {
    const { state } = this;
    if (name === UNKNOWN_SPECIAL) return;
    if (name === 'end') this.end(text);
    else if (name === 'call') this.startCall(text);
    else if (state.mode === 'call') {
      if (state.object.scan.inString || state.object.mode === 'in-key' || name !== 'model') return this.text(text);
      this.endCall();
      this.open('header');
    } else if (state.mode !== 'reasoning') {
      if (name === 'model') this.open('header');
      else if (name === 'thinking') this.open('reasoning');
      else this.openAnswer('content');
    } else if (name !== 'thinking') this.text(text);
  }

  text(text: string): void {
    const { state } = this;
    if (state.mode === 'reasoning') this.reasoning(text);
    else if (state.mode === 'call') this.readCall(text);
    else if (state.mode !== 'header') this.content(text);
    else {
      state.header += text;
      if (state.header.length > MAX_HEADER) this.closeHeader();
    }
  }

  cut(): void {
    if (this.state.mode === 'header') this.closeHeader();
    else if (this.state.mode === 'call' && this.state.object.begun) this.endCall();
  }

  private open(mode: InklingState['mode']): void {
    const { state } = this;
    state.mode = mode;
    state.header = '';
  }

  /** A block of another kind than reasoning begins: white space that ended reasoning is dropped. */
  private openAnswer(mode: InklingState['mode']): void {
    this.open(mode);
    this.state.trailing = '';
  }

  private end(text: string): void {
    const { state } = this;
    if (state.mode === 'header') this.closeHeader();
    else if (state.mode === 'call') this.endCall();
    else if (state.mode === 'shown') this.content(text);
    this.open('content');
  }

  /** What a block's end or the output's follows was no header. */
  private closeHeader(): void {
    const { header } = this.state;
    this.open('content');
    this.content(header);
  }

  private startCall(text: string): void {
    const { state } = this;
    if (state.mode === 'call') return this.readCall(text);
    if (!this.context.hasToolParser) {
      this.openAnswer('shown');
      return this.content(text);
    }
    this.openAnswer('call');
    this.startObject();
  }

  private readCall(text: string): void {
    const end = this.readObject(text);
    if (this.state.object.mode !== 'done' || isBlank(text.slice(end))) return;
    this.endCall();
    this.open('content');
    this.content(text.slice(end));
  }

  private endCall(): void {
    this.touch();
    this.endObject();
  }

  private reasoning(text: string): void {
    const [given, held] = holdEnd(this.state.trailing, text);
    this.state.trailing = held;
    if (given !== '') this.sink.reasoning(given);
  }

  /** In complete answers, arguments take the types of their schemas afterwards. */
  protected override properties(): Properties {
    return this.context.mode === 'one-shot' ? {} : super.properties();
  }
}

/** @param startMode where the prompt leaves off */
export function createInklingParser(
  startMode: (promptTokenIds: readonly number[]) => InklingState['mode'],
  context: ParserContext,
): StreamParser<InklingState> {
  const init = (promptTokenIds: readonly number[]): InklingState => ({
    held: '',
    mode: startMode(promptTokenIds),
    header: '',
    trailing: '',
    object: startCallObject(),
    raw: '',
    name: '',
    calls: 0,
    arguments: reader.start(),
    gate: openGate(),
  });
  return createGatedParser(INKLING_MARKERS, Reading, init, context);
}

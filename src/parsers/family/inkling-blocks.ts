import { z } from 'zod';
import type { ParserContext, StreamParser } from '../../core/stream-parser.ts';
import { callObjectState, readCallObject, startCallObject } from './call-object.ts';
import type { CallObject } from './call-object.ts';
import { contentGateState, openGate } from './content-gate.ts';
import { createGatedParser, GatedReading } from './gated-reading.ts';
import type { GatedState } from './gated-reading.ts';
import { createJsonReader, jsonArgumentsState } from './json-arguments.ts';
import type { JsonArguments } from './json-arguments.ts';
import { UNKNOWN_SPECIAL } from './marked-lexer.ts';
import type { Markers } from './marked-lexer.ts';
import type { Properties } from './schema-coercion.ts';
import { isBlank, stripEnd } from './white-space.ts';

/** Inkling's messages: blocks whose first marker tells their kind. */
export interface InklingState extends GatedState {
  /** `header`: in front of a block's kind; `shown`: in a call that is content, since no tool parser is asked for. */
  mode: 'header' | 'content' | 'reasoning' | 'call' | 'shown';
  /** The header's text. */
  header: string;
  /** White space at the end of reasoning so far. */
  trailing: string;
  object: CallObject;
  /** The text of the call's object until its name is known. */
  raw: string;
  arguments: JsonArguments;
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
class Reading extends GatedReading<InklingState> {
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
    else if (state.mode === 'call') this.readObject(text);
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
    if (state.mode === 'call') return this.readObject(text);
    if (!this.context.hasToolParser) {
      this.openAnswer('shown');
      return this.content(text);
    }
    this.openAnswer('call');
    state.object = startCallObject();
    state.raw = '';
    state.arguments = reader.start();
    this.passCall();
  }

  private readObject(text: string): void {
    const { state } = this;
    const { object } = state;
    this.touch();
    const end = readCallObject(object, text, 0, KEYS, {
      name: (name) => this.begin(name),
      arguments: (part) => reader.push(state.arguments, part, this.properties(), (json) => this.write(json)),
    });
    if (!object.begun) state.raw += text.slice(0, end);
    if (object.mode !== 'done' || isBlank(text.slice(end))) return;
    this.endCall();
    this.open('content');
    this.content(text.slice(end));
  }

  private begin(name: string): void {
    const { state } = this;
    state.name = name;
    state.raw = '';
    this.startTool(name);
  }

  private endCall(): void {
    const { state } = this;
    if (this.silent) return;
    this.touch();
    if (state.object.begun) {
      reader.end(state.arguments, this.properties(), (json) => this.write(json));
      this.endTool();
    } else this.content(state.raw);
  }

  private reasoning(text: string): void {
    if (isBlank(text)) {
      this.state.trailing += text;
      return;
    }
    const all = this.state.trailing + text;
    const kept = stripEnd(all);
    this.state.trailing = all.slice(kept.length);
    if (kept !== '') this.sink.reasoning(kept);
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

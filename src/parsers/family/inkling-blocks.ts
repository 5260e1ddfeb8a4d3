import { z } from 'zod';
import type { EventSink, ParserContext, StreamParser } from '../../core/stream-parser.ts';
import { callObjectState, readCallObject, startCallObject } from './call-object.ts';
import type { CallObject } from './call-object.ts';
import { closeGate, contentGateState, endGateChunk, openGate, passCallStart, passContent } from './content-gate.ts';
import type { ContentGate } from './content-gate.ts';
import { createJsonReader, jsonArgumentsState } from './json-arguments.ts';
import type { JsonArguments } from './json-arguments.ts';
import { UNKNOWN_SPECIAL, createMarkedLexer } from './marked-lexer.ts';
import type { MarkedSink, Markers } from './marked-lexer.ts';
import { propertiesOf } from './schema-coercion.ts';
import type { Properties } from './schema-coercion.ts';
import { isBlank, stripEnd } from './white-space.ts';

/** Inkling's messages: blocks whose first marker tells their kind. */
export interface InklingState {
  /** Text that may begin a marker. */
  held: string;
  /** `header`: in front of a block's kind; `shown`: in a call that is content, since no tool parser is asked for. */
  mode: 'header' | 'content' | 'reasoning' | 'call' | 'shown';
  /** The header's text. */
  header: string;
  /** White space at the end of reasoning so far. */
  trailing: string;
  object: CallObject;
  /** The text of the call's object until its name is known. */
  raw: string;
  name: string;
  calls: number;
  arguments: JsonArguments;
  gate: ContentGate;
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
class Reading implements MarkedSink {
  private readonly state: InklingState;
  private readonly sink: EventSink;
  private readonly context: ParserContext;
  private readonly silent: boolean;

  constructor(state: InklingState, sink: EventSink, context: ParserContext) {
    this.state = state;
    this.sink = sink;
    this.context = context;
    this.silent = context.toolChoice === 'none' && context.tools.length > 0;
  }

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

  /** The output has ended. */
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
    if (!this.silent) passCallStart(state.gate, this.rules(), this.sink);
  }

  private readObject(text: string): void {
    const { state } = this;
    const { object } = state;
    if (!this.silent) state.gate.sawCall = true;
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
    if (this.silent) return;
    this.sink.toolStart(state.calls, name);
    state.calls += 1;
    state.gate.gaveCall = true;
  }

  private endCall(): void {
    const { state } = this;
    if (this.silent) return;
    state.gate.sawCall = true;
    if (state.object.begun) {
      reader.end(state.arguments, this.properties(), (json) => this.write(json));
      this.sink.toolEnd(state.calls - 1);
    } else this.content(state.raw);
  }

  private write(json: string): void {
    if (this.silent || json === '') return;
    this.sink.toolArguments(this.state.calls - 1, json);
    this.state.gate.gaveCall = true;
  }

  private content(text: string): void {
    if (text !== '') passContent(this.state.gate, text, this.rules(), this.sink);
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

  private rules(): { dropsBlank: boolean; waits: boolean } {
    return { dropsBlank: true, waits: this.context.mode === 'stream' };
  }

  /** In complete answers, arguments take the types of their schemas afterwards. */
  private properties(): Properties {
    if (this.context.mode === 'one-shot') return {};
    return propertiesOf(this.context.tools, this.state.name);
  }
}

/** @param startMode where the prompt leaves off */
export function createInklingParser(
  startMode: (promptTokenIds: readonly number[]) => InklingState['mode'],
  context: ParserContext,
): StreamParser<InklingState> {
  const lexer = createMarkedLexer(INKLING_MARKERS, context);
  return {
    init: (promptTokenIds) => ({
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
    }),
    push(state, piece, sink): void {
      state.held = lexer.push(state.held, piece, new Reading(state, sink, context));
    },
    endChunk: (state, sink) => endGateChunk(state.gate, sink),
    finish(state, sink): void {
      sink.outputEnded?.();
      const reading = new Reading(state, sink, context);
      lexer.flush(state.held, reading);
      state.held = '';
      reading.cut();
      closeGate(state.gate, sink);
    },
  };
}

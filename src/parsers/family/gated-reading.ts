import type { EventSink, ParserContext, StreamParser } from '../../core/stream-parser.ts';
import type { ArgumentsReader } from './arguments-reader.ts';
import { readCallObject, startCallObject } from './call-object.ts';
import type { CallObject, CallObjectKeys } from './call-object.ts';
import { closeGate, endGateChunk, passCallStart, passContent } from './content-gate.ts';
import type { ContentGate, ContentRules } from './content-gate.ts';
import type { JsonArguments } from './json-arguments.ts';
import { createMarkedLexer } from './marked-lexer.ts';
import type { MarkedSink, Markers } from './marked-lexer.ts';
import { propertiesOf } from './schema-coercion.ts';
import type { Properties } from './schema-coercion.ts';

/** What a format's state has where its calls come as markers and JSON, and its content passes a gate. */
export interface GatedState {
  /** Text that may begin a marker. */
  held: string;
  /** The open call's function. */
  name: string;
  calls: number;
  gate: ContentGate;
}

/** Reads one piece: the ways in which calls and content are given out. Calls that are not wanted are read and dropped. */
export abstract class GatedReading<State extends GatedState> implements MarkedSink {
  protected readonly state: State;
  protected readonly sink: EventSink;
  protected readonly context: ParserContext;
  /** Calls are not wanted. */
  protected readonly silent: boolean;

  constructor(state: State, sink: EventSink, context: ParserContext) {
    this.state = state;
    this.sink = sink;
    this.context = context;
    this.silent = context.toolChoice === 'none' && context.tools.length > 0;
  }

  abstract marker(name: string, text: string): void;
  abstract text(text: string): void;
  /** The output has ended. */
  abstract cut(): void;

  /** A call's marker was read: content behind it waits. */
  protected passCall(): void {
    if (!this.silent) passCallStart(this.state.gate, this.rules(), this.sink);
  }

  /** Something of a call was read. */
  protected touch(): void {
    if (!this.silent) this.state.gate.sawCall = true;
  }

  protected startTool(name: string, id?: string): void {
    if (this.silent) return;
    if (id === undefined) this.sink.toolStart(this.state.calls, name);
    else this.sink.toolStart(this.state.calls, name, id);
    this.state.calls += 1;
    this.state.gate.gaveCall = true;
  }

  protected write(json: string): void {
    if (this.silent || json === '') return;
    this.sink.toolArguments(this.state.calls - 1, json);
    this.state.gate.gaveCall = true;
  }

  protected endTool(): void {
    if (!this.silent) this.sink.toolEnd(this.state.calls - 1);
  }

  protected content(text: string): void {
    if (text !== '') passContent(this.state.gate, text, this.rules(), this.sink);
  }

  /** The parameters of the open call's function. */
  protected properties(): Properties {
    return propertiesOf(this.context.tools, this.state.name);
  }

  private rules(): ContentRules {
    return { dropsBlank: true, waits: this.context.mode === 'stream' };
  }
}

/** The same where a call is one JSON object. */
export interface GatedObjectState extends GatedState {
  object: CallObject;
  /** The text of the object until its name is known. */
  raw: string;
  arguments: JsonArguments;
}

/** Reads calls of which each is one JSON object. */
export abstract class GatedObjectReading<State extends GatedObjectState> extends GatedReading<State> {
  protected abstract readonly keys: CallObjectKeys;
  protected abstract readonly reader: ArgumentsReader<JsonArguments>;

  /** An object begins, which may be a call. */
  protected startObject(): void {
    const { state } = this;
    state.object = startCallObject();
    state.raw = '';
    state.arguments = this.reader.start();
    this.passCall();
  }

  /** @returns the offset behind what was read of the open object */
  protected readObject(text: string): number {
    const { state, reader } = this;
    const { object } = state;
    this.touch();
    const end = readCallObject(object, text, 0, this.keys, {
      name: (name) => this.begin(name),
      arguments: (part) => reader.push(state.arguments, part, this.properties(), (json) => this.write(json)),
    });
    if (!object.begun) state.raw += text.slice(0, end);
    return end;
  }

  /** The open object has ended: a call, or else content. */
  protected endObject(): void {
    const { state } = this;
    if (state.object.begun) {
      this.reader.end(state.arguments, this.properties(), (json) => this.write(json));
      this.endTool();
    } else if (!this.silent) this.content(state.raw);
  }

  private begin(name: string): void {
    const { state } = this;
    state.name = name;
    state.raw = '';
    this.startTool(name);
  }
}

/** A parser that reads piece by piece between the markers. */
export function createGatedParser<State extends GatedState>(
  markers: Markers,
  Reading: new (state: State, sink: EventSink, context: ParserContext) => GatedReading<State>,
  init: StreamParser<State>['init'],
  context: ParserContext,
): StreamParser<State> {
  const lexer = createMarkedLexer(markers, context);
  return {
    init,
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

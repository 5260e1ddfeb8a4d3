import type { EventSink, ParserContext, StreamParser } from '../../core/stream-parser.ts';
import { closeGate, endGateChunk, passCallStart, passContent } from './content-gate.ts';
import type { ContentGate, ContentRules } from './content-gate.ts';
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

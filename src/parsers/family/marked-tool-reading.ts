import type { EventSink, ParserContext } from '../../core/stream-parser.ts';
import { passCallStart, passContent } from './content-gate.ts';
import type { ContentRules } from './content-gate.ts';
import type { MarkedFormat, Step } from './marked-format.ts';
import { UNKNOWN_SPECIAL } from './marked-lexer.ts';
import type { MarkedSink } from './marked-lexer.ts';
import type { MarkedToolRules, MarkedToolState, NameOf } from './marked-tool-state.ts';
import { propertiesOf } from './schema-coercion.ts';
import type { Properties } from './schema-coercion.ts';
import { holdEnd, isBlank, strip } from './white-space.ts';

const plainName: NameOf = (header) => {
  const name = strip(header);
  return name === '' ? null : { name };
};

/** A call whose name is not complete after so much text names no function. */
const MAX_HEADER = 2000;

/** What a parser knows of its request. */
export interface ToolRequest<Arguments> {
  format: MarkedFormat;
  rules: MarkedToolRules<Arguments>;
  content: ContentRules;
  context: ParserContext;
  /** Calls are not wanted: they are read and dropped. */
  silent: boolean;
  propertiesByName: Map<string, Properties>;
}

/** Follows the table of a marked format for one piece: what of it is content, reasoning and calls. */
export class MarkedToolReading<Arguments> implements MarkedSink {
  private readonly request: ToolRequest<Arguments>;
  private readonly state: MarkedToolState<Arguments>;
  private readonly sink: EventSink;

  constructor(request: ToolRequest<Arguments>, state: MarkedToolState<Arguments>, sink: EventSink) {
    this.request = request;
    this.state = state;
    this.sink = sink;
  }

  marker(name: string, text: string): void {
    const { state, request } = this;
    if (name === UNKNOWN_SPECIAL) return;
    this.settle();
    const step = request.format.steps[state.mode]?.[name];
    if (!step || (!request.context.hasReasoningParser && request.format.reasoningMarkers.includes(name))) return this.text(text);
    const values = state.mode === 'arguments' && state.call !== 'refused' ? state.arguments : null;
    const quoted = values === null ? null : request.rules.reader.quotes?.(values, name);
    if (quoted === 'text') this.argument(text);
    else if (quoted) state.doubtful = { marker: name, text, space: '', likely: quoted };
    else this.follow(step, text);
  }

  text(text: string): void {
    if (text === '') return;
    const { state } = this;
    if (state.doubtful) {
      if (isBlank(text)) {
        state.doubtful.space += text;
        return;
      }
      const { text: marker, space, likely } = state.doubtful;
      if (likely === 'likely-text') {
        state.doubtful = null;
        this.argument(marker + space);
      } else {
        this.settle();
        this.text(space);
      }
    }
    if (state.call === 'refused' && state.mode !== 'content') return this.refusedText(text);
    if (state.mode === 'content') return this.content(text);
    if (state.mode === 'reasoning') return this.reasoning(text);
    if (state.mode === 'arguments') return this.argument(text);
    if (state.call === 'open') {
      state.name += text;
      state.raw += text;
      if (state.mode === 'name') this.touchCall();
      if (state.raw.length > MAX_HEADER) this.refuse();
    } else if (this.request.rules.strayText === 'content' && !isBlank(text)) this.content(text);
  }

  /** A doubtful marker is one. */
  settle(): void {
    const { state, request } = this;
    if (!state.doubtful) return;
    const { marker, text } = state.doubtful;
    state.doubtful = null;
    const step = request.format.steps[state.mode]?.[marker];
    if (step) this.follow(step, text);
  }

  /** The output has ended with `tail` held, and no marker is in doubt. */
  cut(tail: string): void {
    const { state, request } = this;
    if (state.call !== 'open' && state.call !== 'given') return;
    if (state.mode === 'preamble') {
      // No header: what is more than the beginning of a marker is text.
      state.raw += tail;
      return this.refuse();
    }
    if (state.mode === 'name' && (request.rules.cutName === 'dropped' || !this.named())) return;
    if (!this.announce() || state.arguments === null) return;
    request.rules.reader.cut(state.arguments, tail, this.properties(), (json) => this.write(json));
    if (!request.silent) this.sink.toolEnd(state.calls - 1);
  }

  endChunk(): void {
    const { reader } = this.request.rules;
    if (this.state.call !== 'given' || this.state.arguments === null) return;
    reader.endChunk?.(this.state.arguments, this.properties(), (json) => this.write(json));
  }

  private follow(step: Step, text: string): void {
    const { state } = this;
    if (state.call === 'refused' && state.mode !== 'content') this.refusedText(text);
    if (state.call === 'open') state.raw += text;
    const inHeader = state.mode === 'name' || state.mode === 'arguments';
    if (state.mode === 'preamble' && step.to === 'name') state.name = '';
    state.mode = step.to;
    for (const effect of step.does ?? []) {
      if (effect === 'start-call') this.startCall(text);
      else if (effect === 'end-call') this.endCall(inHeader);
      else if (effect === 'argument') this.argument(text, true);
    }
  }

  private startCall(text: string): void {
    const { state, request } = this;
    state.call = 'open';
    state.raw = text;
    state.name = '';
    state.arguments = request.rules.reader.start();
    this.touchCall();
    if (!request.silent) passCallStart(state.gate, request.content, this.sink);
  }

  /** @param named whether the call has come as far as its name */
  private endCall(named: boolean): void {
    const { state, request } = this;
    this.touchCall();
    if (!named) this.refuse();
    else if (this.announce() && state.arguments !== null) {
      request.rules.reader.end(state.arguments, this.properties(), (json) => this.write(json));
      if (!request.silent) this.sink.toolEnd(state.calls - 1);
    }
    state.call = 'none';
    state.raw = '';
    state.name = '';
    state.arguments = null;
  }

  private argument(text: string, isMarker = false): void {
    const { state, request } = this;
    if (text === '' || state.arguments === null) return;
    if (state.call === 'open' && !isMarker) state.raw += text;
    this.touchCall();
    if (this.announce()) request.rules.reader.push(state.arguments, text, this.properties(), (json) => this.write(json));
  }

  /** Gives out the open call's name. @returns whether the call is one */
  private announce(): boolean {
    const { state } = this;
    if (state.call !== 'open') return state.call === 'given';
    const named = this.named();
    if (!named) {
      this.refuse();
      return false;
    }
    state.call = 'given';
    state.name = named.name;
    state.raw = '';
    if (this.request.silent) return true;
    this.sink.toolStart(state.calls, named.name, named.id);
    state.calls += 1;
    state.gate.gaveCall = true;
    return true;
  }

  /** The name in the header, where it is one that makes a call. */
  private named(): ReturnType<NameOf> {
    const { rules, context } = this.request;
    const { nameOf = plainName, knownNamesOnly = false } = rules;
    const named = this.state.mode === 'preamble' ? null : nameOf(this.state.name);
    const known = !knownNamesOnly || context.tools.length === 0 || context.tools.some((tool) => tool.name === named?.name);
    return known ? named : null;
  }

  /** The open call is none: its text becomes content, if there is more than markers. */
  private refuse(): void {
    const { state, request } = this;
    if (state.call !== 'open') return;
    state.call = 'refused';
    if (!request.silent && (state.mode === 'arguments' || strip(state.name) !== '')) this.refusedText(state.raw);
    state.raw = '';
  }

  /** Text of a call that is none. Where nothing is shown of what stands between calls, a call without any name is no more than that. */
  private refusedText(text: string): void {
    if (this.request.rules.strayText === 'content' || strip(this.state.name) !== '') this.content(text);
  }

  private write(json: string): void {
    if (this.request.silent || json === '') return;
    this.sink.toolArguments(this.state.calls - 1, json);
    this.state.gate.gaveCall = true;
  }

  private touchCall(): void {
    if (!this.request.silent) this.state.gate.sawCall = true;
  }

  private content(text: string): void {
    if (this.request.silent && this.state.call === 'refused') return;
    passContent(this.state.gate, text, this.request.content, this.sink);
  }

  private reasoning(text: string): void {
    const { state } = this;
    if (!this.request.rules.stripsReasoning) return this.sink.reasoning(text);
    const [given, held] = holdEnd(state.trailing, text);
    state.trailing = held;
    if (given !== '') this.sink.reasoning(given);
  }

  private properties(): Properties {
    const { propertiesByName, context, rules } = this.request;
    if (rules.reader.typedLater && context.mode === 'one-shot') return {};
    const { name } = this.state;
    const known = propertiesByName.get(name) ?? propertiesOf(context.tools, name);
    propertiesByName.set(name, known);
    return known;
  }
}

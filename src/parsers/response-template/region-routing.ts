import type { EventSink, ParserContext } from '../../core/stream-parser.ts';
import type { RegionSink } from './region-reading.ts';
import type { RegionState } from './region-state.ts';
import type { TemplateField } from './template.ts';
import { callsOfRegion } from './tool-calls.ts';

/** Gives a message's regions out: as reasoning, content and calls. Where no calls are wanted, their regions are content as written. */
export class RegionRouting implements RegionSink {
  private readonly state: RegionState;
  private readonly sink: EventSink;
  private readonly context: ParserContext;

  constructor(state: RegionState, sink: EventSink, context: ParserContext) {
    this.state = state;
    this.sink = sink;
    this.context = context;
  }

  readsWhole({ name }: TemplateField): boolean {
    return name === 'tool_calls' && this.context.hasToolParser && this.context.toolChoice !== 'none';
  }

  open(field: TemplateField, delimiter: string): void {
    this.delimiter(field, delimiter);
  }

  text(field: TemplateField, text: string): void {
    if (field.name === 'thinking' && this.context.hasReasoningParser) this.sink.reasoning(text);
    else if (!this.readsWhole(field)) this.sink.content(text);
  }

  close(field: TemplateField, delimiter: string, body: string, captures: Readonly<Record<string, string>>): void {
    this.delimiter(field, delimiter);
    if (!this.readsWhole(field)) return;
    for (const { name, arguments: written } of callsOfRegion(field, body, captures, this.context.tools)) {
      this.sink.toolStart(this.state.calls, name);
      this.sink.toolArguments(this.state.calls, written);
      this.sink.toolEnd(this.state.calls);
      this.state.calls += 1;
    }
  }

  private delimiter(field: TemplateField, text: string): void {
    if (text !== '' && field.name === 'tool_calls' && !this.readsWhole(field)) this.sink.content(text);
  }
}

import { z } from 'zod';
import type { AnswerFilter, Citation, EventSink, ParserContext } from '../../core/stream-parser.ts';
import { isBlank } from './white-space.ts';

/** A sink that gives all events on to another; a filter overrides what it changes. */
export class ForwardingSink implements EventSink {
  protected readonly sink: EventSink;

  constructor(sink: EventSink) {
    this.sink = sink;
  }

  content(text: string): void {
    this.sink.content(text);
  }

  reasoning(text: string): void {
    this.sink.reasoning(text);
  }

  citation(citation: Citation): void {
    this.sink.citation?.(citation);
  }

  reasoningClosed(): void {
    this.sink.reasoningClosed?.();
  }

  toolStart(index: number, name: string, id?: string): void {
    this.sink.toolStart(index, name, id);
  }

  toolArguments(index: number, text: string): void {
    this.sink.toolArguments(index, text);
  }

  toolEnd(index: number): void {
    this.sink.toolEnd(index);
  }

  outputEnded(): void {
    this.sink.outputEnded?.();
  }
}

/** All reasoning, until there is an answer beside it: the one state that grows with the output, and only where a request asks for it. */
interface LoneReasoning {
  reasoning: string;
  answered: boolean;
}

class LoneReasoningSink extends ForwardingSink {
  private readonly state: LoneReasoning;

  constructor(state: LoneReasoning, sink: EventSink) {
    super(sink);
    this.state = state;
  }

  override content(text: string): void {
    if (!isBlank(text)) this.answer();
    super.content(text);
  }

  override reasoning(text: string): void {
    if (!this.state.answered) this.state.reasoning += text;
    super.reasoning(text);
  }

  override toolStart(index: number, name: string, id?: string): void {
    this.answer();
    super.toolStart(index, name, id);
  }

  private answer(): void {
    this.state.answered = true;
    this.state.reasoning = '';
  }
}

/** Gives reasoning once more, as content, where there was nothing else. */
const loneReasoningAsContent: AnswerFilter<unknown> = {
  stateSchema: z.object({ reasoning: z.string(), answered: z.boolean() }),
  init: () => ({ reasoning: '', answered: false }) satisfies LoneReasoning,
  through: (state, sink) => new LoneReasoningSink(state as LoneReasoning, sink),
  finish(state, sink): void {
    const { reasoning } = state as LoneReasoning;
    if (reasoning !== '') sink.content(reasoning);
  },
};

/** That filter, where the request's `force_nonempty_content` asks for it. */
export function forcedContent(context: ParserContext): AnswerFilter<unknown> | null {
  return context.chatTemplateKwargs['force_nonempty_content'] === true ? loneReasoningAsContent : null;
}

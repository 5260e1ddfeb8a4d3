import type { CallDeltas, Citation, EventSink } from '../core/stream-parser.ts';

/** One entry of `delta.tool_calls`; `name` and `id` come with the entry that begins the call. */
export interface CallDelta {
  index: number;
  /** True where the call begins with this entry. */
  starts: boolean;
  name: string | null;
  /** Only where the format carries an id. */
  id: string | null;
  arguments: string | null;
}

/** What one chunk adds to the answer. Null where nothing of a kind came. */
export interface ParsedDelta {
  reasoning: string | null;
  content: string | null;
  toolCalls: CallDelta[];
  /** Only where there are any. */
  citations?: Citation[];
}

/**
 * Collects a parser's events of one chunk into one delta. Empty texts count where nothing else came: some formats answer a
 * token that adds no text with an empty string, as the reference does.
 */
export class DeltaSink implements EventSink {
  private reasoningText: string | null = null;
  private closedReasoning = false;
  private contentText: string | null = null;
  private hasContent = false;
  private readonly calls: CallDelta[] = [];
  private readonly citations: Citation[] = [];
  private emptyArguments: CallDelta | null = null;
  private apart = false;
  private readonly callDeltas: CallDeltas;

  constructor(callDeltas: CallDeltas) {
    this.callDeltas = callDeltas;
  }

  content(text: string): void {
    this.contentText = (this.contentText ?? '') + text;
  }

  emptyContent(): void {
    this.contentText ??= '';
    this.hasContent = true;
  }

  reasoning(text: string): void {
    this.reasoningText = (this.reasoningText ?? '') + text;
  }

  reasoningClosed(): void {
    this.closedReasoning = true;
  }

  citation(citation: Citation): void {
    this.citations.push(citation);
  }

  outputEnded(): void {
    // As in the reference, what was held is told in an entry of its own, and a call's entry before it has arguments, if empty ones.
    this.apart = true;
    const last = this.calls.at(-1);
    if (last) last.arguments ??= '';
  }

  toolStart(index: number, name: string, id?: string): void {
    this.apart = false;
    this.calls.push({ index, starts: true, name, id: id ?? null, arguments: null });
  }

  toolArguments(index: number, text: string): void {
    const entry: CallDelta = { index, starts: false, name: null, id: null, arguments: text };
    const last = this.apart ? undefined : this.calls.at(-1);
    this.apart = false;
    if (text === '' && this.callDeltas !== 'name-apart' && last?.index === index && last.starts) last.arguments ??= '';
    else if (text === '') this.emptyArguments = entry;
    else if (last?.index === index && this.isOpen(last)) last.arguments = (last.arguments ?? '') + text;
    else this.calls.push(entry);
  }

  /** Whether more arguments may go into an entry. */
  private isOpen({ starts, arguments: known }: CallDelta): boolean {
    return !starts || this.callDeltas === 'merged' || (this.callDeltas === 'empty-apart' && known !== '');
  }

  toolEnd(): void {
    // The end of a call has no form of its own in OpenAI's deltas.
  }

  result(): ParsedDelta {
    const parsed = this.messageOf();
    return this.citations.length > 0 ? { ...parsed, citations: this.citations } : parsed;
  }

  private messageOf(): ParsedDelta {
    if (this.reasoningText || this.contentText || this.calls.length > 0) {
      const empty = this.closedReasoning && this.contentText ? '' : null;
      const content = this.contentText || (this.hasContent && this.calls.length === 0 ? '' : null);
      return { reasoning: this.reasoningText || empty, content, toolCalls: this.calls };
    }
    return { reasoning: this.reasoningText, content: this.contentText, toolCalls: this.emptyArguments ? [this.emptyArguments] : [] };
  }
}

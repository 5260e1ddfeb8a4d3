import type { CompleteAnswer, EventSink, ToolCall } from '../core/stream-parser.ts';

/** Collects a parser's events of a whole output into a complete answer. */
export class AnswerSink implements EventSink {
  private reasoningText = '';
  private readonly parts: string[] = [''];
  private readonly calls: ToolCall[] = [];

  content(text: string): void {
    this.parts[this.parts.length - 1] += text;
  }

  reasoning(text: string): void {
    this.reasoningText += text;
  }

  toolStart(_index: number, name: string, id?: string): void {
    this.calls.push(id === undefined ? { name, arguments: '' } : { name, arguments: '', id });
    this.parts.push('');
  }

  toolArguments(index: number, text: string): void {
    const call = this.calls[index];
    if (call) call.arguments += text;
  }

  toolEnd(): void {
    // Nothing follows from a call's end here: arguments are complete when the output is.
  }

  /** @param text all that the tool parser was shown */
  result(text: string): CompleteAnswer {
    return {
      reasoning: this.reasoningText || null,
      content: this.parts.join('') || null,
      toolCalls: this.calls,
      contentParts: this.parts,
      text,
    };
  }
}

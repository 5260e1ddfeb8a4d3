import type { ResponseStreamMember } from '../protocol/answer-stream-state.ts';
import type { OutputItem, OutputLogprob } from '../protocol/response-output.ts';
import type { ChatChunk, ToolCallDelta } from './answers.ts';
import type { ChunkTokens } from './message-events.ts';
import { appendText, callItem, completeItem, messageItem, outputLogprobs, reasoningItem } from './response-items.ts';
import { responseObject, responseStatus, responseUsage } from './responses-answer.ts';
import type { ResponseAnswer, ResponseStatus, ResponsesContext } from './responses-answer.ts';

/** One event of a response's stream; which other members it has depends on its type. */
export interface ResponseEvent {
  type: string;
  sequence_number: number;
  [member: string]: unknown;
}

/** Turns the deltas of a chat stream into the events of a response; `progress` goes from chunk to chunk. */
class EventWriter {
  readonly events: ResponseEvent[] = [];
  private readonly progress: ResponseStreamMember;
  private readonly context: ResponsesContext;
  private readonly model: string;

  constructor(progress: ResponseStreamMember, context: ResponsesContext, model: string) {
    this.progress = progress;
    this.context = context;
    this.model = model;
  }

  private event(type: string, members: Record<string, unknown>): void {
    this.events.push({ type, sequence_number: this.progress.sequence, ...members });
    this.progress.sequence += 1;
  }

  /** An event about the last item; events of text name the part of its content too. */
  private itemEvent(type: string, item: OutputItem, members: Record<string, unknown>): void {
    const part = item.type === 'reasoning' || item.type === 'message' ? { content_index: 0 } : {};
    this.event(type, { item_id: item.id, output_index: this.progress.items.length - 1, ...part, ...members });
  }

  private response(status: ResponseStatus): ResponseAnswer {
    const { id, created_at: createdAt, items, input_tokens: input, output_tokens: written } = this.progress;
    const usage = status === 'in_progress' ? null : responseUsage(input, written);
    return responseObject(this.context, { id, createdAt, model: this.model, status, output: structuredClone(items), usage });
  }

  start(inputTokens: number): void {
    this.progress.input_tokens = inputTokens;
    this.event('response.created', { response: this.response('in_progress') });
    this.event('response.in_progress', { response: this.response('in_progress') });
    this.progress.started = true;
  }

  private openItem(): OutputItem | null {
    return this.progress.open ? (this.progress.items.at(-1) ?? null) : null;
  }

  private open<Item extends OutputItem>(item: Item): Item {
    this.close(false);
    this.progress.items.push(item);
    this.progress.open = true;
    const shown = item.type === 'reasoning' || item.type === 'message' ? { ...item, content: [] } : { ...item };
    this.event('response.output_item.added', { output_index: this.progress.items.length - 1, item: shown });
    if (item.type === 'reasoning' || item.type === 'message')
      this.itemEvent('response.content_part.added', item, { part: { ...item.content[0] } });
    return item;
  }

  /** Completes the open item. @param cut the output ended with it for want of length */
  close(cut: boolean): void {
    const item = this.openItem();
    if (!item) return;
    completeItem(item, cut);
    this.progress.open = false;
    if (item.type === 'function_call') {
      this.itemEvent('response.function_call_arguments.done', item, { name: item.name, arguments: item.arguments });
    } else if (item.type === 'custom_tool_call') {
      this.itemEvent('response.custom_tool_call_input.delta', item, { delta: item.input });
      this.itemEvent('response.custom_tool_call_input.done', item, { input: item.input });
    } else {
      const text = item.content[0]?.text ?? '';
      if (item.type === 'reasoning') this.itemEvent('response.reasoning_text.done', item, { text });
      else this.itemEvent('response.output_text.done', item, { text, logprobs: structuredClone(item.content[0]?.logprobs ?? []) });
      this.itemEvent('response.content_part.done', item, { part: structuredClone(item.content[0]) });
    }
    this.event('response.output_item.done', { output_index: this.progress.items.length - 1, item: structuredClone(item) });
  }

  reasoning(text: string): void {
    const open = this.openItem();
    const item = open?.type === 'reasoning' ? open : this.open(reasoningItem());
    appendText(item, text);
    this.itemEvent('response.reasoning_text.delta', item, { delta: text });
  }

  text(text: string, logprobs: OutputLogprob[]): void {
    const open = this.openItem();
    const item = open?.type === 'message' ? open : this.open(messageItem());
    appendText(item, text);
    item.content[0]?.logprobs.push(...logprobs);
    this.itemEvent('response.output_text.delta', item, { delta: text, logprobs });
  }

  call({ id, index, function: { name, arguments: text } }: ToolCallDelta): void {
    if (id !== null) {
      this.open(callItem(id, this.context.tool(name ?? '')));
      this.progress.call = index;
    }
    if (!text) return;
    const item = this.openItem();
    // Arguments that come after their call was closed have no place but the text.
    if (!item || this.progress.call !== index || item.type === 'message' || item.type === 'reasoning') return this.text(text, []);
    appendText(item, text);
    // Free text is inside of JSON: it can be told once the JSON is complete.
    if (item.type === 'function_call') this.itemEvent('response.function_call_arguments.delta', item, { delta: text });
  }

  finish(finishReason: string): void {
    this.close(finishReason === 'length');
    const status = responseStatus(finishReason);
    const type = status === 'incomplete' ? 'response.incomplete' : 'response.completed';
    this.event(type, { response: this.response(status) });
    this.progress.finished = true;
  }
}

/**
 * One chunk of a chat stream as the events of a response. The response ends with the chunk that has the finish reason; a chunk of usage behind it gives no
 * events, as the counts were told already.
 */
export function responseEvents(
  progress: ResponseStreamMember,
  chunk: ChatChunk,
  context: ResponsesContext,
  tokens: ChunkTokens,
): ResponseEvent[] {
  const writer = new EventWriter(progress, context, chunk.model);
  if (!progress.started) writer.start(tokens.input);
  progress.output_tokens += tokens.output;
  const [choice] = chunk.choices;
  if (!choice || progress.finished) return writer.events;
  const { reasoning, content, tool_calls: calls = [] } = choice.delta;
  if (reasoning) writer.reasoning(reasoning);
  if (content) writer.text(content, context.withLogprobs ? outputLogprobs(choice.logprobs) : []);
  for (const call of calls) writer.call(call);
  if (choice.finish_reason !== null) writer.finish(choice.finish_reason);
  return writer.events;
}

import { scanToClose } from '../parsers/family/json-scan.ts';
import type { MessageStreamMember } from '../protocol/answer-stream-state.ts';
import type { ChatChunk, ChatChunkChoice, ToolCallDelta } from './answers.ts';
import { randomId } from './generated-ids.ts';
import { messageStop, messageUsage } from './messages-answer.ts';
import type { BlockDelta, ContentBlock, MessageAnswer, MessageEvent } from './messages-answer.ts';

function startedMessage({ id, model }: ChatChunk, inputTokens: number): MessageAnswer {
  return {
    id,
    type: 'message',
    role: 'assistant',
    content: [],
    model,
    stop_reason: null,
    stop_sequence: null,
    stop_details: null,
    container: null,
    diagnostics: null,
    usage: messageUsage(inputTokens, 0),
  };
}

/** Follows the last call's arguments. */
function followArguments(progress: MessageStreamMember, text: string): void {
  const scan = { depth: progress.depth, inString: progress.in_string, escaped: progress.escaped };
  for (let from = 0; from !== -1 && from < text.length;) from = scanToClose(scan, text, from);
  Object.assign(progress, { depth: scan.depth, in_string: scan.inString, escaped: scan.escaped });
}

/** Turns the deltas of a chat stream into the events of a message; `progress` goes from chunk to chunk. */
class EventWriter {
  readonly events: MessageEvent[] = [];
  private readonly progress: MessageStreamMember;

  constructor(progress: MessageStreamMember) {
    this.progress = progress;
  }

  private open(block: ContentBlock): void {
    this.close();
    this.progress.block = block.type;
    this.events.push({ type: 'content_block_start', index: this.progress.index, content_block: block });
  }

  private delta(delta: BlockDelta): void {
    this.events.push({ type: 'content_block_delta', index: this.progress.index, delta });
  }

  close(): void {
    const { progress } = this;
    if (progress.block === null) return;
    if (progress.block === 'thinking') this.delta({ type: 'signature_delta', signature: randomId() });
    this.events.push({ type: 'content_block_stop', index: progress.index });
    progress.block = null;
    progress.index += 1;
  }

  thinking(text: string): void {
    if (this.progress.block !== 'thinking') this.open({ type: 'thinking', thinking: '', signature: '' });
    this.delta({ type: 'thinking_delta', thinking: text, estimated_tokens: null });
  }

  text(text: string): void {
    if (this.progress.block !== 'text') this.open({ type: 'text', text: '', citations: null });
    this.delta({ type: 'text_delta', text });
  }

  call({ id, index, function: { name, arguments: text } }: ToolCallDelta): void {
    const { progress } = this;
    if (id !== null) {
      this.open({ type: 'tool_use', id, name: name ?? '', input: {}, caller: { type: 'direct' } });
      Object.assign(progress, { call: index, tool_used: true, depth: 0, in_string: false, escaped: false });
    }
    if (!text) return;
    // Arguments that come after their block was closed have no place but the text.
    if (progress.block !== 'tool_use' || progress.call !== index) return this.text(text);
    followArguments(progress, text);
    this.delta({ type: 'input_json_delta', partial_json: text });
  }

  finish(choice: ChatChunkChoice): void {
    const { progress } = this;
    // Clients expect a first block, also of an answer without text.
    if (progress.block === null && progress.index === 0) this.open({ type: 'text', text: '', citations: null });
    this.close();
    const tools = { used: progress.tool_used, complete: progress.depth === 0 && !progress.in_string };
    const stop = messageStop(choice.finish_reason, choice.stop_reason, tools);
    this.events.push({
      type: 'message_delta',
      delta: { container: null, stop_details: null, ...stop },
      usage: messageUsage(progress.input_tokens, progress.output_tokens),
    });
    this.events.push({ type: 'message_stop' });
    progress.finished = true;
  }
}

/** Token counts that a chat chunk does not tell. */
export interface ChunkTokens {
  /** Tokens of the prompt; counts on the first chunk. */
  input: number;
  /** Output tokens of this chunk. */
  output: number;
}

/**
 * One chunk of a chat stream as the events of an Anthropic message. The message ends with the chunk that has the finish reason; a chunk of usage behind it
 * gives no events, as the counts were told already.
 */
export function messageEvents(progress: MessageStreamMember, chunk: ChatChunk, tokens: ChunkTokens): MessageEvent[] {
  const writer = new EventWriter(progress);
  if (!progress.started) {
    progress.started = true;
    progress.input_tokens = tokens.input;
    writer.events.push({ type: 'message_start', message: startedMessage(chunk, tokens.input) });
  }
  progress.output_tokens += tokens.output;
  const [choice] = chunk.choices;
  if (!choice || progress.finished) return writer.events;
  const { reasoning, content, tool_calls: calls = [] } = choice.delta;
  if (reasoning) writer.thinking(reasoning);
  if (content) writer.text(content);
  for (const call of calls) writer.call(call);
  if (choice.finish_reason !== null) writer.finish(choice);
  return writer.events;
}

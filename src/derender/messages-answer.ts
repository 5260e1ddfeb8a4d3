/** Anthropic's `message` object and stream events, with every member that its clients' types have. */

export interface TextBlock {
  type: 'text';
  text: string;
  citations: null;
}

export interface ThinkingBlock {
  type: 'thinking';
  thinking: string;
  /** Clients send it back; there is nothing to sign, so it is random. */
  signature: string;
}

export interface ToolUseBlock {
  type: 'tool_use';
  id: string;
  name: string;
  /** The arguments; as text where a cut left them without a JSON form. */
  input: unknown;
  caller: { type: 'direct' };
}

export type ContentBlock = TextBlock | ThinkingBlock | ToolUseBlock;

export type MessageStopReason = 'end_turn' | 'max_tokens' | 'stop_sequence' | 'tool_use';

export interface MessageUsage {
  input_tokens: number;
  output_tokens: number;
  cache_creation: null;
  cache_creation_input_tokens: null;
  cache_read_input_tokens: null;
  inference_geo: null;
  output_tokens_details: null;
  server_tool_use: null;
  service_tier: null;
  speed: null;
}

export interface MessageAnswer {
  id: string;
  type: 'message';
  role: 'assistant';
  content: ContentBlock[];
  model: string;
  stop_reason: MessageStopReason | null;
  stop_sequence: string | null;
  stop_details: null;
  container: null;
  diagnostics: null;
  usage: MessageUsage;
}

export type BlockDelta =
  | { type: 'text_delta'; text: string }
  | { type: 'thinking_delta'; thinking: string; estimated_tokens: null }
  | { type: 'signature_delta'; signature: string }
  | { type: 'input_json_delta'; partial_json: string };

export type MessageEvent =
  | { type: 'message_start'; message: MessageAnswer }
  | { type: 'content_block_start'; index: number; content_block: ContentBlock }
  | { type: 'content_block_delta'; index: number; delta: BlockDelta }
  | { type: 'content_block_stop'; index: number }
  | {
      type: 'message_delta';
      delta: { container: null; stop_details: null; stop_reason: MessageStopReason | null; stop_sequence: string | null };
      usage: MessageUsage;
    }
  | { type: 'message_stop' };

export function messageUsage(inputTokens: number, outputTokens: number): MessageUsage {
  return {
    input_tokens: inputTokens,
    output_tokens: outputTokens,
    cache_creation: null,
    cache_creation_input_tokens: null,
    cache_read_input_tokens: null,
    inference_geo: null,
    output_tokens_details: null,
    server_tool_use: null,
    service_tier: null,
    speed: null,
  };
}

/** How an answer ended, in the members that tell it. */
export interface MessageStop {
  stop_reason: MessageStopReason | null;
  stop_sequence: string | null;
}

/** What is known of an answer's tool calls at its end. */
export interface ToolUse {
  used: boolean;
  /** The last call's arguments are complete: it may run. */
  complete: boolean;
}

/**
 * A limit of length always shows. A stop string wins over calls that it cut short, complete calls win over a stop string. Other ends (abort) have no
 * name in this API.
 */
export function messageStop(finishReason: string | null, stopReason: number | string | null, { used, complete }: ToolUse): MessageStop {
  const reason = (name: MessageStopReason | null): MessageStop => ({ stop_reason: name, stop_sequence: null });
  if (finishReason === 'length') return reason('max_tokens');
  if (finishReason !== 'stop' && finishReason !== 'tool_calls') return reason(null);
  if (used && complete) return reason('tool_use');
  if (typeof stopReason === 'string') return { stop_reason: 'stop_sequence', stop_sequence: stopReason };
  return reason(used ? 'tool_use' : 'end_turn');
}

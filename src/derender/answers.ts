import type { Citation } from '../core/stream-parser.ts';
import type { PromptLogprobs } from '../protocol/generate-logprobs.ts';
import type { Metrics, Usage } from '../protocol/generate-response.ts';
import type { StreamState } from '../protocol/stream-state.ts';

/** The answers of the derender routes. Every member is written, nulls too, except empty `tool_calls`. */

export interface ChatLogprob {
  token: string;
  logprob: number;
  /** UTF-8 bytes of `token`; null for an id without a token. */
  bytes: number[] | null;
}

export interface ChatLogprobs {
  content: (ChatLogprob & { top_logprobs: ChatLogprob[] })[] | null;
}

export interface CompletionLogprobs {
  /** Offset of each token in the answer's text, in code points. */
  text_offset: number[];
  token_logprobs: (number | null)[];
  tokens: string[];
  top_logprobs: (Record<string, number> | null)[];
}

export interface AnswerUsage extends Usage {
  prompt_tokens_details: null;
  completion_tokens_details: null;
}

export interface AnswerToolCall {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
}

export interface AssistantMessage {
  role: 'assistant';
  content: string | null;
  refusal: null;
  annotations: null;
  audio: null;
  function_call: null;
  tool_calls?: AnswerToolCall[];
  reasoning: string | null;
}

export interface ChatChoice {
  index: number;
  message: AssistantMessage;
  logprobs: ChatLogprobs | null;
  finish_reason: string;
  stop_reason: number | string | null;
  token_ids: number[] | null;
  routed_experts: null;
  weight_versions: null;
}

export interface ChatCompletion {
  id: string;
  object: 'chat.completion';
  created: number;
  model: string;
  choices: ChatChoice[];
  service_tier: null;
  system_fingerprint: null;
  usage: AnswerUsage;
  prompt_logprobs: PromptLogprobs | null;
  prompt_token_ids: number[] | null;
  prompt_text: null;
  kv_transfer_params: Record<string, unknown> | null;
  ec_transfer_params: null;
  metrics: Metrics | null;
}

export interface ToolCallDelta {
  id: string | null;
  type: 'function' | null;
  index: number;
  function: { name: string | null; arguments: string | null };
}

export interface MessageDelta {
  role: 'assistant' | null;
  content: string | null;
  reasoning: string | null;
  tool_calls?: ToolCallDelta[];
  citations?: Citation[];
}

export interface ChatChunkChoice {
  index: number;
  delta: MessageDelta;
  logprobs: ChatLogprobs | null;
  finish_reason: string | null;
  stop_reason: number | string | null;
  token_ids: number[] | null;
  weight_versions: null;
}

export interface ChatChunk {
  id: string;
  object: 'chat.completion.chunk';
  created: number;
  model: string;
  choices: ChatChunkChoice[];
  usage: AnswerUsage | null;
  system_fingerprint: null;
  prompt_token_ids: number[] | null;
  prompt_text: null;
  metrics: Metrics | null;
  kv_transfer_params: null;
}

export interface CompletionChoice {
  index: number;
  text: string;
  logprobs: CompletionLogprobs | null;
  finish_reason: string | null;
  stop_reason: number | string | null;
  token_ids: number[] | null;
  prompt_logprobs: PromptLogprobs | null;
  prompt_token_ids: number[] | null;
  routed_experts: null;
  weight_versions: null;
}

export interface Completion {
  id: string;
  object: 'text_completion';
  created: number;
  model: string;
  choices: CompletionChoice[];
  service_tier: null;
  system_fingerprint: null;
  usage: AnswerUsage;
  kv_transfer_params: Record<string, unknown> | null;
  ec_transfer_params: null;
  metrics: Metrics | null;
}

export interface CompletionChunkChoice {
  index: number;
  text: string;
  logprobs: CompletionLogprobs | null;
  finish_reason: string | null;
  stop_reason: number | string | null;
  prompt_token_ids: number[] | null;
  token_ids: number[] | null;
  weight_versions: null;
}

export interface CompletionChunk {
  id: string;
  object: 'text_completion';
  created: number;
  model: string;
  choices: CompletionChunkChoice[];
  usage: AnswerUsage | null;
  system_fingerprint: null;
  metrics: Metrics | null;
  kv_transfer_params: null;
}

/** The answer to one streamed chunk: what the client forwards, and what it sends back with the next chunk. */
export interface StreamAnswer<Chunk> {
  chunk: Chunk;
  stream_state: StreamState;
}

/** @param promptTokens as the caller counted them */
export function answerUsage(promptTokens: number, completionTokens: number): AnswerUsage {
  return {
    prompt_tokens: promptTokens,
    total_tokens: promptTokens + completionTokens,
    completion_tokens: completionTokens,
    prompt_tokens_details: null,
    completion_tokens_details: null,
  };
}

/** The usage of a stream's chunk, if it has one: the request's count of prompt tokens goes before the engine's. */
export function chunkUsage(usage: Usage | null, promptTokens: number | null): AnswerUsage | null {
  return usage && answerUsage(promptTokens ?? usage.prompt_tokens, usage.completion_tokens ?? 0);
}

/** Seconds since 1970, as `created` wants them. */
export function nowInSeconds(): number {
  return Math.floor(Date.now() / 1000);
}

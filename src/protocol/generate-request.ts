import { z } from 'zod';
import type { PythonNumber } from '../core/python-json.ts';
import type { ChatTool, ToolChoice } from './chat-tools.ts';
import type { StreamOptions } from './sampling-members.ts';
import type { StructuredOutputs } from './structured-outputs.ts';
import type { ExtraArgument } from './extra-arguments.ts';

/** Sampling parameters as the engine reads them. Members that have the engine's own default may be absent. */
export interface SamplingParams {
  n?: number;
  presence_penalty: number;
  frequency_penalty: number;
  repetition_penalty: number;
  temperature: number;
  watermarking?: boolean;
  top_p?: number;
  top_k?: number;
  min_p?: number;
  seed?: number | PythonNumber;
  stop: string[];
  stop_token_ids: number[];
  ignore_eos?: boolean;
  max_tokens?: number;
  min_tokens?: number;
  logprobs?: number;
  prompt_logprobs?: number;
  logprob_token_ids?: number[];
  skip_special_tokens?: boolean;
  spaces_between_special_tokens?: boolean;
  include_stop_str_in_output?: boolean;
  /** 1: the engine sends what is new since the last output; 2: only the whole. */
  output_kind: 1 | 2;
  stream_interval?: number;
  skip_clone: true;
  /** Characters of text held back while a stop string may be beginning. */
  output_text_buffer_length?: number;
  structured_outputs?: StructuredOutputs;
  logit_bias?: Record<string, number>;
  allowed_token_ids?: number[];
  extra_args?: Record<string, ExtraArgument>;
  bad_words: string[];
  skip_reading_prefix_cache: boolean;
  thinking_token_budget?: number;
  repetition_detection?: { max_pattern_size: number; min_pattern_size: number; min_count: number };
  routed_experts_prompt_start?: number;
}

/** What derendering needs of the chat request. */
export interface ParseContext {
  tools: ChatTool[] | null;
  tool_choice: ToolChoice;
  parallel_tool_calls: boolean | null;
  include_reasoning: boolean;
  chat_template_kwargs: Record<string, unknown>;
  /** Tool calls in the conversation so far, for ids that count. */
  history_tool_call_cnt: number;
}

/** What a tokens-only engine generates from: the answer of /render. */
export interface GenerateRequest {
  request_id: string;
  token_ids: number[];
  /** `[start, end)` of each token in the text, in code points; null where they were not asked for or there is no text. */
  token_offsets: [number, number][] | null;
  features: null;
  /** Image, audio and video parts of the messages, in order, for the engine to resolve; null where there are none. */
  content_parts: unknown[] | null;
  sampling_params: SamplingParams;
  model: string | null;
  /** Whether reasoning is over where the prompt ends; null where that is for the engine to see. */
  reasoning_ended: boolean | null;
  reasoning_parser_kwargs: { chat_template_kwargs: Record<string, unknown> } | null;
  return_token_ids: boolean | null;
  output_mode: 'tokens';
  parse_context: ParseContext | null;
  stream: boolean;
  stream_options: StreamOptions | null;
  cache_salt: string | null;
  priority: number | PythonNumber;
  kv_transfer_params: Record<string, unknown> | null;
  ec_transfer_params: Record<string, unknown> | null;
}

const nullable = (type: z.ZodType): z.ZodType => type.nullable();
const object = z.looseObject({});

/** For the OpenAPI document. */
export const generateRequest: z.ZodType = z.object({
  request_id: z.string(),
  token_ids: z.array(z.int()),
  token_offsets: nullable(z.array(z.array(z.int()).length(2))),
  features: z.null(),
  content_parts: nullable(z.array(object)),
  sampling_params: object,
  model: nullable(z.string()),
  reasoning_ended: nullable(z.boolean()),
  reasoning_parser_kwargs: nullable(z.object({ chat_template_kwargs: object })),
  return_token_ids: nullable(z.boolean()),
  output_mode: z.literal('tokens'),
  parse_context: nullable(
    z.object({
      tools: nullable(z.array(object)),
      tool_choice: nullable(z.union([z.enum(['none', 'auto', 'required']), object])),
      parallel_tool_calls: nullable(z.boolean()),
      include_reasoning: z.boolean(),
      chat_template_kwargs: object,
      history_tool_call_cnt: z.int(),
    }),
  ),
  stream: z.boolean(),
  stream_options: nullable(object),
  cache_salt: nullable(z.string()),
  priority: z.unknown().meta({ type: 'integer' }),
  kv_transfer_params: nullable(object),
  ec_transfer_params: nullable(object),
});

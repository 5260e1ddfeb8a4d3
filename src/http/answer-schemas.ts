import { z } from 'zod';
import type { ChatChunk, ChatCompletion, Completion, CompletionChunk, StreamAnswer } from '../derender/answers.ts';
import type { StreamState } from '../protocol/stream-state.ts';

/** The forms of the derender answers, for the OpenAPI document; answers are not checked against them when they are sent. */

/** Without the bounds of `z.int()`: numbers of a request come back as large as they were sent. */
const count = z.number().meta({ type: 'integer' });
const tokenIds = z.array(count);
const nothing = z.null();
const object = z.record(z.string(), z.unknown());
const stopReason = z.union([count, z.string(), nothing]);

const usage = z.object({
  prompt_tokens: count,
  total_tokens: count,
  completion_tokens: count,
  prompt_tokens_details: nothing,
  completion_tokens_details: nothing,
});

const tokenLogprob = z.object({
  token: z.string(),
  logprob: z.number(),
  bytes: z.array(z.int().min(0).max(255)).nullable().meta({ description: 'UTF-8 bytes of `token`; null for an id without a token.' }),
});
const chatLogprobs = z.object({
  content: z.array(tokenLogprob.extend({ top_logprobs: z.array(tokenLogprob) })).nullable(),
});
const promptLogprobs = z.array(
  z.record(z.string(), z.object({ logprob: z.number(), rank: count.nullable(), decoded_token: z.string().nullable() })).nullable(),
);
const completionLogprobs = z.object({
  text_offset: z.array(count).meta({ description: 'Offset of each token in the text, in code points.' }),
  token_logprobs: z.array(z.number().nullable()),
  tokens: z.array(z.string()),
  top_logprobs: z.array(z.record(z.string(), z.number()).nullable()),
});

const toolCall = z.object({ id: z.string(), type: z.literal('function'), function: z.object({ name: z.string(), arguments: z.string() }) });
const assistantMessage = z.object({
  role: z.literal('assistant'),
  content: z.string().nullable(),
  refusal: nothing,
  annotations: nothing,
  audio: nothing,
  function_call: nothing,
  tool_calls: z.array(toolCall).exactOptional(),
  reasoning: z.string().nullable(),
});
const toolCallDelta = z.object({
  id: z.string().nullable(),
  type: z.literal('function').nullable(),
  index: count,
  function: z.object({ name: z.string().nullable(), arguments: z.string().nullable() }),
});

export const chatCompletionAnswer: z.ZodType<ChatCompletion> = z.object({
  id: z.string(),
  object: z.literal('chat.completion'),
  created: count,
  model: z.string(),
  choices: z.array(
    z.object({
      index: count,
      message: assistantMessage,
      logprobs: chatLogprobs.nullable(),
      finish_reason: z.string(),
      stop_reason: stopReason,
      token_ids: tokenIds.nullable(),
      routed_experts: nothing,
      weight_versions: nothing,
    }),
  ),
  service_tier: nothing,
  system_fingerprint: nothing,
  usage,
  prompt_logprobs: promptLogprobs.nullable(),
  prompt_token_ids: tokenIds.nullable(),
  prompt_text: nothing,
  kv_transfer_params: object.nullable(),
  ec_transfer_params: nothing,
  metrics: object.nullable(),
});

const chatChunk: z.ZodType<ChatChunk> = z.object({
  id: z.string(),
  object: z.literal('chat.completion.chunk'),
  created: count,
  model: z.string(),
  choices: z.array(
    z.object({
      index: count,
      delta: z.object({
        role: z.literal('assistant').nullable(),
        content: z.string().nullable(),
        reasoning: z.string().nullable(),
        tool_calls: z.array(toolCallDelta).exactOptional(),
      }),
      logprobs: chatLogprobs.nullable(),
      finish_reason: z.string().nullable(),
      stop_reason: stopReason,
      token_ids: tokenIds.nullable(),
      weight_versions: nothing,
    }),
  ),
  usage: usage.nullable(),
  system_fingerprint: nothing,
  prompt_token_ids: tokenIds.nullable(),
  prompt_text: nothing,
  metrics: object.nullable(),
  kv_transfer_params: nothing,
});

export const completionAnswer: z.ZodType<Completion> = z.object({
  id: z.string(),
  object: z.literal('text_completion'),
  created: count,
  model: z.string(),
  choices: z.array(
    z.object({
      index: count,
      text: z.string(),
      logprobs: completionLogprobs.nullable(),
      finish_reason: z.string().nullable(),
      stop_reason: stopReason,
      token_ids: tokenIds.nullable(),
      prompt_logprobs: promptLogprobs.nullable(),
      prompt_token_ids: tokenIds.nullable(),
      routed_experts: nothing,
      weight_versions: nothing,
    }),
  ),
  service_tier: nothing,
  system_fingerprint: nothing,
  usage,
  kv_transfer_params: object.nullable(),
  ec_transfer_params: nothing,
  metrics: object.nullable(),
});

const completionChunk: z.ZodType<CompletionChunk> = z.object({
  id: z.string(),
  object: z.literal('text_completion'),
  created: count,
  model: z.string(),
  choices: z.array(
    z.object({
      index: count,
      text: z.string(),
      logprobs: completionLogprobs.nullable(),
      finish_reason: z.string().nullable(),
      stop_reason: stopReason,
      prompt_token_ids: tokenIds.nullable(),
      token_ids: tokenIds.nullable(),
      weight_versions: nothing,
    }),
  ),
  usage: usage.nullable(),
  system_fingerprint: nothing,
  metrics: object.nullable(),
  kv_transfer_params: nothing,
});

const carriedState = z
  .custom<StreamState>((value) => typeof value === 'object' && value !== null)
  .meta({ type: 'object', additionalProperties: true, description: 'To be sent back unchanged with the next chunk.' });

export const chatStreamAnswer: z.ZodType<StreamAnswer<ChatChunk>> = z.object({ chunk: chatChunk, stream_state: carriedState });
export const completionStreamAnswer: z.ZodType<StreamAnswer<CompletionChunk>> = z.object({
  chunk: completionChunk,
  stream_state: carriedState,
});

import { z } from 'zod';
import { checkChatBody } from './chat-checks.ts';
import { chatMessages } from './chat-messages.ts';
import type { ChatMessages } from './chat-messages.ts';
import { chatTools, toolChoice } from './chat-tools.ts';
import type { ChatTool, ToolChoice } from './chat-tools.ts';
import { laxBoolean, laxInteger } from './lax.ts';
import { responseFormatMember } from './response-format.ts';
import type { ResponseFormat } from './response-format.ts';
import {
  commonShape,
  jsonObject,
  logitBias,
  logprobCount,
  nullableFloat,
  nullableInteger,
  nullableText,
  stop,
  streamOptions,
  thinkingTokenBudget,
  vllmSamplingShape,
} from './sampling-members.ts';
import type { CommonMembers, SamplingMembers } from './sampling-members.ts';
import { structuredOutputsMember } from './structured-outputs.ts';
import type { StructuredOutputs } from './structured-outputs.ts';

import { isRecord } from './typed-shape.ts';
import { validateBody } from './validate.ts';
import { int64 } from './int64.ts';

export const REASONING_EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;
export type ReasoningEffort = (typeof REASONING_EFFORTS)[number];

/** A chat completion request, members named as on the wire, defaults filled in. */
export interface ChatRequest extends SamplingMembers, CommonMembers {
  messages: ChatMessages;
  model: string | null;
  logprobs: boolean | null;
  top_logprobs: number;
  max_tokens: number | null;
  max_completion_tokens: number | null;
  n: number | null;
  response_format: ResponseFormat | null;
  tools: ChatTool[] | null;
  tool_choice: ToolChoice;
  reasoning_effort: ReasoningEffort | null;
  thinking_token_budget: number | null;
  include_reasoning: boolean;
  parallel_tool_calls: boolean | null;
  user: string | null;
  echo: boolean;
  add_generation_prompt: boolean;
  continue_final_message: boolean;
  add_special_tokens: boolean;
  documents: Record<string, string>[] | null;
  chat_template: string | null;
  chat_template_kwargs: Record<string, unknown> | null;
  media_io_kwargs: Record<string, Record<string, unknown>> | null;
  mm_processor_kwargs: Record<string, unknown> | null;
  structured_outputs: StructuredOutputs | null;
  return_prompt_text: boolean | null;
}

const falseFlag = laxBoolean.default(false);
const nullableFlag = (value: boolean | null): z.ZodType<boolean | null> => laxBoolean.nullable().default(value);

/** The types of a chat request, in the reference's order: the first error is the one that an answer names. */
export const chatRequest: z.ZodType<ChatRequest> = z.object({
  messages: chatMessages,
  model: nullableText,
  frequency_penalty: nullableFloat,
  logit_bias: logitBias.nullable().default(null),
  logprobs: nullableFlag(false),
  top_logprobs: logprobCount.transform((count) => count ?? 0),
  max_tokens: nullableInteger,
  max_completion_tokens: nullableInteger,
  n: laxInteger.nullable().default(1),
  presence_penalty: nullableFloat,
  response_format: responseFormatMember.nullable().default(null),
  seed: int64.nullable().default(null),
  stop: stop.nullable().default([]),
  stream: nullableFlag(false),
  stream_options: streamOptions.nullable().default(null),
  temperature: nullableFloat,
  top_p: nullableFloat,
  tools: chatTools.nullable().default(null),
  tool_choice: toolChoice.default('none'),
  reasoning_effort: z.enum(REASONING_EFFORTS).nullable().default(null),
  thinking_token_budget: thinkingTokenBudget.default(null),
  include_reasoning: laxBoolean.default(true),
  parallel_tool_calls: nullableFlag(true),
  user: nullableText,
  ...vllmSamplingShape,
  echo: falseFlag,
  add_generation_prompt: laxBoolean.default(true),
  continue_final_message: falseFlag,
  add_special_tokens: falseFlag,
  documents: z.array(z.record(z.string(), z.string())).nullable().default(null),
  chat_template: nullableText,
  chat_template_kwargs: jsonObject.nullable().default(null),
  media_io_kwargs: z.record(z.string(), jsonObject).nullable().default(null),
  mm_processor_kwargs: jsonObject.nullable().default(null),
  structured_outputs: structuredOutputsMember.nullable().default(null),
  ...commonShape,
  return_prompt_text: nullableFlag(null),
});

/**
 * Reads a chat completion request.
 * @throws ApiError 400
 */
export function parseChatRequest(body: unknown): ChatRequest {
  return validateBody(chatRequest, isRecord(body) ? checkChatBody(body) : body);
}

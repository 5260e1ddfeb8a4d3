import { z } from 'zod';
import { checkCompletionBody } from './completion-checks.ts';
import { completionPrompt } from './completion-prompt.ts';
import type { CompletionPrompt } from './completion-prompt.ts';
import { laxBoolean, laxInteger } from './lax.ts';
import { responseFormatMember } from './response-format.ts';
import type { ResponseFormat } from './response-format.ts';
import {
  commonShape,
  logitBias,
  logprobCount,
  nullableFloat,
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

/** A completion request, members named as on the wire, defaults filled in. */
export interface CompletionRequest extends SamplingMembers, CommonMembers {
  model: string | null;
  prompt: CompletionPrompt;
  echo: boolean | null;
  logprobs: number | null;
  max_tokens: number | null;
  n: number;
  suffix: string | null;
  user: string | null;
  /** Tensors, which this server cannot read. */
  prompt_embeds: string | string[] | null;
  add_special_tokens: boolean;
  response_format: ResponseFormat | null;
  structured_outputs: StructuredOutputs | null;
  thinking_token_budget: number | null;
}

/** The types of a completion request, in the reference's order. */
export const completionRequest: z.ZodType<CompletionRequest> = z.object({
  model: nullableText,
  prompt: completionPrompt.default(null),
  echo: laxBoolean.nullable().default(false),
  frequency_penalty: nullableFloat,
  logit_bias: logitBias.nullable().default(null),
  logprobs: logprobCount,
  max_tokens: laxInteger.nullable().default(16),
  n: laxInteger.default(1),
  presence_penalty: nullableFloat,
  seed: int64.nullable().default(null),
  stop: stop.nullable().default([]),
  stream: laxBoolean.nullable().default(false),
  stream_options: streamOptions.nullable().default(null),
  suffix: nullableText,
  temperature: nullableFloat,
  top_p: nullableFloat,
  user: nullableText,
  ...vllmSamplingShape,
  prompt_embeds: z
    .union([z.string(), z.array(z.string())])
    .nullable()
    .default(null),
  add_special_tokens: laxBoolean.default(true),
  response_format: responseFormatMember.nullable().default(null),
  structured_outputs: structuredOutputsMember.nullable().default(null),
  ...commonShape,
  thinking_token_budget: thinkingTokenBudget.default(null),
});

/**
 * Reads a completion request.
 * @throws ApiError 400
 */
export function parseCompletionRequest(body: unknown): CompletionRequest {
  return validateBody(completionRequest, isRecord(body) ? checkCompletionBody(body) : body);
}

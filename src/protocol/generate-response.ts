import { z } from 'zod';
import { generateLogprobs, promptLogprobs } from './generate-logprobs.ts';
import type { GenerateLogprobs, PromptLogprobs } from './generate-logprobs.ts';
import { laxFloat, laxInteger, readInteger, TOKEN_ID_SCHEMAS, tokenIds } from './lax.ts';
import { integerFrom } from './sampling-members.ts';

/**
 * The answers of `/inference/v1/generate` with `output_mode` "tokens": a whole one, and one chunk of a stream. Unknown members are ignored, so
 * that older and newer engines pass.
 */

export interface Usage {
  prompt_tokens: number;
  total_tokens: number;
  completion_tokens: number | null;
}

/** Timings of one request; members of newer engines are kept. */
export type Metrics = Record<string, unknown>;

interface ChoiceBase {
  index: number;
  /** The string or token id that ended generation; null for EOS, length and abort. */
  stop_reason: number | string | null;
  token_ids: number[] | null;
  logprobs: GenerateLogprobs | null;
}

export interface GenerateChoice extends ChoiceBase {
  finish_reason: string | null;
}

export interface GenerateResponse {
  /** Null where the engine sent none: the answer then gets an id of its own. */
  request_id: string | null;
  prompt_logprobs: PromptLogprobs | null;
  prompt_token_ids: number[] | null;
  metrics: Metrics | null;
  kv_transfer_params: Record<string, unknown> | null;
  choices: GenerateChoice[];
}

export interface GenerateChunk {
  request_id: string | null;
  usage: Usage | null;
  prompt_token_ids: number[] | null;
  metrics: Metrics | null;
  choices: GenerateChoice[];
}

const anyObject = z.record(z.string(), z.unknown());
const nullableInteger = laxInteger.nullable().default(null);
const nullableFloat = laxFloat.nullable().default(null);
const nullableIds = z.array(laxInteger).nullable().default(null);

const requestId = z
  .string()
  .optional()
  .transform((id) => id ?? null);

const usage = z.object({
  prompt_tokens: laxInteger.default(0),
  total_tokens: laxInteger.default(0),
  completion_tokens: laxInteger.nullable().default(0),
  prompt_tokens_details: anyObject.nullish(),
  completion_tokens_details: anyObject.nullish(),
});

const metrics = z.looseObject({
  time_to_first_token_ms: nullableFloat,
  generation_time_ms: nullableFloat,
  queue_time_ms: nullableFloat,
  mean_itl_ms: nullableFloat,
  tokens_per_second: nullableFloat,
  speculative_decoding: z
    .looseObject({
      mean_acceptance_length: laxFloat,
      draft_acceptance_rate: laxFloat,
      acceptance_histogram: z.array(laxInteger),
      num_spec_steps: laxInteger,
      num_accepted_draft_tokens: laxInteger,
      num_draft_tokens: laxInteger,
      num_spec_tokens: laxInteger,
      per_step_accepted: nullableIds,
      per_step_drafted: nullableIds,
    })
    .nullable()
    .default(null),
});

const placeholders = z.record(z.string(), z.array(z.object({ offset: integerFrom(0), length: integerFrom(1) })));

const stopReason = z
  .unknown()
  .transform((value, context): number | string => {
    if (typeof value === 'string') return value;
    const integer = readInteger(value);
    if (integer !== undefined) return integer;
    context.addIssue({ code: 'custom', message: 'Input should be an integer or a string', input: value });
    return z.NEVER;
  })
  .meta({ type: ['boolean', 'integer', 'string'] })
  .nullable()
  .default(null);

const outputIds = tokenIds()
  .refine((ids) => ids.every((id) => id >= 0), { error: 'token_ids must not contain negative values' })
  .meta({ type: 'array', items: { anyOf: TOKEN_ID_SCHEMAS } });

const choiceTail = {
  routed_experts: z.string().nullish(),
  sampling_mask: z.array(tokenIds()).nullish(),
  weight_versions: z.array(z.object({ version: z.string(), start: laxInteger, end: laxInteger })).nullish(),
  logprobs: generateLogprobs.nullable().default(null),
};

const choice = z.object({
  index: laxInteger,
  finish_reason: z.string().nullable().default('stop'),
  stop_reason: stopReason,
  token_ids: outputIds.nullable().default(null),
  ...choiceTail,
});

const streamChoice = z.object({
  index: laxInteger,
  finish_reason: z.string().nullable().default(null),
  stop_reason: stopReason,
  token_ids: tokenIds().nullable().default(null),
  ...choiceTail,
});

/** A whole answer of the engine. */
export const generateResponse: z.ZodType<GenerateResponse> = z.object({
  request_id: requestId,
  model: z.string().nullish(),
  created: nullableInteger,
  usage: usage.nullable().default(null),
  prompt_logprobs: promptLogprobs.nullable().default(null),
  prompt_token_id_logprobs: z.string().nullish(),
  prompt_token_ids: tokenIds(0).nullable().default(null),
  mm_placeholders: placeholders.nullish(),
  metrics: metrics.nullable().default(null),
  kv_transfer_params: anyObject.nullable().default(null),
  ec_transfer_params: anyObject.nullish(),
  output_mode: z.literal('tokens').default('tokens'),
  choices: z.array(choice),
});

/** One chunk of the engine's stream: one choice's delta, or none (usage only). */
export const generateChunk: z.ZodType<GenerateChunk> = z.object({
  request_id: requestId,
  usage: usage.nullable().default(null),
  prompt_token_ids: tokenIds(0).nullable().default(null),
  mm_placeholders: placeholders.nullish(),
  metrics: metrics.nullable().default(null),
  output_mode: z.literal('tokens').default('tokens'),
  choices: z.array(streamChoice).meta({ maxItems: 1 }),
});

import { z } from 'zod';
import { badRequest } from '../core/errors.ts';
import type { PythonNumber } from '../core/python-json.ts';
import { integerSchemas, laxBoolean, laxFloat, laxInteger, readFloat, readInteger, tokenIds } from './lax.ts';
import { extraArguments } from './extra-arguments.ts';
import type { ExtraArgument } from './extra-arguments.ts';
import { int64 } from './int64.ts';
import { isRecord } from './typed-shape.ts';

/** Member types that chat and completion requests share. */

/** An integer that is at least `minimum`. */
export function integerFrom(minimum: number): z.ZodType<number> {
  return z
    .unknown()
    .transform((value, context): number => {
      const read = readInteger(value);
      if (read !== undefined && read >= minimum) return read;
      const message = read === undefined ? 'Input should be a valid integer' : `Input should be greater than or equal to ${minimum}`;
      context.addIssue({ code: 'custom', message, input: value });
      return z.NEVER;
    })
    .meta({ anyOf: integerSchemas(minimum) });
}

export const jsonObject: z.ZodType<Record<string, unknown>> = z
  .unknown()
  .transform((value, context): Record<string, unknown> => {
    if (isRecord(value)) return value;
    context.addIssue({ code: 'custom', message: 'Input should be a valid dictionary', input: value });
    return z.NEVER;
  })
  .meta({ type: 'object', additionalProperties: true });

export const MAX_STOP_STRINGS = 4;

/** One stop string, or up to four. */
export const stop: z.ZodType<string | string[]> = z
  .unknown()
  .transform((value, context): string | string[] => {
    if (typeof value === 'string') return value;
    const issue = (message: string, path: PropertyKey[] = []): never => {
      context.addIssue({ code: 'custom', message, input: value, path });
      return z.NEVER;
    };
    if (!Array.isArray(value)) return issue('Input should be a valid string or a list of strings');
    if (value.length > MAX_STOP_STRINGS) return issue(`List should have at most ${MAX_STOP_STRINGS} items, not ${value.length}`);
    const wrong = value.findIndex((item) => typeof item !== 'string');
    return wrong < 0 ? (value as string[]) : issue('Input should be a valid string', [wrong]);
  })
  .meta({ anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' }, maxItems: MAX_STOP_STRINGS }] });

/** `logit_bias`: token ids as text, to floats. */
export const logitBias: z.ZodType<Record<string, number>> = z
  .unknown()
  .transform((value, context): Record<string, number> => {
    const result: Record<string, number> = {};
    if (!isRecord(value)) context.addIssue({ code: 'custom', message: 'Input should be a valid dictionary', input: value });
    else {
      for (const [token, bias] of Object.entries(value)) {
        const read = readFloat(bias);
        if (read === undefined) context.addIssue({ code: 'custom', message: 'Input should be a valid number', input: bias, path: [token] });
        else result[token] = read;
      }
    }
    return result;
  })
  .meta({ type: 'object', additionalProperties: { type: 'number' } });

/** `thinking_token_budget`: -1 is unlimited, and the same as none. Wrong values are refused at once, before other members are looked at. */
export const thinkingTokenBudget: z.ZodType<number | null> = z
  .unknown()
  .transform((value): number | null => {
    if (value === null || value === -1) return null;
    if (typeof value === 'number' && Number.isInteger(value) && value >= 0) return value;
    throw badRequest('`thinking_token_budget` must be a non-negative integer, or -1 for no limit.', 'thinking_token_budget');
  })
  .meta({ type: ['integer', 'null'], minimum: -1 });

/** Ends generation early where the output repeats itself. */
export interface RepetitionDetection {
  max_pattern_size: number;
  min_pattern_size: number;
  min_count: number;
}

export const repetitionDetection: z.ZodType<RepetitionDetection> = z
  .object({ max_pattern_size: laxInteger.default(0), min_pattern_size: laxInteger.default(0), min_count: laxInteger.default(0) })
  .transform((params) => {
    const { max_pattern_size: max, min_pattern_size: min, min_count: count } = params;
    if (max < 0 || min < 0 || min > max) {
      throw badRequest('In `repetition_detection`, pattern sizes must be at least 0, and min_pattern_size at most max_pattern_size.');
    }
    if (max > 0 && count < 2) throw badRequest('In `repetition_detection`, min_count must be at least 2.');
    return params;
  });

export interface StreamOptions {
  include_usage: boolean | null;
  continuous_usage_stats: boolean | null;
}

/** Unknown members are kept, as the reference does. */
export const streamOptions: z.ZodType<StreamOptions> = z.looseObject({
  include_usage: laxBoolean.nullable().default(false),
  continuous_usage_stats: laxBoolean.nullable().default(false),
});

/** Sampling members with the same name and type in chat and completion requests, up to those that stand between their own. */
export interface SamplingMembers {
  frequency_penalty: number | null;
  logit_bias: Record<string, number> | null;
  presence_penalty: number | null;
  seed: number | PythonNumber | null;
  stop: string | string[] | null;
  stream: boolean | null;
  stream_options: StreamOptions | null;
  temperature: number | null;
  top_p: number | null;
  use_beam_search: boolean;
  top_k: number | null;
  min_p: number | null;
  repetition_penalty: number | null;
  watermarking: boolean | null;
  length_penalty: number;
  stop_token_ids: number[] | null;
  include_stop_str_in_output: boolean;
  ignore_eos: boolean;
  min_tokens: number;
  skip_special_tokens: boolean | null;
  spaces_between_special_tokens: boolean;
  truncate_prompt_tokens: number | null;
  truncation_side: 'left' | 'right' | null;
  prompt_logprobs: number | null;
  logprob_token_ids: number[] | null;
  allowed_token_ids: number[] | null;
  bad_words: string[];
}

export const nullableFloat: z.ZodType<number | null> = laxFloat.nullable().default(null);
export const nullableInteger: z.ZodType<number | null> = laxInteger.nullable().default(null);
/** How many candidates are wanted; `checkLogprobCounts` refuses texts and what is below -1. */
export const logprobCount: z.ZodType<number | null> = nullableInteger.meta({
  anyOf: [{ type: 'integer', minimum: -1 }, { type: 'boolean' }, { type: 'null' }],
});
export const nullableBoolean: z.ZodType<boolean | null> = laxBoolean.nullable().default(null);
export const nullableText: z.ZodType<string | null> = z.string().nullable().default(null);
const nullableIntegers = tokenIds().nullable().default(null);
const falseFlag = laxBoolean.default(false);

type Shape<T> = { [K in keyof T]: z.ZodType<T[K]> };

/** The vLLM-only sampling members, in the reference's order. */
export const vllmSamplingShape: Shape<
  Omit<
    SamplingMembers,
    'frequency_penalty' | 'logit_bias' | 'presence_penalty' | 'seed' | 'stop' | 'stream' | 'stream_options' | 'temperature' | 'top_p'
  >
> = {
  use_beam_search: falseFlag,
  top_k: nullableInteger,
  min_p: nullableFloat,
  repetition_penalty: nullableFloat,
  watermarking: nullableBoolean,
  length_penalty: laxFloat.default(1),
  stop_token_ids: tokenIds().nullable().default([]),
  include_stop_str_in_output: falseFlag,
  ignore_eos: falseFlag,
  min_tokens: laxInteger.default(0),
  skip_special_tokens: nullableBoolean,
  spaces_between_special_tokens: laxBoolean.default(true),
  truncate_prompt_tokens: integerFrom(-1).nullable().default(null),
  truncation_side: z.enum(['left', 'right']).nullable().default(null),
  prompt_logprobs: logprobCount,
  logprob_token_ids: nullableIntegers,
  allowed_token_ids: nullableIntegers,
  bad_words: z.array(z.string()).default([]),
};

/** Members of both requests that concern the request as a whole. */
export interface CommonMembers {
  priority: number | PythonNumber;
  /** Null where the client gave none. */
  request_id: string | null;
  session_id: string | null;
  return_tokens_as_token_ids: boolean | null;
  return_token_ids: boolean | null;
  return_weight_versions: boolean;
  routed_experts_prompt_start: number;
  return_token_offsets: boolean | null;
  mm_payload: 'tensors' | 'none';
  return_mm_kwargs: boolean | null;
  cache_salt: string | null;
  kv_transfer_params: Record<string, unknown> | null;
  ec_transfer_params: Record<string, unknown> | null;
  vllm_xargs: Record<string, ExtraArgument> | null;
  repetition_detection: RepetitionDetection | null;
  stream_interval: number | null;
}

export const commonShape: Shape<CommonMembers> = {
  priority: int64.default(0),
  request_id: z
    .string()
    .optional()
    .transform((id) => id ?? null),
  session_id: nullableText,
  return_tokens_as_token_ids: nullableBoolean,
  return_token_ids: nullableBoolean,
  return_weight_versions: falseFlag,
  routed_experts_prompt_start: integerFrom(0).default(0),
  return_token_offsets: laxBoolean.nullable().default(false),
  mm_payload: z.enum(['tensors', 'none']).default('tensors'),
  return_mm_kwargs: nullableBoolean,
  cache_salt: z.string().min(1).max(1024).nullable().default(null),
  kv_transfer_params: jsonObject.nullable().default(null),
  ec_transfer_params: jsonObject.nullable().default(null),
  vllm_xargs: extraArguments.nullable().default(null),
  repetition_detection: repetitionDetection.nullable().default(null),
  stream_interval: integerFrom(1).nullable().default(null),
};

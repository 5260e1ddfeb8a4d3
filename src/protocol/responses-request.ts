import { z } from 'zod';
import { badRequest } from '../core/errors.ts';
import type { PythonNumber } from '../core/python-json.ts';
import { REASONING_EFFORTS } from './chat-request.ts';
import type { ReasoningEffort } from './chat-request.ts';
import { laxBoolean, laxFloat, laxInteger, tokenIds } from './lax.ts';
import { truthy } from './python-truth.ts';
import { checkCacheSalt, withMmPayload } from './request-checks.ts';
import type { RawBody } from './request-checks.ts';
import { responsesInput } from './responses-items.ts';
import type { ResponsesItem } from './responses-items.ts';
import { checkResponsesTools, responsesToolChoice, responsesTools } from './responses-tools.ts';
import type { ResponsesTool, ResponsesToolChoice } from './responses-tools.ts';
import { jsonObject, logitBias, nullableBoolean, nullableFloat, nullableInteger, nullableText, stop } from './sampling-members.ts';
import { structuredOutputsMember } from './structured-outputs.ts';
import type { StructuredOutputs } from './structured-outputs.ts';
import { isRecord } from './typed-shape.ts';
import { validateBody } from './validate.ts';
import { extraArguments } from './extra-arguments.ts';
import { int64 } from './int64.ts';
import type { ExtraArgument } from './extra-arguments.ts';

const SUMMARIES = ['auto', 'concise', 'detailed'] as const;

export type ResponsesTextFormat = { type: 'text' | 'json_object' } | { type: 'json_schema'; schema: Record<string, unknown> };

/** A request to OpenAI's Responses API, defaults filled in. */
export interface ResponsesRequest {
  include: string[] | null;
  input: string | ResponsesItem[];
  instructions: string | null;
  max_output_tokens: number | null;
  model: string | null;
  logit_bias: Record<string, number> | null;
  parallel_tool_calls: boolean | null;
  previous_response_id: string | null;
  reasoning: { effort: ReasoningEffort | null } | null;
  include_reasoning: boolean;
  stream: boolean | null;
  temperature: number | null;
  text: { format: ResponsesTextFormat | null } | null;
  tool_choice: ResponsesToolChoice;
  tools: ResponsesTool[];
  top_logprobs: number;
  top_p: number | null;
  top_k: number | null;
  min_p: number | null;
  truncation: 'auto' | 'disabled' | null;
  skip_special_tokens: boolean | null;
  spaces_between_special_tokens: boolean;
  include_stop_str_in_output: boolean;
  presence_penalty: number | null;
  frequency_penalty: number | null;
  watermarking: boolean | null;
  /** Null where the client gave none. */
  request_id: string | null;
  media_io_kwargs: Record<string, Record<string, unknown>> | null;
  mm_processor_kwargs: Record<string, unknown> | null;
  priority: number | PythonNumber;
  cache_salt: string | null;
  previous_input_messages: Record<string, unknown>[] | null;
  structured_outputs: StructuredOutputs | null;
  repetition_penalty: number | null;
  seed: number | PythonNumber | null;
  stop: string | string[] | null;
  stop_token_ids: number[] | null;
  ignore_eos: boolean;
  vllm_xargs: Record<string, ExtraArgument> | null;
  kv_transfer_params: Record<string, unknown> | null;
  ec_transfer_params: Record<string, unknown> | null;
  chat_template_kwargs: Record<string, unknown> | null;
}

const INCLUDABLE = [
  'code_interpreter_call.outputs',
  'computer_call_output.output.image_url',
  'file_search_call.results',
  'message.input_image.image_url',
  'message.output_text.logprobs',
  'reasoning.encrypted_content',
];

const penalty = laxFloat
  .refine((value) => value <= 2, { error: 'Input should be less than or equal to 2' })
  .refine((value) => value >= -2, { error: 'Input should be greater than or equal to -2' })
  .nullable()
  .default(null);

const nullableObject = jsonObject.nullable().default(null);
const falseFlag = laxBoolean.default(false);

const textFormatForms = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('json_schema'), name: z.string(), schema: jsonObject }),
  z.looseObject({ type: z.enum(['text', 'json_object']) }),
]);

/** An object of none of these forms is told as if it were to be of the first, as in the reference. */
const textFormat = z
  .unknown()
  .transform((value, context): ResponsesTextFormat => {
    const read = textFormatForms.safeParse(value);
    if (read.success) return read.data;
    const [issue] = read.error.issues;
    context.addIssue({
      code: 'custom',
      message: issue?.message ?? 'Input should be a valid format',
      input: value,
      path: isRecord(value) ? ['type'] : [],
    });
    return z.NEVER;
  })
  .meta({ ...z.toJSONSchema(textFormatForms, { io: 'input', unrepresentable: 'any' }) });

/** The types of a Responses request, in the reference's order. */
export const responsesRequest: z.ZodType<ResponsesRequest> = z.object({
  background: laxBoolean.nullable().default(false),
  include: z
    .array(z.enum(INCLUDABLE as [string, ...string[]]))
    .nullable()
    .default(null),
  input: responsesInput,
  instructions: nullableText,
  max_output_tokens: nullableInteger,
  max_tool_calls: nullableInteger,
  metadata: z.record(z.string(), z.string()).nullable().default(null),
  model: nullableText,
  logit_bias: logitBias.nullable().default(null),
  parallel_tool_calls: laxBoolean.nullable().default(true),
  previous_response_id: nullableText,
  reasoning: z
    .looseObject({
      effort: z.enum(REASONING_EFFORTS).nullable().default(null),
      summary: z.enum(SUMMARIES).nullable().optional(),
      generate_summary: z.enum(SUMMARIES).nullable().optional(),
      context: z.enum(['auto', 'current_turn', 'all_turns']).nullable().optional(),
      mode: z.string().nullable().optional(),
    })
    .nullable()
    .default(null),
  include_reasoning: laxBoolean.default(true),
  service_tier: z.enum(['auto', 'default', 'flex', 'scale', 'priority']).default('auto'),
  store: laxBoolean.nullable().default(true),
  stream: laxBoolean.nullable().default(false),
  temperature: nullableFloat,
  text: z
    .looseObject({ format: textFormat.nullable().default(null), verbosity: z.enum(['low', 'medium', 'high']).nullable().default(null) })
    .nullable()
    .default(null),
  tool_choice: responsesToolChoice.default('auto'),
  tools: responsesTools.default([]),
  top_logprobs: z.preprocess((value) => value ?? 0, laxInteger),
  top_p: nullableFloat,
  top_k: nullableInteger,
  min_p: nullableFloat,
  truncation: z.enum(['auto', 'disabled']).nullable().default('disabled'),
  user: nullableText,
  skip_special_tokens: nullableBoolean,
  spaces_between_special_tokens: laxBoolean.default(true),
  include_stop_str_in_output: falseFlag,
  presence_penalty: penalty,
  frequency_penalty: penalty,
  prompt_cache_key: nullableText,
  safety_identifier: nullableText,
  watermarking: nullableBoolean,
  request_id: z
    .string()
    .optional()
    .transform((id) => id ?? null),
  session_id: nullableText,
  media_io_kwargs: z.record(z.string(), jsonObject).nullable().default(null),
  mm_processor_kwargs: nullableObject,
  priority: int64.default(0),
  mm_payload: z.enum(['tensors', 'none']).default('tensors'),
  return_mm_kwargs: nullableBoolean,
  cache_salt: z.string().min(1).max(1024).nullable().default(null),
  enable_response_messages: falseFlag,
  previous_input_messages: z.array(jsonObject).nullable().default(null),
  structured_outputs: structuredOutputsMember.nullable().default(null),
  repetition_penalty: nullableFloat,
  seed: int64.nullable().default(null),
  stop: stop.nullable().default([]),
  stop_token_ids: tokenIds().nullable().default([]),
  ignore_eos: falseFlag,
  vllm_xargs: extraArguments.nullable().default(null),
  kv_transfer_params: nullableObject,
  ec_transfer_params: nullableObject,
  chat_template_kwargs: nullableObject,
});

/** The checks that come before the types, each of which hides all that come after it. */
function checkResponsesBody(given: RawBody): RawBody {
  const body = checkResponsesTools(given);
  if ((body['prompt'] ?? null) !== null) throw badRequest('Prompt templates are not supported.', 'prompt');
  if (truthy(body['background']) && Object.hasOwn(body, 'store') && !truthy(body['store'])) {
    throw badRequest('`background` needs `store: true`.', 'background');
  }
  checkCacheSalt(body);
  return withMmPayload(body);
}

/**
 * Reads a Responses request.
 * @throws ApiError 400
 */
export function parseResponsesRequest(body: unknown): ResponsesRequest {
  return validateBody(responsesRequest, isRecord(body) ? checkResponsesBody(body) : body);
}

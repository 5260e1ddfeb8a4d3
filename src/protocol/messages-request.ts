import { z } from 'zod';
import { integerSchemas, laxBoolean, laxInteger } from './lax.ts';
import { messagesMessage, messagesTool, systemContent } from './messages-blocks.ts';
import type { MessagesBlock, MessagesMessage, MessagesTool } from './messages-blocks.ts';
import { withMmPayload } from './request-checks.ts';
import { integerFrom, jsonObject, MAX_STOP_STRINGS, nullableFloat, nullableInteger, nullableText } from './sampling-members.ts';
import { isRecord } from './typed-shape.ts';
import { validateBody } from './validate.ts';
import { extraArguments } from './extra-arguments.ts';
import type { ExtraArgument } from './extra-arguments.ts';

export type MessagesEffort = 'low' | 'medium' | 'high' | 'xhigh' | 'max';

/** A request to Anthropic's Messages API, defaults filled in. */
export interface MessagesRequest {
  model: string;
  messages: MessagesMessage[];
  max_tokens: number;
  output_config: { effort: MessagesEffort | null; format: { type: 'json_schema'; schema: Record<string, unknown> | null } | null } | null;
  thinking: { type: 'enabled'; budget_tokens: number } | { type: 'disabled' } | { type: 'adaptive' } | null;
  stop_sequences: string[] | null;
  stream: boolean | null;
  system: string | MessagesBlock[] | null;
  temperature: number | null;
  tool_choice: { type: 'auto' | 'any' | 'tool' | 'none'; name: string | null; disable_parallel_tool_use: boolean | null } | null;
  tools: MessagesTool[] | null;
  top_k: number | null;
  top_p: number | null;
  cache_salt: string | null;
  watermarking: boolean | null;
  kv_transfer_params: Record<string, unknown> | null;
  ec_transfer_params: Record<string, unknown> | null;
  vllm_xargs: Record<string, ExtraArgument> | null;
  chat_template_kwargs: Record<string, unknown> | null;
}

const display = z.enum(['summarized', 'omitted', 'updates']).nullable().optional();
const nullableFlag = laxBoolean.nullable().default(null);
const nullableObject = jsonObject.nullable().default(null);

const thinkingForms = z.discriminatedUnion('type', [
  z.object({ type: z.literal('enabled'), budget_tokens: integerFrom(1024), display }),
  z.object({ type: z.literal('disabled') }),
  z.object({ type: z.literal('adaptive'), display }),
]);

/** Errors inside a form are told with its type in the path, as in the reference. */
const thinking = z
  .unknown()
  .transform((value, context): z.infer<typeof thinkingForms> => {
    const read = thinkingForms.safeParse(value);
    if (read.success) return read.data;
    for (const { message, path } of read.error.issues) {
      const inForm = isRecord(value) && path.length > 0 && path[0] !== 'type';
      context.addIssue({ code: 'custom', message, input: value, path: inForm ? [String(value['type']), ...path] : [] });
    }
    return z.NEVER;
  })
  .meta({ ...z.toJSONSchema(thinkingForms, { io: 'input', unrepresentable: 'any' }) });

/** A leg that only fills the engine's cache generates one token, whatever the client's budget. */
function budgetFits({ thinking, max_tokens: max, kv_transfer_params: params }: MessagesRequest): boolean {
  return Boolean(params?.['do_remote_decode']) || thinking?.type !== 'enabled' || thinking.budget_tokens < max;
}

export const messagesRequest: z.ZodType<MessagesRequest> = z
  .object({
    model: z.string().min(1, { error: 'A model is required' }),
    messages: z.array(messagesMessage),
    max_tokens: laxInteger.refine((max) => max > 0, { error: 'max_tokens must be positive' }).meta({ anyOf: integerSchemas(1) }),
    metadata: nullableObject,
    output_config: z
      .object({
        effort: z.enum(['low', 'medium', 'high', 'xhigh', 'max']).nullable().default(null),
        format: z
          .object({ schema: nullableObject, type: z.literal('json_schema').default('json_schema') })
          .nullable()
          .default(null),
      })
      .nullable()
      .default(null),
    thinking: thinking.nullable().default(null),
    stop_sequences: z.array(z.string()).max(MAX_STOP_STRINGS).nullable().default(null),
    stream: laxBoolean.nullable().default(false),
    system: systemContent.nullable().default(null),
    temperature: nullableFloat,
    tool_choice: z
      .object({ type: z.enum(['auto', 'any', 'tool', 'none']), name: nullableText, disable_parallel_tool_use: nullableFlag })
      .refine((choice) => choice.type !== 'tool' || Boolean(choice.name), {
        error: "tool_choice.name is required where its type is 'tool'",
      })
      .nullable()
      .default(null),
    tools: z.array(messagesTool).nullable().default(null),
    top_k: nullableInteger,
    top_p: nullableFloat,
    mm_payload: z.enum(['tensors', 'none']).default('tensors'),
    return_mm_kwargs: nullableFlag,
    cache_salt: z.string().min(1).max(1024).nullable().default(null),
    watermarking: nullableFlag,
    kv_transfer_params: nullableObject,
    ec_transfer_params: nullableObject,
    vllm_xargs: extraArguments.nullable().default(null),
    chat_template_kwargs: nullableObject,
  })
  .refine(budgetFits, { error: 'thinking.budget_tokens must be less than max_tokens' });

/**
 * Reads a Messages request.
 * @throws ApiError 400
 */
export function parseMessagesRequest(body: unknown): MessagesRequest {
  return validateBody(messagesRequest, isRecord(body) ? withMmPayload(body) : body);
}

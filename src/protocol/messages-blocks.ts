import { z } from 'zod';
import { laxBoolean } from './lax.ts';
import { jsonObject, nullableText } from './sampling-members.ts';

/** A tool as Anthropic's API declares it. */
export interface MessagesTool {
  name: string;
  description: string | null;
  input_schema: Record<string, unknown>;
  strict: boolean | null;
  defer_loading: boolean | null;
}

/** What a `tool_addition` or `tool_removal` block changes: a declared tool by its name, or one that it declares itself. */
export type ToolChange = { type: 'tool_reference'; name: string } | { type: 'tool_definition'; definition: MessagesTool };

/** A block of a message's content. Which members count depends on the type. */
export interface MessagesBlock {
  type: (typeof BLOCK_TYPES)[number];
  text: string | null;
  source: Record<string, unknown> | null;
  id: string | null;
  tool_use_id: string | null;
  name: string | null;
  input: Record<string, unknown> | null;
  content: string | Record<string, unknown>[] | null;
  thinking: string | null;
  tool: ToolChange | null;
}

export interface MessagesMessage {
  role: 'user' | 'assistant' | 'system';
  content: string | MessagesBlock[];
}

const BLOCK_TYPES = [
  'text',
  'image',
  'tool_use',
  'tool_result',
  'tool_reference',
  'thinking',
  'redacted_thinking',
  'tool_addition',
  'tool_removal',
] as const;

const nullableObject = jsonObject.nullable().default(null);
const nullableFlag = laxBoolean.nullable().default(null);

export const messagesTool: z.ZodType<MessagesTool> = z.object({
  name: z.string(),
  description: nullableText,
  input_schema: jsonObject.transform((schema) => (Object.hasOwn(schema, 'type') ? schema : { ...schema, type: 'object' })),
  strict: nullableFlag,
  defer_loading: nullableFlag,
});

const toolChange: z.ZodType<ToolChange> = z.discriminatedUnion('type', [
  z.object({ type: z.literal('tool_reference'), name: z.string() }),
  z.object({ type: z.literal('tool_definition'), definition: messagesTool }),
]);

function isChange(block: { type: string }): boolean {
  return block.type === 'tool_addition' || block.type === 'tool_removal';
}

/** A text, or a list. As in the reference, an error inside the list is told as one of the whole; the message says where it is. */
function textOr<T>(list: z.ZodType<T[]>): z.ZodType<string | T[]> {
  return z
    .unknown()
    .transform((value, context): string | T[] => {
      if (typeof value === 'string') return value;
      if (!Array.isArray(value)) {
        context.addIssue({ code: 'custom', message: 'Input should be a valid string or a list of blocks', input: value });
        return z.NEVER;
      }
      const read = list.safeParse(value);
      if (read.success) return read.data;
      for (const { message, path } of read.error.issues)
        context.addIssue({ code: 'custom', message: `${path.map(String).join('.')}: ${message}`, input: value });
      return z.NEVER;
    })
    .meta({ anyOf: [{ type: 'string' }, z.toJSONSchema(list, { io: 'input', unrepresentable: 'any' })] });
}

const block: z.ZodType<MessagesBlock> = z
  .object({
    type: z.enum(BLOCK_TYPES),
    text: nullableText,
    source: nullableObject,
    id: nullableText,
    tool_use_id: nullableText,
    name: nullableText,
    input: nullableObject,
    content: textOr(z.array(jsonObject)).nullable().default(null),
    is_error: nullableFlag,
    tool_name: nullableText,
    thinking: nullableText,
    signature: nullableText,
    data: nullableText,
    tool: toolChange.nullable().default(null),
  })
  .refine((read) => !isChange(read) || read.tool !== null, { error: 'A block that changes tools must have a `tool`' })
  .refine((read) => read.type !== 'tool_removal' || read.tool?.type === 'tool_reference', {
    error: '`tool_removal` takes a tool_reference only',
  });

/** A text, or blocks. */
export const messagesContent: z.ZodType<string | MessagesBlock[]> = textOr(z.array(block));

function hasChange(content: string | MessagesBlock[]): boolean {
  return typeof content !== 'string' && content.some(isChange);
}

export const messagesMessage: z.ZodType<MessagesMessage> = z
  .object({ role: z.enum(['user', 'assistant', 'system']), content: messagesContent })
  .refine((message) => message.role === 'system' || !hasChange(message.content), { error: 'Only system messages may change tools' });

/** `system` of a request, which may not change tools. */
export const systemContent: z.ZodType<string | MessagesBlock[]> = messagesContent.refine((content) => !hasChange(content), {
  error: 'Only messages with role "system" may change tools',
});

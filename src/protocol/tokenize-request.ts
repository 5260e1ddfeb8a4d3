import { z } from 'zod';
import { badRequest, invalidBody } from '../core/errors.ts';
import { chatMessages } from './chat-messages.ts';
import type { ChatMessages } from './chat-messages.ts';
import { chatTools } from './chat-tools.ts';
import type { ChatTool } from './chat-tools.ts';
import { laxBoolean } from './lax.ts';
import { truthy } from './python-truth.ts';
import { jsonObject, nullableText } from './sampling-members.ts';
import { isRecord } from './typed-shape.ts';
import { describeIssues } from './validate.ts';

/** `POST /tokenize` of a text. */
export interface TokenizeTextRequest {
  model: string | null;
  prompt: string;
  add_special_tokens: boolean;
  return_token_strs: boolean | null;
}

/** `POST /tokenize` of a conversation: the prompt that a chat request with these members gets. */
export interface TokenizeChatRequest {
  model: string | null;
  messages: ChatMessages;
  add_generation_prompt: boolean;
  return_token_strs: boolean | null;
  continue_final_message: boolean;
  add_special_tokens: boolean;
  chat_template: string | null;
  chat_template_kwargs: Record<string, unknown> | null;
  media_io_kwargs: Record<string, Record<string, unknown>> | null;
  mm_processor_kwargs: Record<string, unknown> | null;
  tools: ChatTool[] | null;
}

export type TokenizeRequest = { kind: 'text'; request: TokenizeTextRequest } | { kind: 'chat'; request: TokenizeChatRequest };

export const tokenizeText: z.ZodType<TokenizeTextRequest> = z.object({
  model: nullableText,
  prompt: z.string(),
  add_special_tokens: laxBoolean.default(true),
  return_token_strs: laxBoolean.nullable().default(false),
});

export const tokenizeChat: z.ZodType<TokenizeChatRequest> = z.object({
  model: nullableText,
  messages: chatMessages,
  add_generation_prompt: laxBoolean.default(true),
  return_token_strs: laxBoolean.nullable().default(false),
  continue_final_message: laxBoolean.default(false),
  add_special_tokens: laxBoolean.default(false),
  chat_template: nullableText,
  chat_template_kwargs: jsonObject.nullable().default(null),
  media_io_kwargs: z.record(z.string(), jsonObject).nullable().default(null),
  mm_processor_kwargs: jsonObject.nullable().default(null),
  tools: chatTools.nullable().default(null),
});

/** Members that only the form with messages has. */
const CHAT_MEMBERS = [
  'add_generation_prompt',
  'continue_final_message',
  'chat_template',
  'chat_template_kwargs',
  'media_io_kwargs',
  'mm_processor_kwargs',
  'tools',
];

/** Where a body fits both forms, the one that uses more of its members is meant. */
function meansChat(body: Record<string, unknown>, chat: TokenizeChatRequest): boolean {
  return chat.messages.list.length > 0 || CHAT_MEMBERS.some((name) => Object.hasOwn(body, name));
}

/**
 * Reads the body of a tokenize request, which has two forms. Errors name the member of the form with `prompt`, as in the reference.
 * @throws ApiError 400
 */
export function parseTokenizeRequest(body: unknown): TokenizeRequest {
  if (!isRecord(body)) throw invalidBody('1 validation error:\n  body: Input should be an object', 'body');
  if (truthy(body['continue_final_message']) && truthy(body['add_generation_prompt'])) {
    throw badRequest('Cannot set both `continue_final_message` and `add_generation_prompt` to true.');
  }
  const text = tokenizeText.safeParse(body);
  const chat = tokenizeChat.safeParse(body);
  if (chat.success && (!text.success || meansChat(body, chat.data))) return { kind: 'chat', request: chat.data };
  if (text.success) return { kind: 'text', request: text.data };
  const issues = [...text.error.issues, ...(chat.success ? [] : chat.error.issues)];
  const path = text.error.issues[0]?.path ?? [];
  throw invalidBody(describeIssues(issues), ['body', ...path].map(String).join('.'));
}

export interface TokenizeAnswer {
  count: number;
  max_model_len: number;
  tokens: number[];
  token_strs: string[] | null;
}

export const tokenizeAnswer: z.ZodType<TokenizeAnswer> = z.object({
  count: z.int().meta({ description: 'Number of token ids.' }),
  max_model_len: z.int(),
  tokens: z.array(z.int()),
  token_strs: z.array(z.string()).nullable().meta({ description: 'The raw tokens, with return_token_strs.' }),
});

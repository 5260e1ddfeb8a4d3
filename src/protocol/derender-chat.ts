import { z } from 'zod';
import { parseChatRequest } from './chat-request.ts';
import type { ChatRequest } from './chat-request.ts';
import { parseDerenderBody } from './derender-forms.ts';
import type { DerenderBody } from './derender-forms.ts';
import { generateChunk, generateResponse } from './generate-response.ts';
import type { GenerateChunk, GenerateResponse } from './generate-response.ts';
import { laxInteger, tokenIds } from './lax.ts';
import { streamState } from './stream-state.ts';
import type { StreamState } from './stream-state.ts';

/** `POST /v1/chat/completions/derender` with a whole answer of the engine. */
export interface ChatDerender {
  model: string | null;
  generate_response: GenerateResponse;
  prompt_tokens: number | null;
  prompt_token_ids: number[] | null;
}

/** `POST /v1/chat/completions/derender` with `stream: true`: one chunk of the engine's stream. */
export interface ChatStreamDerender {
  model: string | null;
  generate_chunk: GenerateChunk;
  stream_state: StreamState | null;
  prompt_tokens: number | null;
  prompt_token_ids: number[] | null;
}

export type ChatDerenderBody = DerenderBody<ChatDerender, ChatStreamDerender, ChatRequest>;

const requestMember = z.unknown().meta({ description: 'The request that was sent to /v1/chat/completions/render.' });

const common = {
  prompt_tokens: laxInteger.nullable().default(null),
  prompt_token_ids: tokenIds(0).nullable().default(null),
  chat_request: requestMember,
};

export const chatDerender: z.ZodType<ChatDerender> = z.object({
  stream: z.union([z.literal(false), z.literal(0)]).optional(),
  model: z.string().nullable().default(null),
  generate_response: generateResponse,
  ...common,
});

export const chatStreamDerender: z.ZodType<ChatStreamDerender> = z.object({
  stream: z.union([z.literal(true), z.literal(1)]),
  model: z.string().nullable().default(null),
  generate_chunk: generateChunk,
  stream_state: streamState.nullable().default(null),
  ...common,
});

/**
 * Reads the body of a chat derender request.
 * @throws ApiError 400 for members of wrong types, a state that does not add up, or a `chat_request` that the reference refuses
 */
export function parseChatDerender(body: unknown): ChatDerenderBody {
  const forms = { oneShot: chatDerender, stream: chatStreamDerender, paramPrefix: 'DerenderChatRequest', requestMember: 'chat_request' };
  return parseDerenderBody({ ...forms, parseRequest: parseChatRequest }, body);
}

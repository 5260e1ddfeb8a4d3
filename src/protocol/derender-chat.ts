import { z } from 'zod';
import { parseChatRequest } from './chat-request.ts';
import type { ChatRequest } from './chat-request.ts';
import { parseDerenderBody } from './derender-forms.ts';
import type { DerenderBody } from './derender-forms.ts';
import { generateChunk, generateResponse } from './generate-response.ts';
import type { GenerateChunk, GenerateResponse } from './generate-response.ts';
import { laxInteger, tokenIds } from './lax.ts';
import { rememberRequests } from './remembered-requests.ts';
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

/** The members of the two forms. @param requestMember name of the member that holds the rendered request; it is read apart */
function chatForms(requestMember: string): { oneShot: z.ZodType<ChatDerender>; stream: z.ZodType<ChatStreamDerender> } {
  const common = {
    prompt_tokens: laxInteger.nullable().default(null),
    prompt_token_ids: tokenIds(0).nullable().default(null),
    [requestMember]: z.unknown().optional().meta({ description: 'The request that was rendered.' }),
  };
  return {
    oneShot: z.object({
      stream: z.union([z.literal(false), z.literal(0)]).optional(),
      model: z.string().nullable().default(null),
      generate_response: generateResponse,
      ...common,
    }),
    stream: z.object({
      stream: z.union([z.literal(true), z.literal(1)]),
      model: z.string().nullable().default(null),
      generate_chunk: generateChunk,
      stream_state: streamState.nullable().default(null),
      ...common,
    }),
  };
}

const chat = chatForms('chat_request');
const messages = chatForms('messages_request');
const responses = chatForms('responses_request');

/** The two forms of the chat route's body, for the API's description. */
export const chatDerender: z.ZodType<ChatDerender> = chat.oneShot;
export const chatStreamDerender: z.ZodType<ChatStreamDerender> = chat.stream;
/** Those of `POST /v1/messages/derender`. */
export const messagesDerender: z.ZodType<ChatDerender> = messages.oneShot;
export const messagesStreamDerender: z.ZodType<ChatStreamDerender> = messages.stream;
/** Those of `POST /v1/responses/derender`. */
export const responsesDerender: z.ZodType<ChatDerender> = responses.oneShot;
export const responsesStreamDerender: z.ZodType<ChatStreamDerender> = responses.stream;

const parseStreamRequest = rememberRequests(parseChatRequest);

/** Makes chat requests of the requests of another API. */
export interface ToChatRequest {
  /** @throws ApiError 400 */
  parseRequest(value: unknown): ChatRequest;
  /** The same, remembered: all chunks of a stream bring the same request. */
  parseStreamRequest(value: unknown): ChatRequest;
}

/**
 * Reads the body of a chat derender request.
 * @throws ApiError 400 for members of wrong types, a state that does not add up, or a `chat_request` that the reference refuses
 */
export function parseChatDerender(body: unknown): ChatDerenderBody {
  const request = { requestMember: 'chat_request', parseRequest: parseChatRequest, parseStreamRequest };
  return parseDerenderBody({ ...chat, ...request, paramPrefix: 'DerenderChatRequest' }, body);
}

/**
 * Reads the body of `POST /v1/messages/derender`: as that of chat, with the rendered request in `messages_request`.
 * @throws ApiError 400
 */
export function parseMessagesDerender(body: unknown, toChatRequest: ToChatRequest): ChatDerenderBody {
  return parseDerenderBody({ ...messages, ...toChatRequest, paramPrefix: '', requestMember: 'messages_request' }, body);
}

/**
 * Reads the body of `POST /v1/responses/derender`: as that of chat, with the rendered request in `responses_request`.
 * @throws ApiError 400
 */
export function parseResponsesDerender(body: unknown, toChatRequest: ToChatRequest): ChatDerenderBody {
  return parseDerenderBody({ ...responses, ...toChatRequest, paramPrefix: '', requestMember: 'responses_request' }, body);
}

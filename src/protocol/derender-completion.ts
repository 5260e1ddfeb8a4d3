import { z } from 'zod';
import { parseCompletionRequest } from './completion-request.ts';
import type { CompletionRequest } from './completion-request.ts';
import { parseDerenderBody } from './derender-forms.ts';
import type { DerenderBody } from './derender-forms.ts';
import { generateChunk, generateResponse } from './generate-response.ts';
import type { GenerateChunk, GenerateResponse } from './generate-response.ts';
import { laxInteger, tokenIds } from './lax.ts';
import { rememberRequests } from './remembered-requests.ts';
import { streamState } from './stream-state.ts';
import type { StreamState } from './stream-state.ts';

/** `POST /v1/completions/derender` with whole answers of the engine, one a prompt. */
export interface CompletionDerender {
  model: string | null;
  generate_responses: GenerateResponse[];
  prompt_tokens: number[] | null;
  prompt_token_ids: (number[] | null)[] | null;
}

/** `POST /v1/completions/derender` with `stream: true`: one chunk of the engine's stream. */
export interface CompletionStreamDerender {
  model: string | null;
  generate_chunk: GenerateChunk;
  stream_state: StreamState | null;
  prompt_tokens: number | null;
  prompt_token_ids: number[] | null;
}

export type CompletionDerenderBody = DerenderBody<CompletionDerender, CompletionStreamDerender, CompletionRequest>;

const requestMember = z.unknown().optional().meta({ description: 'The request that was sent to /v1/completions/render.' });

function sameLength(list: readonly unknown[] | null, responses: readonly unknown[]): boolean {
  return list === null || list.length === responses.length;
}

export const completionDerender: z.ZodType<CompletionDerender> = z
  .object({
    stream: z.union([z.literal(false), z.literal(0)]).optional(),
    model: z.string().nullable().default(null),
    generate_responses: z.array(generateResponse),
    prompt_tokens: z.array(laxInteger).nullable().default(null),
    prompt_token_ids: z.array(tokenIds(0).nullable()).nullable().default(null),
    completion_request: requestMember,
  })
  .refine((body) => sameLength(body.prompt_tokens, body.generate_responses), {
    error: 'prompt_tokens must hold one count for each of generate_responses',
  })
  .refine((body) => sameLength(body.prompt_token_ids, body.generate_responses), {
    error: 'prompt_token_ids must hold one list for each of generate_responses',
  });

export const completionStreamDerender: z.ZodType<CompletionStreamDerender> = z.object({
  stream: z.union([z.literal(true), z.literal(1)]),
  model: z.string().nullable().default(null),
  generate_chunk: generateChunk,
  stream_state: streamState.nullable().default(null),
  prompt_tokens: laxInteger.nullable().default(null),
  prompt_token_ids: tokenIds(0).nullable().default(null),
  completion_request: requestMember,
});

const parseStreamRequest = rememberRequests(parseCompletionRequest);

/**
 * Reads the body of a completion derender request.
 * @throws ApiError 400 for members of wrong types, a state that does not add up, or a `completion_request` that the reference refuses
 */
export function parseCompletionDerender(body: unknown): CompletionDerenderBody {
  const request = { requestMember: 'completion_request', parseRequest: parseCompletionRequest, parseStreamRequest };
  return parseDerenderBody({ oneShot: completionDerender, stream: completionStreamDerender, ...request, paramPrefix: '' }, body);
}

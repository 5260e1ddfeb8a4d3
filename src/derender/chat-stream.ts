import { badRequest } from '../core/errors.ts';
import type { ChatRequest } from '../protocol/chat-request.ts';
import type { ChatStreamDerender } from '../protocol/derender-chat.ts';
import type { StreamState } from '../protocol/stream-state.ts';
import { chunkUsage, nowInSeconds } from './answers.ts';
import type { ChatChunk, ChatChunkChoice, StreamAnswer } from './answers.ts';
import { requireChatRequest } from './chat-parsing.ts';
import { answerModel } from './environment.ts';
import type { DerenderEnvironment } from './environment.ts';
import { randomId } from './generated-ids.ts';
import { checkChunk, checkTotalLength, outputTokens } from './limits.ts';
import { parsedChatStep } from './parsed-chat-stream.ts';
import { plainChatStep } from './plain-chat-stream.ts';
import { readingState } from './state-errors.ts';
import { checkStreamedStop } from './streamed-stop.ts';

function requirePromptIds(body: ChatStreamDerender): void {
  if (body.prompt_token_ids !== null || body.stream_state?.parser_state) return;
  throw badRequest(
    'prompt_token_ids is required with the first chunk where a tool or reasoning parser is configured: the prompt may have left reasoning open.',
  );
}

function step(
  environment: DerenderEnvironment,
  body: ChatStreamDerender,
  request: ChatRequest | null,
  sentRequest: unknown,
): { choices: ChatChunkChoice[]; state: StreamState } {
  const { formats } = environment;
  if (formats) return parsedChatStep(environment, formats, body, requireChatRequest(request), sentRequest);
  if (body.stream_state?.parser_state) throw badRequest('invalid stream_state: it was written by parsers, this server has none.');
  return plainChatStep(environment, body, request);
}

/**
 * Derenders one chunk of the engine's stream to a chunk of a chat completion.
 * @param request the chat request that was rendered; null only without a parser
 * @param sentRequest the same as it was sent
 * @throws ApiError 400
 */
export function derenderChatChunk(
  environment: DerenderEnvironment,
  body: ChatStreamDerender,
  request: ChatRequest | null,
  sentRequest: unknown,
): StreamAnswer<ChatChunk> {
  const { generate_chunk: chunk, stream_state: given } = body;
  checkStreamedStop(environment, request);
  if (environment.formats) {
    requireChatRequest(request);
    requirePromptIds(body);
  }
  checkChunk(chunk, environment.limits);
  const promptTokens = body.prompt_token_ids?.length ?? given?.parser_state?.prompt_tokens ?? 0;
  checkTotalLength(promptTokens, outputTokens(given), chunk, environment.limits);
  const { choices, state } = readingState(() => step(environment, body, request, sentRequest));
  return {
    chunk: {
      id: chunk.request_id ?? randomId(),
      object: 'chat.completion.chunk',
      created: nowInSeconds(),
      model: answerModel(environment, body.model),
      choices,
      usage: chunkUsage(chunk.usage, body.prompt_tokens),
      system_fingerprint: null,
      prompt_token_ids: request?.return_token_ids ? chunk.prompt_token_ids : null,
      prompt_text: null,
      metrics: chunk.metrics,
      kv_transfer_params: null,
    },
    stream_state: state,
  };
}

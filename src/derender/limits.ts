import { badRequest } from '../core/errors.ts';
import type { GenerateChunk, GenerateChoice, GenerateResponse } from '../protocol/generate-response.ts';
import type { StreamState } from '../protocol/stream-state.ts';

/** Most choices of an answer, and most answers of a completion request. */
const MAX_SEQUENCES = 16_384;

/** Bounds that hold before anything is decoded. */
export interface DerenderLimits {
  maxModelLen: number;
  /** Most candidates a position; -1 for no bound. */
  maxLogprobs: number;
}

function checkChoice(choice: GenerateChoice, { maxModelLen, maxLogprobs }: DerenderLimits): void {
  const where = `in choice ${choice.index}`;
  const ids = choice.token_ids?.length ?? 0;
  if (ids > maxModelLen) throw badRequest(`token_ids holds ${ids} ids ${where}, more than max_model_len (${maxModelLen}).`);
  const content = choice.logprobs?.content ?? [];
  if (content.length > maxModelLen) {
    throw badRequest(`logprobs.content holds ${content.length} positions ${where}, more than max_model_len (${maxModelLen}).`);
  }
  if (maxLogprobs < 0) return;
  for (const { top_logprobs: top } of content) {
    if (top.length > maxLogprobs)
      throw badRequest(`top_logprobs holds ${top.length} candidates ${where}, more than max_logprobs (${maxLogprobs}).`);
  }
}

/**
 * Checks the sizes of the engine's whole answers.
 * @throws ApiError 400
 */
export function checkResponses(responses: readonly GenerateResponse[], limits: DerenderLimits): void {
  if (responses.length > MAX_SEQUENCES)
    throw badRequest(`generate_responses holds ${responses.length} answers, more than ${MAX_SEQUENCES}.`);
  for (const { choices, prompt_logprobs: prompt } of responses) {
    if (choices.length > MAX_SEQUENCES) throw badRequest(`choices holds ${choices.length} choices, more than ${MAX_SEQUENCES}.`);
    for (const choice of choices) checkChoice(choice, limits);
    if (prompt && prompt.length > limits.maxModelLen) {
      throw badRequest(`prompt_logprobs holds ${prompt.length} positions, more than max_model_len (${limits.maxModelLen}).`);
    }
  }
}

/** @throws ApiError 400 for a prompt longer than the model takes */
export function checkPromptIds(promptIds: readonly number[] | null, { maxModelLen }: DerenderLimits): void {
  if (promptIds && promptIds.length > maxModelLen) {
    throw badRequest(`prompt_token_ids holds ${promptIds.length} ids, more than max_model_len (${maxModelLen}).`);
  }
}

/** Output tokens of the earlier chunks, as a state with a parser counts them. */
export function outputTokens(state: StreamState | null): number {
  return state?.parser_state?.output_tokens ?? state?.output_token_ids.length ?? 0;
}

/**
 * Checks one chunk: a single choice, of a size that the model could have made.
 * @throws ApiError 400
 */
export function checkChunk(chunk: GenerateChunk, limits: DerenderLimits): void {
  if (chunk.choices.length > 1) {
    throw badRequest(`A chunk holds at most one choice, this one ${chunk.choices.length}: derender each index with a state of its own.`);
  }
  for (const choice of chunk.choices) checkChoice(choice, { ...limits, maxLogprobs: -1 });
}

/**
 * Checks that prompt, earlier output and this chunk fit the model together.
 * @param promptTokens the prompt's ids in this request, or as counted on an earlier chunk
 * @throws ApiError 400
 */
export function checkTotalLength(promptTokens: number, earlier: number, chunk: GenerateChunk, { maxModelLen }: DerenderLimits): void {
  const delta = chunk.choices[0]?.token_ids?.length ?? 0;
  if (promptTokens + earlier + delta <= maxModelLen) return;
  throw badRequest(
    `The prompt's ${promptTokens} ids, ${earlier} output ids of earlier chunks and ${delta} of this one are more than max_model_len (${maxModelLen}).`,
  );
}

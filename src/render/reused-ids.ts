import { badRequest } from '../core/errors.ts';
import { hasMedia } from '../protocol/chat-checks.ts';
import type { RenderEnvironment } from './render-environment.ts';

const PARAM = 'kv_transfer_params.prompt_token_ids';

export interface ReusedIds {
  /** Ids that stand for the prompt, or null where it has to be rendered. */
  readonly ids: number[] | null;
  /** What is left to pass on to the engine. */
  readonly kvTransferParams: Record<string, unknown> | null;
}

/**
 * Prompt token ids that an earlier stage of a disaggregated deployment hands on, so that the prompt need not be made again.
 * @param messages the request's messages; only texts can be stood for
 * @throws ApiError 400 for ids that are none, or beyond the vocabulary
 */
export function reusedIds(
  environment: RenderEnvironment,
  params: Record<string, unknown> | null,
  messages: readonly unknown[],
  echo: boolean,
): ReusedIds {
  const given = params?.['prompt_token_ids'] ?? null;
  if (params === null || !Object.hasOwn(params, 'prompt_token_ids')) return { ids: null, kvTransferParams: params };
  const { prompt_token_ids: _, ...kvTransferParams } = params;
  if (given === null || echo || hasMedia(messages)) return { ids: null, kvTransferParams };
  const isId = (id: unknown): id is number => typeof id === 'number' && Number.isInteger(id) && id >= 0;
  if (!Array.isArray(given) || given.length === 0 || !given.every(isId)) {
    throw badRequest("`kv_transfer_params['prompt_token_ids']` must be a list of token ids that is not empty.", PARAM);
  }
  const size = Math.max(environment.tokenizer.size, environment.model.vocabSize);
  const beyond = given.find((id) => id >= size);
  if (beyond !== undefined) throw badRequest(`Token id ${beyond} is out of vocabulary.`, PARAM);
  return { ids: given, kvTransferParams };
}

import { badRequest } from '../core/errors.ts';
import { iterate, truthy } from './python-truth.ts';
import { checkCacheSalt, checkLogprobCounts, checkStreamOptions, withMmPayload } from './request-checks.ts';
import type { RawBody } from './request-checks.ts';
import { checkResponseFormat } from './response-format.ts';
import { checkStructuredOutputs } from './structured-outputs.ts';
import { checkToolUsage } from './chat-tools.ts';
import { isRecord } from './typed-shape.ts';

/** Part types that carry text, or only a name. */
const TEXT_PARTS: ReadonlySet<unknown> = new Set(['text', 'input_text', 'output_text', 'refusal', 'thinking', 'tool_reference']);
const MEDIA_MEMBERS = [
  'input_image',
  'image_url',
  'image_embeds',
  'audio_embeds',
  'video_embeds',
  'prompt_embeds',
  'image_pil',
  'audio_url',
  'input_audio',
  'video_url',
];

function isMediaPart(part: unknown): boolean {
  return isRecord(part) && (MEDIA_MEMBERS.some((name) => Object.hasOwn(part, name)) || !TEXT_PARTS.has(part['type'] ?? 'text'));
}

function isEmbedded(reasoning: unknown): boolean {
  return isRecord(reasoning) && reasoning['type'] === 'prompt_embeds';
}

/** Whether some message holds more than text, so that token ids handed on from elsewhere cannot stand for it. */
export function hasMedia(messages: unknown): boolean {
  if (!Array.isArray(messages)) return false;
  return messages.some((message) => {
    if (!isRecord(message)) return false;
    if (isEmbedded(message['reasoning']) || isEmbedded(message['reasoning_content'])) return true;
    return Array.isArray(message['content']) && message['content'].some(isMediaPart);
  });
}

function withoutReusedIds(body: RawBody): RawBody {
  const params = body['kv_transfer_params'];
  if (!isRecord(params) || (params['prompt_token_ids'] ?? null) === null || !hasMedia(body['messages'])) return body;
  const { prompt_token_ids: _, ...rest } = params;
  return { ...body, kv_transfer_params: rest };
}

function checkGenerationPrompt(body: RawBody): void {
  if (truthy(body['continue_final_message']) && truthy(body['add_generation_prompt'])) {
    throw badRequest('`continue_final_message` and `add_generation_prompt` cannot both be true.');
  }
}

function checkConstraint(body: RawBody): void {
  const given = body['structured_outputs'] ?? null;
  if (given === null) return;
  const count = checkStructuredOutputs(given);
  if (count > 1) throw badRequest('`structured_outputs` takes one of json, regex and choice.');
  const choice = Object.hasOwn(body, 'tool_choice') ? body['tool_choice'] : 'none';
  if (count > 0 && choice !== 'none' && choice !== 'auto' && choice !== 'required') {
    throw badRequest('`structured_outputs` and a named tool cannot be asked for together.');
  }
}

function checkLogprobs(body: RawBody): void {
  const asked = truthy(body['logprobs']);
  if (truthy(body['logprob_token_ids'])) {
    if (truthy(body['use_beam_search'])) throw badRequest('`logprob_token_ids` cannot be had with beam search.', 'logprob_token_ids');
    if (!asked) throw badRequest('`logprob_token_ids` needs `logprobs: true`.', 'logprob_token_ids');
  }
  checkLogprobCounts(body, ['prompt_logprobs', 'top_logprobs']);
  const top = Number(body['top_logprobs'] ?? 0);
  if ((top > 0 || top === -1) && !asked) throw badRequest('`top_logprobs` needs `logprobs: true`.', 'top_logprobs');
}

function checkToolCalls(body: RawBody): void {
  const { messages } = body;
  if (!Array.isArray(messages)) return;
  for (const message of messages) {
    if (isRecord(message) && (message['tool_calls'] ?? null) !== null) iterate(message['tool_calls'], 'tool_calls');
  }
}

/**
 * The checks of a chat request that come before its types, each of which hides all that come after it.
 * @returns the body with the choices filled in that these checks make
 * @throws ApiError 400
 */
export function checkChatBody(given: RawBody): RawBody {
  iterate(Object.hasOwn(given, 'messages') ? given['messages'] : [], 'messages');
  let body = withoutReusedIds(given);
  checkGenerationPrompt(body);
  body = checkToolUsage(body);
  checkConstraint(body);
  checkLogprobs(body);
  checkStreamOptions(body);
  checkResponseFormat(body['response_format']);
  checkToolCalls(body);
  checkCacheSalt(body);
  return withMmPayload(body);
}

import { isDeepStrictEqual } from 'node:util';
import { badRequest } from '../core/errors.ts';
import type { CompletionRequest } from '../protocol/completion-request.ts';
import type { CompletionDerender } from '../protocol/derender-completion.ts';
import type { GenerateChoice, GenerateResponse } from '../protocol/generate-response.ts';
import { seedWindow } from '../tokenizer/incremental-detokenizer.ts';
import { answerUsage, nowInSeconds } from './answers.ts';
import type { Completion, CompletionChoice, CompletionLogprobs } from './answers.ts';
import { clampPromptLogprobs, echoLogprobs, echoText } from './completion-echo.ts';
import type { PromptPlace } from './completion-echo.ts';
import { completionTopLimit, flatLogprobs } from './completion-logprobs.ts';
import { codePointLength } from '../core/code-points.ts';
import { decodeOutput } from './decode-output.ts';
import { decodingOptions } from './decoding-options.ts';
import { answerModel } from './environment.ts';
import type { DerenderEnvironment } from './environment.ts';
import { randomId } from './generated-ids.ts';
import { checkPromptIds, checkResponses } from './limits.ts';
import { resolveAllLogprobs } from './logprobs.ts';

const NO_LOGPROBS: CompletionLogprobs = { text_offset: [], token_logprobs: [], tokens: [], top_logprobs: [] };

async function outputLogprobs(
  environment: DerenderEnvironment,
  choice: GenerateChoice,
  request: CompletionRequest | null,
  textOffset: number,
): Promise<CompletionLogprobs | null> {
  const { logprobs } = choice;
  if (!logprobs) return null;
  return flatLogprobs(await resolveAllLogprobs(environment.tokenizer, logprobs, completionTopLimit(request)), logprobs, textOffset);
}

function joinLogprobs(a: CompletionLogprobs, b: CompletionLogprobs): CompletionLogprobs {
  return {
    text_offset: [...a.text_offset, ...b.text_offset],
    token_logprobs: [...a.token_logprobs, ...b.token_logprobs],
    tokens: [...a.tokens, ...b.tokens],
    top_logprobs: [...a.top_logprobs, ...b.top_logprobs],
  };
}

interface Echo {
  text: string;
  /** Logprobs of the prompt, where the request wants logprobs. */
  logprobs: CompletionLogprobs | null;
  /** `max_tokens: 0`: the answer is the prompt alone. */
  alone: boolean;
}

function echoOf(
  environment: DerenderEnvironment,
  request: CompletionRequest,
  response: GenerateResponse,
  place: PromptPlace,
  promptIds: number[] | null,
): Echo {
  const { tokenizer } = environment;
  const text = echoText(request, place, promptIds, tokenizer);
  const source = { promptIds, positions: response.prompt_logprobs, tokenizer, topLimit: completionTopLimit(request) };
  return { text, logprobs: request.logprobs === null ? null : echoLogprobs(source), alone: request.max_tokens === 0 };
}

/** The logprobs of an echoed prompt and of the output behind it. */
async function echoedLogprobs(
  environment: DerenderEnvironment,
  choice: GenerateChoice,
  request: CompletionRequest,
  echo: Echo,
): Promise<CompletionLogprobs | null> {
  if (!echo.logprobs) return outputLogprobs(environment, choice, request, codePointLength(echo.text));
  if (echo.alone) return echo.logprobs;
  if (!choice.logprobs?.content) throw badRequest(`echo with logprobs needs logprobs in choice ${choice.index}.`);
  const last = echo.logprobs.text_offset.at(-1);
  const offset = last === undefined ? 0 : last + codePointLength(echo.logprobs.tokens.at(-1) ?? '');
  return joinLogprobs(echo.logprobs, (await outputLogprobs(environment, choice, request, offset)) ?? NO_LOGPROBS);
}

/**
 * Derenders complete answers of the engine, one a prompt, to a text completion.
 * @param request the completion request that was rendered, if it came along
 * @throws ApiError 400
 */
export async function derenderCompletion(
  environment: DerenderEnvironment,
  body: CompletionDerender,
  request: CompletionRequest | null,
): Promise<Completion> {
  const { tokenizer, limits } = environment;
  const { generate_responses: responses } = body;
  const [first, ...others] = responses;
  if (!first) throw badRequest('generate_responses must not be empty.');
  checkResponses(responses, limits);
  for (const ids of body.prompt_token_ids ?? []) checkPromptIds(ids, limits);

  const options = decodingOptions(request, false);
  const returnsIds = request?.return_token_ids === true;
  const choices: CompletionChoice[] = [];
  let completionTokens = 0;
  for (const [at, response] of responses.entries()) {
    const promptIds = body.prompt_token_ids?.[at] ?? response.prompt_token_ids;
    const window = seedWindow(tokenizer, promptIds ?? [], options.skipSpecialTokens);
    const echo = request?.echo ? echoOf(environment, request, response, { at, of: responses.length }, promptIds) : null;
    const promptLogprobs = clampPromptLogprobs(response.prompt_logprobs);
    for (const choice of response.choices) {
      const ids = choice.token_ids;
      if (!ids || ids.length === 0) throw badRequest(`choice ${choice.index} in response ${at} has no token_ids.`);
      completionTokens += ids.length;
      const end = { finishReason: choice.finish_reason, stopReason: choice.stop_reason };
      const { pieces, stopReason } = await decodeOutput(environment, ids, end, options, window);
      const generated = echo?.alone ? '' : pieces.map(({ text }) => text).join('');
      choices.push({
        index: choices.length,
        text: (echo?.text ?? '') + generated,
        logprobs:
          request && echo
            ? await echoedLogprobs(environment, choice, request, echo)
            : await outputLogprobs(environment, choice, request, 0),
        finish_reason: choice.finish_reason,
        stop_reason: stopReason,
        token_ids: returnsIds ? ids : null,
        prompt_logprobs: promptLogprobs,
        prompt_token_ids: returnsIds ? response.prompt_token_ids : null,
        routed_experts: null,
        weight_versions: null,
      });
    }
  }
  const promptTokens = (body.prompt_tokens ?? []).reduce((sum, count) => sum + count, 0);
  const sameTransfer = others.every((other) => isDeepStrictEqual(other.kv_transfer_params, first.kv_transfer_params));
  return {
    id: first.request_id ?? randomId(),
    object: 'text_completion',
    created: nowInSeconds(),
    model: answerModel(environment, body.model),
    choices,
    service_tier: null,
    system_fingerprint: null,
    usage: answerUsage(promptTokens, completionTokens),
    kv_transfer_params: sameTransfer ? first.kv_transfer_params : null,
    ec_transfer_params: null,
    metrics: others.length === 0 ? first.metrics : null,
  };
}

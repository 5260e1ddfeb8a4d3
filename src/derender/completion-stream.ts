import { badRequest } from '../core/errors.ts';
import type { CompletionRequest } from '../protocol/completion-request.ts';
import type { CompletionStreamDerender } from '../protocol/derender-completion.ts';
import type { GenerateChoice } from '../protocol/generate-response.ts';
import { chunkUsage, nowInSeconds } from './answers.ts';
import type { CompletionChunk, CompletionChunkChoice, StreamAnswer } from './answers.ts';
import { codePointLength } from '../core/code-points.ts';
import { echoText } from './completion-echo.ts';
import { completionTopLimit, flatLogprobs } from './completion-logprobs.ts';
import { decodeStep } from './decode-step.ts';
import { decodingOptions } from './decoding-options.ts';
import { answerModel } from './environment.ts';
import type { DerenderEnvironment } from './environment.ts';
import { randomId } from './generated-ids.ts';
import { checkChunk, checkPromptIds } from './limits.ts';
import { advanceContext } from './logprob-context.ts';
import { resolveLogprobs } from './logprobs.ts';
import { readingState } from './state-errors.ts';
import { checkStreamedStop } from './streamed-stop.ts';
import { seededState } from './stream-window.ts';

/** @throws ApiError 400 where the echo would need what a stream's chunks do not hold */
function checkStreamedEcho(request: CompletionRequest | null): void {
  if (request?.echo && request.logprobs !== null) {
    throw badRequest(
      'echo with logprobs cannot be streamed: the chunks of the engine hold no prompt_logprobs. Derender the whole answer instead.',
      'echo',
    );
  }
}

/**
 * Derenders one chunk of the engine's stream to a chunk of a text completion.
 * @param request the completion request that was rendered, if it came along
 * @throws ApiError 400
 */
export function derenderCompletionChunk(
  environment: DerenderEnvironment,
  body: CompletionStreamDerender,
  request: CompletionRequest | null,
): StreamAnswer<CompletionChunk> {
  const { tokenizer, limits } = environment;
  const { generate_chunk: chunk } = body;
  checkStreamedStop(environment, request);
  checkPromptIds(body.prompt_token_ids, limits);
  checkStreamedEcho(request);
  checkChunk(chunk, limits);

  const options = decodingOptions(request, false);
  const promptIds = body.prompt_token_ids ?? chunk.prompt_token_ids;
  const state = body.stream_state ?? seededState(tokenizer, promptIds ?? [], options.skipSpecialTokens);
  const returnsIds = request?.return_token_ids === true;

  const step = (choice: GenerateChoice): CompletionChunkChoice => {
    const { pieces, decodedLength, stopReason } = decodeStep(environment, state, choice, options);
    const generated = request?.echo && request.max_tokens === 0 ? '' : pieces.map(({ text }) => text).join('');
    let text = generated;
    let textLength = decodedLength;
    if (request?.echo && !state.role_sent) {
      // A completion has no role: the mark tells that the prompt was echoed.
      state.role_sent = true;
      const prompt = echoText(request, { at: 0, of: null }, promptIds, tokenizer);
      text = prompt + generated;
      textLength += codePointLength(prompt);
    }
    const context = state.logprob_context_token_ids;
    const resolved = choice.logprobs && resolveLogprobs(tokenizer, choice.logprobs, completionTopLimit(request), context);
    const logprobs = resolved && choice.logprobs && flatLogprobs(resolved, choice.logprobs, state.logprob_text_offset);
    state.logprob_context_token_ids = advanceContext(context, choice.token_ids ?? []);
    const lastOffset = logprobs?.text_offset.at(-1);
    state.logprob_text_offset =
      lastOffset === undefined ? state.logprob_text_offset + textLength : lastOffset + codePointLength(logprobs?.tokens.at(-1) ?? '');
    return {
      index: choice.index,
      text,
      logprobs,
      finish_reason: choice.finish_reason,
      stop_reason: stopReason,
      prompt_token_ids: returnsIds ? chunk.prompt_token_ids : null,
      token_ids: returnsIds ? choice.token_ids : null,
      weight_versions: null,
    };
  };

  return {
    chunk: {
      id: chunk.request_id ?? randomId(),
      object: 'text_completion',
      created: nowInSeconds(),
      model: answerModel(environment, body.model),
      choices: readingState(() => chunk.choices.map(step)),
      usage: chunkUsage(chunk.usage, body.prompt_tokens),
      system_fingerprint: null,
      metrics: chunk.metrics,
      kv_transfer_params: null,
    },
    stream_state: state,
  };
}

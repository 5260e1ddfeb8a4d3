import type { ChatRequest } from '../protocol/chat-request.ts';
import type { ChatStreamDerender } from '../protocol/derender-chat.ts';
import type { GenerateChoice } from '../protocol/generate-response.ts';
import type { StreamState } from '../protocol/stream-state.ts';
import type { ChatChunkChoice } from './answers.ts';
import { decodeStep } from './decode-step.ts';
import { decodingOptions } from './decoding-options.ts';
import type { DerenderEnvironment } from './environment.ts';
import { advanceContext } from './logprob-context.ts';
import { chatTopLimit, resolveLogprobs } from './logprobs.ts';
import { seededState } from './stream-window.ts';

/**
 * One chunk of a chat stream on a server without parsers.
 * @returns the chunk's choices and the state for the next one
 */
export function plainChatStep(
  environment: DerenderEnvironment,
  body: ChatStreamDerender,
  request: ChatRequest | null,
): { choices: ChatChunkChoice[]; state: StreamState } {
  const options = decodingOptions(request, false);
  const state =
    body.stream_state ??
    seededState(environment.tokenizer, body.prompt_token_ids ?? body.generate_chunk.prompt_token_ids ?? [], options.skipSpecialTokens);
  const step = (choice: GenerateChoice): ChatChunkChoice => {
    const { pieces, stopReason } = decodeStep(environment, state, choice, options);
    const content = pieces.map(({ text }) => text).join('');
    const context = state.logprob_context_token_ids;
    const logprobs = choice.logprobs && resolveLogprobs(environment.tokenizer, choice.logprobs, chatTopLimit(request), context);
    const role = state.role_sent ? null : 'assistant';
    state.role_sent = true;
    state.logprob_context_token_ids = advanceContext(context, choice.token_ids ?? []);
    return {
      index: choice.index,
      delta: { role, content: content || null, reasoning: null },
      logprobs,
      finish_reason: choice.finish_reason,
      stop_reason: stopReason,
      token_ids: request?.return_token_ids ? choice.token_ids : null,
      weight_versions: null,
    };
  };
  return { choices: body.generate_chunk.choices.map(step), state };
}

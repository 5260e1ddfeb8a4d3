import { badRequest } from '../core/errors.ts';
import type { ChatDerender } from '../protocol/derender-chat.ts';
import type { ChatRequest } from '../protocol/chat-request.ts';
import { seedWindow } from '../tokenizer/incremental-detokenizer.ts';
import { answerUsage, nowInSeconds } from './answers.ts';
import type { AnswerToolCall, AssistantMessage, ChatChoice, ChatCompletion } from './answers.ts';
import { chatParsing, requireChatRequest } from './chat-parsing.ts';
import type { ChatParsing } from './chat-parsing.ts';
import { decodeOutput } from './decode-output.ts';
import type { DecodedOutput } from './decode-output.ts';
import { decodingOptions } from './decoding-options.ts';
import { answerModel } from './environment.ts';
import type { DerenderEnvironment } from './environment.ts';
import { chatFinishReason } from './finish-reason.ts';
import { randomId } from './generated-ids.ts';
import { checkPromptIds, checkResponses } from './limits.ts';
import { chatTopLimit, resolveAllLogprobs } from './logprobs.ts';
import { otherWork } from '../core/other-work.ts';

function assistantMessage(reasoning: string | null, content: string | null, calls: AnswerToolCall[]): AssistantMessage {
  return {
    role: 'assistant',
    content,
    refusal: null,
    annotations: null,
    audio: null,
    function_call: null,
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
    reasoning,
  };
}

function plainMessage({ pieces }: DecodedOutput): AssistantMessage {
  return assistantMessage(null, pieces.map(({ text }) => text).join(''), []);
}

/** Pieces parsed at a time: about a millisecond's work. */
const SLICE = 1024;

async function parsedMessage(parsing: ChatParsing, { pieces }: DecodedOutput, promptIds: readonly number[]): Promise<AssistantMessage> {
  const run = parsing.session.completing(promptIds);
  for (let from = 0; from < pieces.length; from += SLICE) {
    if (from > 0) await otherWork();
    run.push(pieces.slice(from, from + SLICE));
  }
  const { reasoning, content, toolCalls } = run.finish();
  const shownReasoning = parsing.includeReasoning ? reasoning : null;
  if (!parsing.keepsCalls) return assistantMessage(shownReasoning, content, []);
  const forced = parsing.toolChoice === 'required' || (parsing.toolChoice !== null && typeof parsing.toolChoice === 'object');
  const kept = parsing.firstCallOnly ? toolCalls.slice(0, 1) : toolCalls;
  const calls = kept.map((call, index): AnswerToolCall => ({
    id: call.id ?? parsing.callId(call.name, index),
    type: 'function',
    function: { name: call.name, arguments: call.arguments },
  }));
  return assistantMessage(shownReasoning, forced ? (content ?? '') : content, calls);
}

/**
 * Derenders a complete answer of the engine to a chat completion.
 * @param request the chat request that was rendered; null only without a parser
 * @throws ApiError 400 for sizes beyond the limits, an empty choice, ids that no token can have
 */
export async function derenderChat(
  environment: DerenderEnvironment,
  body: ChatDerender,
  request: ChatRequest | null,
): Promise<ChatCompletion> {
  const { tokenizer, formats, limits } = environment;
  const { generate_response: response } = body;
  checkResponses([response], limits);
  checkPromptIds(body.prompt_token_ids, limits);
  const parsing = formats && chatParsing(environment, formats, requireChatRequest(request), 'one-shot');

  const options = decodingOptions(request, parsing !== null);
  const promptIds = body.prompt_token_ids ?? response.prompt_token_ids ?? [];
  const window = seedWindow(tokenizer, promptIds, options.skipSpecialTokens);
  // Logprobs and token ids would tell the reasoning that the client does not want to see.
  const hidesTokens = parsing !== null && !parsing.includeReasoning;
  const returnsIds = request?.return_token_ids === true;
  const topLimit = chatTopLimit(request);
  const choices: ChatChoice[] = [];
  let completionTokens = 0;
  for (const choice of response.choices) {
    const { index, token_ids: ids } = choice;
    if (!ids || ids.length === 0) throw badRequest(`choice ${index} has no token_ids.`);
    completionTokens += ids.length;
    const logprobs = choice.logprobs && !hidesTokens ? await resolveAllLogprobs(tokenizer, choice.logprobs, topLimit) : null;
    const end = { finishReason: choice.finish_reason, stopReason: choice.stop_reason };
    const output = await decodeOutput(environment, ids, end, options, window);
    const message = parsing ? await parsedMessage(parsing, output, promptIds) : plainMessage(output);
    choices.push({
      index,
      message,
      logprobs,
      finish_reason: chatFinishReason(choice.finish_reason, parsing?.toolChoice ?? null, message.tool_calls !== undefined),
      stop_reason: output.stopReason,
      token_ids: returnsIds && !hidesTokens ? ids : null,
      routed_experts: null,
      weight_versions: null,
    });
  }
  return {
    id: response.request_id ?? randomId(),
    object: 'chat.completion',
    created: nowInSeconds(),
    model: answerModel(environment, body.model),
    choices,
    service_tier: null,
    system_fingerprint: null,
    usage: answerUsage(body.prompt_tokens ?? 0, completionTokens),
    prompt_logprobs: response.prompt_logprobs,
    prompt_token_ids: returnsIds ? response.prompt_token_ids : null,
    prompt_text: null,
    kv_transfer_params: response.kv_transfer_params,
    ec_transfer_params: null,
    metrics: response.metrics,
  };
}

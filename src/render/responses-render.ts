import { ApiError, badRequest } from '../core/errors.ts';
import type { ChatTool } from '../protocol/chat-tools.ts';
import type { GenerateRequest, SamplingParams } from '../protocol/generate-request.ts';
import type { ResponsesRequest } from '../protocol/responses-request.ts';
import { structuredOutputs } from '../protocol/structured-outputs.ts';
import type { StructuredOutputs } from '../protocol/structured-outputs.ts';
import { chatPrompt, encodedIds } from './chat-prompt.ts';
import { engineMedia } from './conversation.ts';
import type { MediaPart } from './conversation.ts';
import { outputTokenLimit } from './default-sampling.ts';
import { exactExtraArguments, exactInt64, exactly, exactMembers } from './exact-members.ts';
import { RawJson } from './raw-json.ts';
import { checkMediaOptions, checkOwnTemplate, newId, nonEmpty, requireIds } from './generate-request-parts.ts';
import type { RenderContext } from './generate-request-parts.ts';
import { checkTokenizeOptions } from './prompt-tokens.ts';
import type { TokenizeOptions } from './prompt-tokens.ts';
import type { RenderEnvironment } from './render-environment.ts';
import { adjustRequest, asksParsers } from './request-adjustment.ts';
import type { Adjusted } from './request-adjustment.ts';
import { chatMessagesOfItems, continuesFinalMessage } from './responses-conversation.ts';
import { chatToolChoice, shownTools } from './responses-shown-tools.ts';
import { reusedIds } from './reused-ids.ts';
import { samplingParams } from './sampling-params.ts';
import { effectiveKwargs, mappedEffort } from './template-kwargs.ts';

function requestConstraint(request: ResponsesRequest, raw: RawJson | null): StructuredOutputs | null {
  const format = request.text?.format ?? null;
  if (format === null) return request.structured_outputs;
  if (request.structured_outputs !== null)
    throw badRequest('`structured_outputs` and `text.format` cannot both be given.', 'structured_outputs');
  if (format.type === 'json_object') return structuredOutputs({ json_object: true });
  return format.type === 'json_schema' ? structuredOutputs({ json: exactly(raw, format.schema, 'text', 'format', 'schema') }) : null;
}

interface Prepared {
  readonly request: ResponsesRequest;
  readonly raw: RawJson | null;
  readonly tools: ChatTool[];
  readonly kwargs: Record<string, unknown>;
  readonly chatTemplateKwargs: Record<string, unknown> | null;
  readonly ids: number[];
  readonly media: readonly MediaPart[];
  readonly kvTransferParams: Record<string, unknown> | null;
}

function truncateTo({ truncation }: ResponsesRequest): number | null {
  return truncation === 'disabled' ? null : -1;
}

function tokenizeOptions({ model }: RenderEnvironment, request: ResponsesRequest): TokenizeOptions {
  return {
    maxModelLen: model.maxModelLen,
    maxOutputTokens: request.max_output_tokens,
    maxOutputTokensName: 'max_output_tokens',
    truncateTo: truncateTo(request),
    truncationSide: null,
    // The reference leaves this at its default here, unlike for chats.
    addSpecialTokens: true,
    returnOffsets: false,
  };
}

async function prepare(environment: RenderEnvironment, request: ResponsesRequest, context: RenderContext): Promise<Prepared> {
  const { settings, encoder } = environment;
  const raw = new RawJson(context.rawBody);
  const chatTemplateKwargs = exactMembers(raw, request.chat_template_kwargs, 'chat_template_kwargs');
  checkOwnTemplate(environment, null, chatTemplateKwargs);
  const tokenize = tokenizeOptions(environment, request);
  const reasoningEffort = mappedEffort(request.reasoning?.effort ?? null, settings.reasoningEffortMap);
  const continues = continuesFinalMessage(request.input);
  const kwargs = effectiveKwargs(
    { requested: chatTemplateKwargs, addGenerationPrompt: !continues, continueFinalMessage: continues, documents: null, reasoningEffort },
    environment.defaultKwargs,
  );
  const tools = shownTools(request, raw);
  const kv = exactMembers(raw, request.kv_transfer_params, 'kv_transfer_params');
  const common = { request, raw, tools, kwargs, chatTemplateKwargs };
  if (encoder?.encodeResponses !== undefined) {
    const { input, instructions, previous_input_messages: previousInputMessages } = request;
    checkTokenizeOptions(tokenize);
    const encoded = await encoder.encodeResponses({ input, instructions, tools: request.tools, reasoningEffort, previousInputMessages });
    return { ...common, ids: (await encodedIds(environment, encoded, tokenize)).ids, media: [], kvTransferParams: kv };
  }
  const list = chatMessagesOfItems(request);
  checkMediaOptions(environment, request);
  checkTokenizeOptions(tokenize);
  const { ids, kvTransferParams } = reusedIds(environment, kv, list, false);
  if (ids !== null) return { ...common, ids, media: [], kvTransferParams };
  const hidesTools = request.tool_choice === 'none' && settings.excludeToolsWhenToolChoiceNone;
  const prompt = await chatPrompt(environment, {
    messages: { list, partsError: null },
    tools: request.tools.length === 0 || hidesTools ? null : tools,
    toolChoice: chatToolChoice(request),
    responseFormat: null,
    documents: null,
    reasoningEffort,
    chatTemplate: null,
    chatTemplateKwargs,
    kwargs,
    tokenize,
  });
  return { ...common, ids: prompt.ids, media: prompt.media, kvTransferParams };
}

function adjusted(environment: RenderEnvironment, { request, raw, tools, chatTemplateKwargs }: Prepared): Adjusted {
  const { parsers, settings, tokenizer, encoder } = environment;
  const asSent: Adjusted = {
    tools: request.tools.length === 0 ? null : tools,
    constraint: requestConstraint(request, raw),
    skipSpecialTokens: request.skip_special_tokens,
    spacesBetweenSpecialTokens: request.spaces_between_special_tokens,
  };
  if (parsers === null || !asksParsers(parsers, request.tool_choice)) return asSent;
  const toolChoice = chatToolChoice(request);
  const mustCall = toolChoice === 'required' || (typeof toolChoice === 'object' && toolChoice !== null);
  if (parsers.tool !== null && mustCall && tools.length === 0) {
    throw badRequest('`tool_choice` asks for a call, but none of `tools` is a function.', 'tool_choice');
  }
  return adjustRequest(
    {
      ...asSent,
      formatGivesWay: false,
      toolChoice,
      parallelToolCalls: request.parallel_tool_calls,
      chatTemplateKwargs: chatTemplateKwargs ?? {},
      isResponses: true,
    },
    {
      tool: parsers.tool,
      reasoning: parsers.reasoning,
      strictLevel: settings.toolStrictLevel,
      mistralTokenizer: encoder?.name === 'mistral',
    },
    tokenizer,
  );
}

/** The engine's extra arguments; an empty object stands where there is nothing to pass on at all, as in the reference. */
function extraArguments(request: ResponsesRequest, raw: RawJson | null, passesOn: boolean): Record<string, unknown> | null {
  const given = exactExtraArguments(raw, request.vllm_xargs);
  return given ?? (passesOn ? null : {});
}

function paramsOf(environment: RenderEnvironment, prepared: Prepared, change: Adjusted, passesOn: boolean): SamplingParams {
  const { request, raw, ids } = prepared;
  const limits = { maxModelLen: environment.model.maxModelLen, defaults: environment.sampling };
  return samplingParams(
    {
      ...request,
      n: 1,
      seed: exactInt64(raw, request.seed, 'seed'),
      max_tokens: outputTokenLimit(limits, request.max_output_tokens, ids.length, truncateTo(request)),
      min_tokens: 0,
      stop: request.stop === '' ? [] : request.stop,
      bad_words: [],
      allowed_token_ids: null,
      logprobs: request.include?.includes('message.output_text.logprobs') ? request.top_logprobs : null,
      prompt_logprobs: null,
      logprob_token_ids: null,
      stream_interval: null,
      structured_outputs: change.constraint,
      skip_special_tokens: change.skipSpecialTokens,
      spaces_between_special_tokens: change.spacesBetweenSpecialTokens,
      thinking_token_budget: null,
      extra_args: extraArguments(request, raw, passesOn) as never,
      repetition_detection: null,
      routed_experts_prompt_start: 0,
    },
    environment.sampling.values,
  );
}

/**
 * What the engine generates a response from.
 * @throws ApiError 400
 */
export async function renderResponses(
  environment: RenderEnvironment,
  request: ResponsesRequest,
  context: RenderContext,
): Promise<GenerateRequest> {
  if (request.previous_response_id !== null) {
    throw new ApiError(
      400,
      'invalid_request_error',
      '`previous_response_id` cannot be had here: this server keeps no responses.',
      'previous_response_id',
    );
  }
  const prepared = await prepare(environment, request, context);
  const { raw, kwargs } = prepared;
  const change = adjusted(environment, prepared);
  const ids = requireIds(prepared.ids);
  const kv = nonEmpty(prepared.kvTransferParams);
  const ec = nonEmpty(exactMembers(raw, request.ec_transfer_params, 'ec_transfer_params'));
  const hasReasoning = (environment.parsers?.reasoning ?? null) !== null;
  return {
    request_id: request.request_id ?? `resp_${newId()}`,
    token_ids: ids,
    token_offsets: null,
    features: null,
    content_parts: engineMedia(prepared.media),
    sampling_params: paramsOf(environment, prepared, change, kv !== null || ec !== null),
    model: request.model,
    reasoning_ended: null,
    reasoning_parser_kwargs: hasReasoning ? { chat_template_kwargs: kwargs } : null,
    return_token_ids: null,
    output_mode: 'tokens',
    parse_context: null,
    stream: request.stream === true,
    stream_options: null,
    cache_salt: request.cache_salt,
    priority: exactInt64(raw, request.priority, 'priority'),
    kv_transfer_params: kv,
    ec_transfer_params: ec,
  };
}

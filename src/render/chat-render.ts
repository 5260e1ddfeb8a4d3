import { badRequest } from '../core/errors.ts';
import type { ChatRequest } from '../protocol/chat-request.ts';
import type { GenerateRequest } from '../protocol/generate-request.ts';
import { chatPrompt } from './chat-prompt.ts';
import type { ChatPrompt } from './chat-prompt.ts';
import { engineMedia } from './conversation.ts';
import { outputTokenLimit } from './default-sampling.ts';
import { exactExtraArguments, exactInt64, exactMembers } from './exact-members.ts';
import { RawJson } from './raw-json.ts';
import {
  checkMediaOptions,
  checkOwnTemplate,
  exactMessages,
  exactTools,
  historyToolCalls,
  nonEmpty,
  requestIdOf,
  requireIds,
} from './generate-request-parts.ts';
import type { RenderContext } from './generate-request-parts.ts';
import { formatGivesWay, requestConstraint } from './output-constraint.ts';
import { checkTokenizeOptions } from './prompt-tokens.ts';
import type { TokenizeOptions } from './prompt-tokens.ts';
import type { RenderEnvironment } from './render-environment.ts';
import { adjustRequest, asksParsers } from './request-adjustment.ts';
import type { Adjusted } from './request-adjustment.ts';
import { reusedIds } from './reused-ids.ts';
import { samplingParams } from './sampling-params.ts';
import { effectiveKwargs, mappedEffort } from './template-kwargs.ts';

/** Without a parser nothing could read the calls that are asked for. */
function checkToolChoice({ settings, parsers, encoder }: RenderEnvironment, request: ChatRequest): void {
  const { tool_choice: choice } = request;
  const reads = (parsers?.tool ?? null) !== null || encoder?.name === 'mistral' || encoder?.name === 'harmony';
  if (reads || choice === null || choice === 'none') return;
  if (choice === 'auto') {
    if (!settings.enableAutoToolChoice)
      throw badRequest('Tool choice "auto" needs a tool parser: start the server with --tool-call-parser.');
    return;
  }
  const wanted = typeof choice === 'string' ? `"${choice}"` : `function "${choice.function.name}"`;
  throw badRequest(`Tool choice ${wanted} needs a tool parser: start the server with --tool-call-parser.`);
}

function tokenizeOptions({ model }: RenderEnvironment, request: ChatRequest): TokenizeOptions {
  const completion = request.max_completion_tokens;
  return {
    maxModelLen: model.maxModelLen,
    maxOutputTokens: completion ?? request.max_tokens,
    maxOutputTokensName: completion === null ? 'max_tokens' : 'max_completion_tokens',
    truncateTo: request.truncate_prompt_tokens,
    truncationSide: request.truncation_side,
    addSpecialTokens: request.add_special_tokens,
    returnOffsets: request.return_token_offsets === true,
  };
}

/** Members of a chat request that are worked out once, before its prompt is. */
interface Prepared {
  readonly request: ChatRequest;
  readonly raw: RawJson | null;
  readonly kwargs: Record<string, unknown>;
  readonly reasoningEffort: string | null;
  readonly kvTransferParams: Record<string, unknown> | null;
  readonly prompt: ChatPrompt;
}

async function prepare(environment: RenderEnvironment, given: ChatRequest, context: RenderContext): Promise<Prepared> {
  const { settings, encoder } = environment;
  const raw = new RawJson(context.rawBody);
  const chatTemplateKwargs = exactMembers(raw, given.chat_template_kwargs, 'chat_template_kwargs');
  const request: ChatRequest = {
    ...given,
    messages: exactMessages(raw, given.messages),
    tools: exactTools(raw, given.tools),
    chat_template_kwargs: chatTemplateKwargs,
  };
  if (encoder?.name !== 'harmony') checkOwnTemplate(environment, request.chat_template, chatTemplateKwargs);
  checkMediaOptions(environment, request);
  const tokenize = tokenizeOptions(environment, request);
  checkTokenizeOptions(tokenize);
  const reasoningEffort = mappedEffort(request.reasoning_effort, settings.reasoningEffortMap);
  const kwargs = effectiveKwargs(
    {
      requested: chatTemplateKwargs,
      addGenerationPrompt: request.add_generation_prompt,
      continueFinalMessage: request.continue_final_message,
      documents: request.documents,
      reasoningEffort,
    },
    environment.defaultKwargs,
  );
  const kv = exactMembers(raw, request.kv_transfer_params, 'kv_transfer_params');
  const { ids, kvTransferParams } = reusedIds(environment, kv, request.messages.list, request.echo);
  const hidesTools = request.tool_choice === 'none' && settings.excludeToolsWhenToolChoiceNone;
  const prompt =
    ids === null
      ? await chatPrompt(environment, {
          messages: request.messages,
          tools: hidesTools ? null : request.tools,
          toolChoice: request.tool_choice,
          responseFormat: request.response_format,
          documents: request.documents,
          reasoningEffort,
          chatTemplate: request.chat_template,
          chatTemplateKwargs,
          kwargs,
          tokenize,
        })
      : { ids, offsets: null, media: [] };
  return { request, raw, kwargs, reasoningEffort, kvTransferParams, prompt };
}

function adjusted(environment: RenderEnvironment, { request, raw }: Prepared): Adjusted {
  const { parsers, settings, tokenizer, encoder } = environment;
  const asSent: Adjusted = {
    tools: request.tools,
    constraint: requestConstraint(request, raw),
    skipSpecialTokens: request.skip_special_tokens,
    spacesBetweenSpecialTokens: request.spaces_between_special_tokens,
  };
  if (parsers === null || !asksParsers(parsers, request.tool_choice)) return asSent;
  return adjustRequest(
    {
      ...asSent,
      formatGivesWay: formatGivesWay(request),
      toolChoice: request.tool_choice,
      parallelToolCalls: request.parallel_tool_calls,
      chatTemplateKwargs: request.chat_template_kwargs ?? {},
      isResponses: false,
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

function reasoningEnded({ parsers }: RenderEnvironment, { request, kwargs, prompt }: Prepared): boolean | null {
  if (!request.include_reasoning) return true;
  if ((parsers?.reasoning ?? null) === null) return null;
  return parsers?.promptReasoningEnded(prompt.ids, kwargs) ?? null;
}

/**
 * What the engine generates a chat completion from.
 * @throws ApiError 400
 */
export async function renderChat(environment: RenderEnvironment, given: ChatRequest, context: RenderContext): Promise<GenerateRequest> {
  if (given.use_beam_search) throw badRequest('Beam search cannot be had with /render.');
  checkToolChoice(environment, given);
  const prepared = await prepare(environment, given, context);
  const { request, raw, kwargs, prompt } = prepared;
  const { tools, constraint, skipSpecialTokens, spacesBetweenSpecialTokens } = adjusted(environment, prepared);
  const ids = requireIds(prompt.ids);
  const limits = { maxModelLen: environment.model.maxModelLen, defaults: environment.sampling };
  const listed = (request.logprob_token_ids?.length ?? 0) > 0 ? request.logprob_token_ids : null;
  const params = samplingParams(
    {
      ...request,
      seed: exactInt64(raw, request.seed, 'seed'),
      max_tokens: outputTokenLimit(limits, request.max_completion_tokens ?? request.max_tokens, ids.length, request.truncate_prompt_tokens),
      logprobs: request.logprobs && listed === null ? request.top_logprobs : null,
      prompt_logprobs: request.prompt_logprobs ?? (request.echo ? request.top_logprobs : null),
      logprob_token_ids: listed,
      structured_outputs: constraint,
      skip_special_tokens: skipSpecialTokens,
      spaces_between_special_tokens: spacesBetweenSpecialTokens,
      extra_args: exactExtraArguments(raw, request.vllm_xargs),
    },
    environment.sampling.values,
  );
  const hasReasoning = (environment.parsers?.reasoning ?? null) !== null;
  return {
    request_id: `chatcmpl-${requestIdOf(context, request.request_id)}`,
    token_ids: ids,
    token_offsets: prompt.offsets,
    features: null,
    content_parts: engineMedia(prompt.media),
    sampling_params: params,
    model: request.model,
    reasoning_ended: reasoningEnded(environment, prepared),
    reasoning_parser_kwargs: hasReasoning ? { chat_template_kwargs: kwargs } : null,
    return_token_ids: request.return_token_ids,
    output_mode: 'tokens',
    parse_context: {
      tools: tools === null ? null : [...tools],
      tool_choice: request.tool_choice,
      parallel_tool_calls: request.parallel_tool_calls,
      include_reasoning: request.include_reasoning,
      chat_template_kwargs: environment.encoder?.name === 'harmony' ? {} : kwargs,
      history_tool_call_cnt: historyToolCalls(request.messages.list),
    },
    stream: request.stream === true,
    stream_options: request.stream ? request.stream_options : null,
    cache_salt: request.cache_salt,
    priority: exactInt64(raw, request.priority, 'priority'),
    kv_transfer_params: nonEmpty(prepared.kvTransferParams),
    ec_transfer_params: nonEmpty(exactMembers(raw, request.ec_transfer_params, 'ec_transfer_params')),
  };
}

import { badRequest } from '../core/errors.ts';
import type { CompletionPrompt } from '../protocol/completion-prompt.ts';
import type { CompletionRequest } from '../protocol/completion-request.ts';
import type { GenerateRequest, SamplingParams } from '../protocol/generate-request.ts';
import { outputTokenLimit } from './default-sampling.ts';
import { exactExtraArguments, exactInt64, exactMembers } from './exact-members.ts';
import { RawJson } from './raw-json.ts';
import { nonEmpty, requestIdOf, requireIds } from './generate-request-parts.ts';
import type { RenderContext } from './generate-request-parts.ts';
import { requestConstraint } from './output-constraint.ts';
import { boundIds, checkTokenizeOptions, tokenizePrompt } from './prompt-tokens.ts';
import type { PromptTokens, TokenizeOptions } from './prompt-tokens.ts';
import type { RenderEnvironment } from './render-environment.ts';
import { samplingParams } from './sampling-params.ts';

/** The prompt with what follows the gap that the model is to fill. */
function withSuffix({ encoder }: RenderEnvironment, request: CompletionRequest): CompletionPrompt {
  const { prompt, suffix } = request;
  if (suffix === null) return prompt;
  if (request.echo) throw badRequest('`echo` cannot be had with `suffix`.', 'suffix');
  if (request.prompt_embeds !== null) throw badRequest('`suffix` cannot be had with `prompt_embeds`.', 'suffix');
  if (request.truncate_prompt_tokens !== null) throw badRequest('`suffix` cannot be had with `truncate_prompt_tokens`.', 'suffix');
  const isText = (item: unknown): item is string => typeof item === 'string';
  const texts: readonly unknown[] = Array.isArray(prompt) ? prompt : [prompt];
  if (!texts.every(isText)) throw badRequest('`suffix` needs a prompt of text.', 'suffix');
  const fill = encoder?.completionSuffix;
  if (fill === undefined) throw badRequest('`suffix` is only supported for models that fill gaps.', 'suffix');
  const filled = texts.map((text) => fill(text, suffix));
  return typeof prompt === 'string' ? (filled[0] ?? null) : filled;
}

/** One prompt or several, as a list. */
function promptList(prompt: CompletionPrompt): readonly (string | number[])[] {
  if (prompt === null) return [];
  if (typeof prompt === 'string') return [prompt];
  return prompt.length > 0 && typeof prompt[0] === 'number' ? [prompt as number[]] : (prompt as string[] | number[][]);
}

function tokenizeOptions({ model, encoder }: RenderEnvironment, request: CompletionRequest): TokenizeOptions {
  return {
    maxModelLen: model.maxModelLen,
    maxOutputTokens: request.max_tokens ?? 0,
    maxOutputTokensName: 'max_tokens',
    truncateTo: request.truncate_prompt_tokens,
    truncationSide: request.truncation_side,
    addSpecialTokens: request.add_special_tokens,
    // As in the reference, only tokenizers of Hugging Face's kind tell offsets.
    returnOffsets: request.return_token_offsets === true && (encoder === null || encoder.name === 'harmony'),
  };
}

async function tokenized(environment: RenderEnvironment, request: CompletionRequest): Promise<PromptTokens[]> {
  const prompts = promptList(withSuffix(environment, request));
  if (request.echo && request.prompt_embeds !== null) throw badRequest('`echo` cannot be had with `prompt_embeds`.');
  if (request.prompt_logprobs !== null && request.prompt_embeds !== null)
    throw badRequest('`prompt_logprobs` cannot be had with `prompt_embeds`.');
  const options = tokenizeOptions(environment, request);
  checkTokenizeOptions(options);
  if (request.prompt_embeds !== null && request.prompt_embeds.length > 0)
    throw badRequest('This server takes no `prompt_embeds`.', 'prompt_embeds');
  if (prompts.length === 0) throw badRequest('`prompt` must hold one prompt at least.', 'prompt');
  const { tokenizer } = environment;
  const result: PromptTokens[] = [];
  // One after the other: a thousand prompts at once would hold every thread of the process.
  for (const prompt of prompts) {
    if (typeof prompt === 'string') result.push(await tokenizePrompt(tokenizer, prompt, options));
    else result.push({ ids: boundIds(tokenizer, prompt, options), offsets: null });
  }
  return result;
}

function paramsFor(environment: RenderEnvironment, request: CompletionRequest, raw: RawJson | null, promptLength: number): SamplingParams {
  const limits = { maxModelLen: environment.model.maxModelLen, defaults: environment.sampling };
  const limit = outputTokenLimit(limits, request.max_tokens, promptLength, request.truncate_prompt_tokens);
  const listed = (request.logprob_token_ids?.length ?? 0) > 0 ? request.logprob_token_ids : null;
  return samplingParams(
    {
      ...request,
      seed: exactInt64(raw, request.seed, 'seed'),
      // With `echo`, no output at all may be asked for; engines generate one token at least.
      max_tokens: request.echo && request.max_tokens === 0 ? 1 : limit,
      logprobs: listed === null ? request.logprobs : null,
      prompt_logprobs: request.prompt_logprobs ?? (request.echo ? request.logprobs : null),
      logprob_token_ids: listed,
      structured_outputs: requestConstraint(request, raw),
      extra_args: exactExtraArguments(raw, request.vllm_xargs),
    },
    environment.sampling.values,
  );
}

/**
 * What the engine generates completions from, one request a prompt.
 * @throws ApiError 400
 */
export async function renderCompletion(
  environment: RenderEnvironment,
  request: CompletionRequest,
  context: RenderContext,
): Promise<GenerateRequest[]> {
  if (request.use_beam_search) throw badRequest('Beam search cannot be had with /render.');
  const raw = new RawJson(context.rawBody);
  const prompts = await tokenized(environment, request);
  const id = `cmpl-${requestIdOf(context, request.request_id)}`;
  return prompts.map((prompt, index): GenerateRequest => {
    const ids = requireIds(prompt.ids);
    return {
      request_id: prompts.length === 1 ? id : `${id}-${index}`,
      token_ids: ids,
      token_offsets: prompt.offsets,
      features: null,
      content_parts: null,
      sampling_params: paramsFor(environment, request, raw, ids.length),
      model: request.model,
      reasoning_ended: null,
      reasoning_parser_kwargs: null,
      return_token_ids: request.return_token_ids,
      output_mode: 'tokens',
      parse_context: null,
      stream: request.stream === true,
      stream_options: request.stream ? request.stream_options : null,
      cache_salt: request.cache_salt,
      priority: exactInt64(raw, request.priority, 'priority'),
      kv_transfer_params: nonEmpty(exactMembers(raw, request.kv_transfer_params, 'kv_transfer_params')),
      ec_transfer_params: nonEmpty(exactMembers(raw, request.ec_transfer_params, 'ec_transfer_params')),
    };
  });
}

import { badRequest } from '../core/errors.ts';
import { truthy } from './python-truth.ts';
import { checkCacheSalt, checkLogprobCounts, checkStreamOptions, withMmPayload } from './request-checks.ts';
import type { RawBody } from './request-checks.ts';
import { checkResponseFormat } from './response-format.ts';
import { checkStructuredOutputs } from './structured-outputs.ts';

const MAX_PROMPTS = 1024;

/** Whether the list is one prompt of token ids: its first member tells. */
function isTokenList(prompt: readonly unknown[]): boolean {
  return Number.isInteger(prompt[0]) || typeof prompt[0] === 'boolean';
}

function checkPromptCount(body: RawBody): void {
  for (const name of ['prompt', 'prompt_embeds']) {
    const prompts = body[name];
    if (!Array.isArray(prompts) || prompts.length <= MAX_PROMPTS || (name === 'prompt' && isTokenList(prompts))) continue;
    throw badRequest(`\`${name}\` holds ${prompts.length} prompts, which is more than the ${MAX_PROMPTS} that are allowed.`, name);
  }
}

function checkPromptGiven(body: RawBody): void {
  const prompt = body['prompt'] ?? null;
  const embeds = body['prompt_embeds'] ?? null;
  const noEmbeds = embeds === null || (Array.isArray(embeds) && embeds.length === 0);
  if ((prompt === null || prompt === '') && noEmbeds) throw badRequest('`prompt` must be given, and not be empty.', 'prompt');
}

function checkLogprobs(body: RawBody): void {
  const beam = truthy(body['use_beam_search']);
  const echo = truthy(body['echo']);
  const listed = truthy(body['logprob_token_ids']);
  const asked = (body['logprobs'] ?? null) !== null;
  if (listed && beam) throw badRequest('`logprob_token_ids` cannot be had with beam search.', 'logprob_token_ids');
  if (beam && echo && asked) throw badRequest('`echo` with `logprobs` cannot be had with beam search.', 'echo');
  if (listed && echo && body['max_tokens'] === 0) {
    throw badRequest(
      '`logprob_token_ids` cannot be had where `echo` is true and `max_tokens` is 0: no token is generated.',
      'logprob_token_ids',
    );
  }
  if (listed && !asked) throw badRequest('`logprob_token_ids` needs `logprobs`.', 'logprob_token_ids');
  checkLogprobCounts(body, ['prompt_logprobs', 'logprobs']);
}

function checkConstraint(body: RawBody): void {
  const given = body['structured_outputs'] ?? null;
  if (given !== null && checkStructuredOutputs(given) > 1) {
    throw badRequest('`structured_outputs` takes one of json, regex and choice.', 'structured_outputs');
  }
}

/**
 * The checks of a completion request that come before its types, each of which hides all that come after it.
 * @throws ApiError 400
 */
export function checkCompletionBody(body: RawBody): RawBody {
  checkPromptCount(body);
  checkPromptGiven(body);
  checkStreamOptions(body);
  checkLogprobs(body);
  checkConstraint(body);
  checkResponseFormat(body['response_format']);
  checkCacheSalt(body);
  return withMmPayload((body['max_tokens'] ?? null) === null ? { ...body, max_tokens: 16 } : body);
}

import type { GenerateLogprobs } from '../protocol/generate-logprobs.ts';
import type { CompletionRequest } from '../protocol/completion-request.ts';
import type { ChatLogprobs, CompletionLogprobs } from './answers.ts';
import { codePointLength } from '../core/code-points.ts';

/**
 * How many candidates of a position a completion shows: one more than `logprobs`, as the sampled token counts too.
 * Null for all: without a request, with `logprobs` unset or -1, and where ids were asked for by name.
 */
export function completionTopLimit(request: Pick<CompletionRequest, 'logprobs' | 'logprob_token_ids'> | null): number | null {
  if (!request || request.logprobs === null || request.logprobs === -1) return null;
  if (request.logprob_token_ids && request.logprob_token_ids.length > 0) return null;
  return Math.max(request.logprobs + 1, 0);
}

/**
 * Logprobs as lists side by side, the form of completions.
 * @param source what `logprobs` was made from: a position that has no candidates there has null
 * @param textOffset offset of the first token in the whole answer's text, in code points
 */
export function flatLogprobs(logprobs: ChatLogprobs, source: GenerateLogprobs, textOffset: number): CompletionLogprobs {
  const result: CompletionLogprobs = { text_offset: [], token_logprobs: [], tokens: [], top_logprobs: [] };
  let offset = textOffset;
  for (const [at, entry] of (logprobs.content ?? []).entries()) {
    result.text_offset.push(offset);
    result.tokens.push(entry.token);
    result.token_logprobs.push(entry.logprob);
    const hasCandidates = (source.content?.[at]?.top_logprobs.length ?? 0) > 0;
    result.top_logprobs.push(hasCandidates ? Object.fromEntries(entry.top_logprobs.map(({ token, logprob }) => [token, logprob])) : null);
    offset += codePointLength(entry.token);
  }
  return result;
}

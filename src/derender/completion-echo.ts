import { badRequest } from '../core/errors.ts';
import type { Tokenizer } from '../tokenizer/tokenizer.ts';
import type { PromptLogprobs } from '../protocol/generate-logprobs.ts';
import type { CompletionLogprobs } from './answers.ts';
import { codePointLength } from '../core/code-points.ts';

/** A completion request's members about the echo of its prompt. */
export interface EchoRequest {
  prompt?: string | number[] | string[] | number[][] | null | undefined;
  echo?: boolean | null | undefined;
  max_tokens?: number | null | undefined;
  logprobs?: number | null | undefined;
  return_token_ids?: boolean | null | undefined;
  truncate_prompt_tokens?: number | null | undefined;
}

/** The prompts of a request, one an entry: text or token ids. */
function prompts(request: EchoRequest): (string | number[])[] {
  const { prompt } = request;
  if (prompt === null || prompt === undefined) return [];
  if (typeof prompt === 'string') return [prompt];
  return typeof prompt[0] === 'number' ? [prompt as number[]] : (prompt as (string | number[])[]);
}

/** Which prompt an answer of the engine belongs to. */
export interface PromptPlace {
  at: number;
  /** How many answers came; null in a stream, which belongs to one of the prompts without saying to which. */
  of: number | null;
}

/**
 * The text that goes in front of the output: the prompt as sent, or decoded from its ids where it was sent as ids or shortened.
 * Nothing where token ids are asked for, as they show the prompt already.
 * @param promptIds the prompt's ids, if this request or the engine's answer has them
 * @throws ApiError 400 where the prompt is not known
 */
export function echoText(request: EchoRequest, place: PromptPlace, promptIds: readonly number[] | null, tokenizer: Tokenizer): string {
  if (request.return_token_ids) return '';
  const sent = prompts(request);
  if (sent.length !== (place.of ?? 1)) {
    throw badRequest(
      `echo needs one answer of the engine for each prompt; there are ${sent.length} prompts and ${place.of ?? 'a stream of one'}.`,
    );
  }
  const prompt = sent[place.at];
  if (typeof prompt === 'string' && (request.truncate_prompt_tokens ?? null) === null) return prompt;
  const ids = promptIds ?? (typeof prompt === 'object' ? prompt : null);
  if (!ids) throw badRequest('echo of a shortened prompt needs its prompt_token_ids.');
  return tokenizer.decode(ids, false);
}

/** Log probabilities below this are shown as this: JSON has no infinity. */
const LOWEST = -9999;

/** The engine's prompt logprobs with every infinity replaced. */
export function clampPromptLogprobs(positions: PromptLogprobs | null): PromptLogprobs | null {
  return (
    positions &&
    positions.map((position) => {
      if (!position) return position;
      const entries = Object.entries(position).map(([id, entry]): [string, typeof entry] => [
        id,
        entry.logprob === -Infinity ? { ...entry, logprob: LOWEST } : entry,
      ]);
      return Object.fromEntries(entries);
    })
  );
}

/** What the logprobs of an echoed prompt are made of. */
export interface EchoSource {
  promptIds: readonly number[] | null;
  positions: PromptLogprobs | null;
  tokenizer: Tokenizer;
  /** Candidates kept a position; null for all. */
  topLimit: number | null;
}

/**
 * Logprobs of the prompt's tokens, to go in front of the output's.
 * @throws ApiError 400 where the engine's answer does not have what is asked for
 */
export function echoLogprobs({ promptIds, positions, tokenizer, topLimit }: EchoSource): CompletionLogprobs {
  if (!promptIds) throw badRequest('echo with logprobs needs prompt_token_ids.');
  if (!positions) throw badRequest('echo with logprobs needs an answer with prompt_logprobs.');
  if (positions.length !== promptIds.length) {
    throw badRequest(`prompt_logprobs holds ${positions.length} positions for a prompt of ${promptIds.length} tokens.`);
  }
  const result: CompletionLogprobs = { text_offset: [], token_logprobs: [], tokens: [], top_logprobs: [] };
  let offset = 0;
  for (const [at, id] of promptIds.entries()) {
    const position = positions[at] ?? null;
    const sampled = position?.[String(id)];
    if (position && !sampled) throw badRequest(`prompt_logprobs has no entry for token ${id} at position ${at}.`);
    const text = sampled?.decoded_token ?? tokenizer.decode([id], false);
    result.text_offset.push(offset);
    result.tokens.push(text);
    result.token_logprobs.push(sampled ? Math.max(sampled.logprob, LOWEST) : null);
    result.top_logprobs.push(position && topCandidates(position, id, tokenizer, topLimit));
    offset += codePointLength(text);
  }
  return result;
}

/** The prompt's own token first, then by rank: the engine's order, which an object with ids as keys has lost. */
function topCandidates(
  position: NonNullable<PromptLogprobs[number]>,
  own: number,
  tokenizer: Tokenizer,
  limit: number | null,
): Record<string, number> {
  const place = (id: string, rank: number | null): number => (id === String(own) ? 0 : (rank ?? Infinity));
  const ordered = Object.entries(position).sort(([a, x], [b, y]) => place(a, x.rank) - place(b, y.rank));
  const kept = limit === null ? ordered : ordered.slice(0, limit);
  return Object.fromEntries(
    kept.map(([id, entry]) => [entry.decoded_token ?? tokenizer.decode([Number(id)], false), Math.max(entry.logprob, LOWEST)]),
  );
}

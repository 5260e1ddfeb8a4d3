import type { ChatRequest } from '../protocol/chat-request.ts';
import type { GenerateLogprobs, TokenLogprob } from '../protocol/generate-logprobs.ts';
import { badRequest } from '../core/errors.ts';
import { repairedText, tokenText } from '../tokenizer/token-text.ts';
import type { TokenText } from '../tokenizer/token-text.ts';
import type { Tokenizer } from '../tokenizer/tokenizer.ts';
import type { ChatLogprob, ChatLogprobs } from './answers.ts';
import { otherWork } from '../core/other-work.ts';

/**
 * How many candidates of a position a chat answer shows. Null for all: without a request or where it asks for no logprobs (it then says
 * nothing about the cut), with `top_logprobs` -1, and where ids were asked for by name.
 */
export function chatTopLimit(request: Pick<ChatRequest, 'logprobs' | 'top_logprobs' | 'logprob_token_ids'> | null): number | null {
  if (!request?.logprobs || request.top_logprobs === -1) return null;
  if (request.logprob_token_ids && request.logprob_token_ids.length > 0) return null;
  return request.top_logprobs;
}

/** Ids that the tokenizer can be asked for at all. */
const MAX_ID = 2 ** 32 - 1;

function isPossible(id: number): boolean {
  return id >= 0 && id <= MAX_ID;
}

/** Token texts that are kept: the same few thousand tokens are candidates again and again. */
const MAX_TEXTS = 20_000;
const knownTexts = new WeakMap<Tokenizer, Map<number, TokenText>>();

function textOf(tokenizer: Tokenizer, id: number): TokenText {
  const known = knownTexts.get(tokenizer) ?? new Map<number, TokenText>();
  const found = known.get(id);
  if (found) return found;
  if (known.size === 0) knownTexts.set(tokenizer, known);
  else if (known.size >= MAX_TEXTS) known.clear();
  const text = tokenText(tokenizer, id);
  known.set(id, text);
  return text;
}

function readable({ token_id: id, logprob }: TokenLogprob, tokenizer: Tokenizer, context: readonly number[]): ChatLogprob {
  if (!isPossible(id)) throw badRequest(`logprobs holds the token id ${id}, which no token can have.`);
  const { text, bytes } = textOf(tokenizer, id);
  if (!text.endsWith('\ufffd')) return { token: text, logprob, bytes };
  if (context.some((other) => !isPossible(other)))
    throw badRequest('invalid stream_state: logprob_context_token_ids holds what no token id can be.');
  const token = repairedText(tokenizer, id, context);
  return { token, logprob, bytes: [...Buffer.from(token, 'utf8')] };
}

/**
 * The engine's logprobs by ids as the API shows them, by text and bytes. A token that is part of a character gets its text from the sampled
 * tokens before it: the one that completes the character gets the character, the others nothing.
 * @param topLimit candidates shown a position, null for all
 * @param context sampled ids of earlier chunks, up to four
 * @throws ApiError 400 for ids that no token can have
 */
export function resolveLogprobs(
  tokenizer: Tokenizer,
  logprobs: GenerateLogprobs,
  topLimit: number | null,
  context: readonly number[],
): ChatLogprobs {
  if (!logprobs.content) return { content: null };
  const sampled = [...context];
  const content = logprobs.content.map((position) => {
    const shown = topLimit === null ? position.top_logprobs : position.top_logprobs.slice(0, topLimit);
    const before = sampled.slice(-4);
    const resolved = {
      ...readable(position, tokenizer, before),
      top_logprobs: shown.map((candidate) => readable(candidate, tokenizer, before)),
    };
    sampled.push(position.token_id);
    return resolved;
  });
  return { content };
}

/** Positions resolved before other requests get their turn. */
const SLICE = 128;

/** The same for a complete output, in slices: a long one has a hundred thousand candidates. */
export async function resolveAllLogprobs(tokenizer: Tokenizer, logprobs: GenerateLogprobs, topLimit: number | null): Promise<ChatLogprobs> {
  if (!logprobs.content) return { content: null };
  const content: NonNullable<ChatLogprobs['content']> = [];
  let context: number[] = [];
  for (let from = 0; from < logprobs.content.length; from += SLICE) {
    if (from > 0) await otherWork();
    const slice = logprobs.content.slice(from, from + SLICE);
    for (const position of resolveLogprobs(tokenizer, { content: slice }, topLimit, context).content ?? []) content.push(position);
    context = slice.slice(-4).map(({ token_id: id }) => id);
  }
  return { content };
}

import { codePointIndex, codePointLength } from '../core/code-points.ts';
import { badRequest } from '../core/errors.ts';
import type { Tokenizer } from '../tokenizer/tokenizer.ts';

/** How a prompt is tokenized, and how long it may be. */
export interface TokenizeOptions {
  /** The model's context length in tokens. */
  readonly maxModelLen: number;
  /** Limit on output tokens that the request asks for, and the member that does. */
  readonly maxOutputTokens: number | null;
  readonly maxOutputTokensName: string;
  /** Number of prompt tokens to keep, -1 for as many as the context takes, null for no cut. */
  readonly truncateTo: number | null;
  readonly truncationSide: 'left' | 'right' | null;
  readonly addSpecialTokens: boolean;
  readonly returnOffsets: boolean;
}

/** A prompt as token ids, with the range of text that each came from where that was asked for (code points). */
export interface PromptTokens {
  readonly ids: number[];
  readonly offsets: [number, number][] | null;
}

/**
 * Checks the numbers of a request, before anything is rendered.
 * @throws ApiError 400
 */
export function checkTokenizeOptions(options: TokenizeOptions): void {
  const { maxOutputTokens, maxOutputTokensName, maxModelLen, truncateTo } = options;
  if (maxOutputTokens !== null && maxOutputTokens > maxModelLen) {
    const message = `${maxOutputTokensName}=${maxOutputTokens} cannot be greater than the model's context length of ${maxModelLen} tokens.`;
    throw badRequest(message, maxOutputTokensName);
  }
  if (truncateTo !== null && truncateTo > maxModelLen) {
    throw badRequest(
      `truncate_prompt_tokens=${truncateTo} cannot be greater than the model's context length of ${maxModelLen} tokens.`,
      'truncate_prompt_tokens',
    );
  }
}

function keptTokens(options: TokenizeOptions): number | null {
  const { truncateTo, maxModelLen, maxOutputTokens } = options;
  if (truncateTo === null || truncateTo >= 0) return truncateTo;
  // One token of the context is held back for the output.
  return maxOutputTokens === 0 ? maxModelLen : Math.max(0, maxModelLen - 1);
}

const longestTokens = new WeakMap<Tokenizer, number>();

/** Code points of the tokenizer's longest token: a text of more than that many times the context cannot fit. */
function longestToken(tokenizer: Tokenizer): number {
  let longest = longestTokens.get(tokenizer);
  if (longest === undefined) {
    longest = 1;
    for (let id = 0; id < tokenizer.size; id += 1) {
      const token = tokenizer.idToToken(id);
      if (token !== undefined && token.length > longest) longest = Math.max(longest, codePointLength(token));
    }
    longestTokens.set(tokenizer, longest);
  }
  return longest;
}

interface BoundedText {
  readonly text: string;
  /** Code points cut off in front. */
  readonly cut: number;
}

/** Refuses a text that is certainly too long before it is tokenized, or cuts it where the request says from which side. */
function boundText(tokenizer: Tokenizer, text: string, options: TokenizeOptions): BoundedText {
  const { maxModelLen, truncateTo, truncationSide } = options;
  if (text.length <= maxModelLen || (truncateTo !== null && truncationSide === null)) return { text, cut: 0 };
  const limit = maxModelLen * longestToken(tokenizer);
  const length = text.length <= limit ? text.length : codePointLength(text);
  if (length <= limit) return { text, cut: 0 };
  if (truncateTo === null) {
    const message = `The prompt has ${length} characters, which cannot fit the model's context of ${maxModelLen} tokens: shorten it.`;
    throw badRequest(message, 'input_text');
  }
  const at = codePointIndex(text, truncationSide === 'left' ? length - limit : limit);
  return truncationSide === 'left' ? { text: text.slice(at), cut: length - limit } : { text: text.slice(0, at), cut: 0 };
}

interface AddedTokens {
  readonly before: number;
  readonly after: number;
}

const addedTokens = new WeakMap<Tokenizer, Promise<AddedTokens>>();

/** How many tokens the tokenizer itself puts in front of a text and behind it. */
function ownTokens(tokenizer: Tokenizer): Promise<AddedTokens> {
  let known = addedTokens.get(tokenizer);
  if (known === undefined) {
    known = Promise.all([tokenizer.encode('a', true), tokenizer.encode('a', false)]).then(([all, bare]) => {
      const before = Math.max(0, all.indexOf(bare[0] ?? -1));
      return { before, after: Math.max(0, all.length - before - bare.length) };
    });
    addedTokens.set(tokenizer, known);
  }
  return known;
}

function cutList<T>(list: readonly T[], keep: number, side: 'left' | 'right', own: AddedTokens): T[] {
  if (list.length <= keep) return [...list];
  const { before, after } = own;
  const inner = list.slice(before, list.length - after);
  const room = Math.max(0, keep - before - after);
  const kept = side === 'left' ? inner.slice(inner.length - room) : inner.slice(0, room);
  const cut = [...list.slice(0, before), ...kept, ...list.slice(list.length - after)];
  return side === 'left' ? cut.slice(cut.length - keep) : cut.slice(0, keep);
}

function checkLength(length: number, maxModelLen: number): void {
  if (length <= maxModelLen) return;
  const message = `The prompt has ${length} tokens, which is more than the model's context of ${maxModelLen} tokens, output not counted: shorten it.`;
  throw badRequest(message, 'input_tokens');
}

const NONE: AddedTokens = { before: 0, after: 0 };

/**
 * Cuts token ids as asked, and checks that they fit the context.
 * @throws ApiError 400
 */
export function boundIds(tokenizer: Tokenizer, ids: readonly number[], options: TokenizeOptions): number[] {
  const keep = keptTokens(options);
  const side = options.truncationSide ?? tokenizer.truncationSide;
  const bounded = keep === null ? [...ids] : cutList(ids, keep, side, NONE);
  checkLength(bounded.length, options.maxModelLen);
  return bounded;
}

/**
 * Tokenizes a prompt, cuts it as asked, and checks that it fits the context.
 * @throws ApiError 400
 */
export async function tokenizePrompt(tokenizer: Tokenizer, text: string, options: TokenizeOptions): Promise<PromptTokens> {
  const bounded = boundText(tokenizer, text, options);
  const { addSpecialTokens, returnOffsets, truncationSide } = options;
  const encoded = returnOffsets ? await tokenizer.encodeWithOffsets(bounded.text, addSpecialTokens) : null;
  const ids = encoded?.ids ?? (await tokenizer.encode(bounded.text, addSpecialTokens));
  const keep = keptTokens(options);
  if (keep === null) {
    checkLength(ids.length, options.maxModelLen);
  }
  const side = truncationSide ?? tokenizer.truncationSide;
  // Without a side of the request's own, the tokenizer cuts, and keeps the tokens that it adds itself.
  const own = keep !== null && truncationSide === null && addSpecialTokens && ids.length > keep ? await ownTokens(tokenizer) : NONE;
  const cut = <T>(list: readonly T[]): T[] => (keep === null ? [...list] : cutList(list, keep, side, own));
  const kept = cut(ids);
  checkLength(kept.length, options.maxModelLen);
  const offsets = encoded === null ? null : cut(encoded.offsets).map(([start, end]): [number, number] => shifted(start, end, bounded.cut));
  return { ids: kept, offsets };
}

/** Offsets in the text as it was before its front was cut off; tokens of no text are `[0, 0]`. */
function shifted(start: number, end: number, by: number): [number, number] {
  return start === 0 && end === 0 ? [0, 0] : [start + by, end + by];
}

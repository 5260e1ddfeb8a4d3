import type { JoiningDecoder } from './token-decoder.ts';
import type { Tokenizer } from './tokenizer.ts';
import { REPLACEMENT } from './utf8.ts';

/** Tokens of the prompt that stand before the output's first token, so that its text comes out as in the middle of a text. */
const CONTEXT = 5;

/**
 * The tokens whose text is still needed: those from `prefixOffset` on are context, those from `readOffset` on have not been given
 * out. Plain JSON with the meaning that the reference gives to `prev_tokens`, `prefix_offset` and `read_offset`.
 */
export interface DetokenizerWindow {
  prevTokens: string[];
  prefixOffset: number;
  readOffset: number;
}

/** Windows of which the last push has settled that nothing more can be given out without a further token. */
const settled = new WeakSet<readonly string[]>();

/**
 * The window before the first output token, standing on the prompt's last seven ids.
 * @param promptTokenIds ids beyond the vocabulary count as empty tokens; an empty prompt gives an empty window
 */
export function seedWindow(tokenizer: Tokenizer, promptTokenIds: readonly number[], skipSpecialTokens: boolean): DetokenizerWindow {
  const prevTokens: string[] = [];
  for (const id of promptTokenIds.slice(-CONTEXT - 2)) {
    if (skipSpecialTokens && tokenizer.allSpecialIds.has(id)) continue;
    prevTokens.push(tokenizer.idToToken(id) ?? '');
  }
  return { prevTokens, prefixOffset: Math.max(prevTokens.length - CONTEXT, 0), readOffset: prevTokens.length };
}

/**
 * Moves the window on by one output token.
 * @returns the text that is certain now: "" while the text ends inside a character or the token has none
 */
export function pushToken(tokenizer: Tokenizer, window: DetokenizerWindow, id: number, skipSpecialTokens: boolean): string {
  const token = newToken(tokenizer, id, skipSpecialTokens);
  const decoder = tokenizer.joiningDecoder;
  if (decoder !== undefined && window.prefixOffset === 0) {
    const text = pushQuickly(decoder, window, token);
    if (text !== undefined) return text;
  }
  return pushDecoding(tokenizer, window, token);
}

/** The raw token of an id, "" where there is none, null where it is hidden. */
function newToken(tokenizer: Tokenizer, id: number, skipSpecialTokens: boolean): string | null {
  if (!(id >= 0 && id < (tokenizer.tokenCount ?? tokenizer.size))) return '';
  if (skipSpecialTokens && tokenizer.allSpecialIds.has(id)) return null;
  return tokenizer.idToToken(id) ?? '';
}

/** Decides without decoding the window; undefined where that cannot be. */
function pushQuickly(decoder: JoiningDecoder, window: DetokenizerWindow, token: string | null): string | undefined {
  const { prevTokens } = window;
  const allRead = window.readOffset === prevTokens.length;
  const text = token === null ? '' : decoder.wholeText(token, true);
  if (text === '') {
    if (!allRead && !settled.has(prevTokens)) return undefined;
    if (token !== null) prevTokens.push(token);
    settled.add(prevTokens);
    return '';
  }
  if (token === null) return undefined;
  if (allRead && text !== null && standsFree(decoder, prevTokens)) {
    window.prevTokens = [token];
    window.readOffset = 1;
    return text;
  }
  prevTokens.push(token);
  if (decoder.endsBroken(prevTokens)) {
    settled.add(prevTokens);
    return '';
  }
  prevTokens.pop();
  return undefined;
}

/** Whether text after these tokens is simply put behind theirs. */
function standsFree(decoder: JoiningDecoder, tokens: readonly string[]): boolean {
  let hasText = false;
  for (const token of tokens) {
    const text = decoder.wholeText(token, false);
    if (text === null) return false;
    if (text !== '') hasText = true;
  }
  return hasText || !decoder.cutsFirstSpace;
}

function pushDecoding(tokenizer: Tokenizer, window: DetokenizerWindow, token: string | null): string {
  const { prefixOffset, readOffset } = window;
  const tokens = token === null ? window.prevTokens : [...window.prevTokens, token];
  const before = tokenizer.tokensToString(tokens.slice(prefixOffset, readOffset));
  const after = tokenizer.tokensToString(tokens.slice(prefixOffset));
  const lengthBefore = codePoints(before);
  const more = codePoints(after) > lengthBefore && !after.endsWith(REPLACEMENT);
  const start = more ? readOffset : prefixOffset;
  window.prevTokens = start === 0 ? tokens : tokens.slice(start);
  window.readOffset = (more ? tokens.length : readOffset) - start;
  window.prefixOffset = 0;
  if (more) return afterCodePoints(after, lengthBefore);
  settled.add(window.prevTokens);
  return '';
}

function codePoints(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    // The second half of a pair counts with the first. Decoded text has no half pairs.
    if (unit < 0xdc00 || unit > 0xdfff) count += 1;
  }
  return count;
}

function afterCodePoints(text: string, count: number): string {
  let index = 0;
  for (let left = count; left > 0 && index < text.length; left -= 1) index += (text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1;
  return text.slice(index);
}

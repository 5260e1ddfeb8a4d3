import { otherWork } from '../core/other-work.ts';
import type { Tokenizer } from './tokenizer.ts';

/** Tokens decoded before other requests get their turn. */
const SLICE = 4096;
/** Characters are spread over four tokens at most; beyond this many in a row without a whole one, the bytes are broken anyway. */
const MOST_PARTS = 64;

/** Whether a token's text is the same whatever stands around it, so that the sequence may be parted behind it. */
function isWhole(tokenizer: Tokenizer, id: number | undefined): boolean {
  const token = id === undefined ? undefined : tokenizer.idToToken(id);
  return token !== undefined && (tokenizer.joiningDecoder?.wholeText(token, true) ?? null) !== null;
}

/** Where the slice that begins at `from` ends: behind a whole token. */
function sliceEnd(tokenizer: Tokenizer, ids: readonly number[], from: number): number {
  const most = Math.min(from + SLICE, ids.length);
  if (most === ids.length) return most;
  for (let end = most; end > most - MOST_PARTS; end -= 1) if (isWhole(tokenizer, ids[end - 1])) return end;
  return ids.length;
}

/**
 * The text of a whole sequence, special tokens included, as `decode` gives it. Long ones are decoded in slices, between which other
 * requests are served, where the tokenizer allows that. Each slice but the first is decoded behind the token before it, since the
 * beginning of a text may be treated in its own way.
 */
export async function decodeInSlices(tokenizer: Tokenizer, ids: readonly number[]): Promise<string> {
  if (!tokenizer.decodesPiecewise) return tokenizer.decode(ids, false);
  let text = '';
  for (let from = 0; from < ids.length;) {
    const end = sliceEnd(tokenizer, ids, from);
    const before = from === 0 ? [] : ids.slice(from - 1, from);
    text += tokenizer.decode([...before, ...ids.slice(from, end)], false).slice(tokenizer.decode(before, false).length);
    from = end;
    if (from < ids.length) await otherWork();
  }
  return text;
}

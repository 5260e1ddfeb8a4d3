import type { Piece } from '../core/stream-parser.ts';
import { pushToken } from '../tokenizer/incremental-detokenizer.ts';
import type { DetokenizerWindow } from '../tokenizer/incremental-detokenizer.ts';
import type { Tokenizer } from '../tokenizer/tokenizer.ts';
import type { DecodingOptions } from './decoding-options.ts';
import type { DerenderEnvironment } from './environment.ts';
import { countingStops, cutPieces } from './stop-hold.ts';
import { findStop } from './stop-search.ts';
import { decideStopToken } from './stop-token.ts';
import type { EngineEnd } from './stop-token.ts';

/** Tokens decoded before other requests get their turn. */
const SLICE = 4096;

/** The text that each id adds; moves the window on. */
export function decodePieces(tokenizer: Tokenizer, ids: readonly number[], window: DetokenizerWindow, skipSpecialTokens: boolean): Piece[] {
  return ids.map((id) => ({ text: pushToken(tokenizer, window, id, skipSpecialTokens), tokenId: tokenizer.isAdded(id) ? id : null }));
}

/** A complete output as text, up to where it ended. */
export interface DecodedOutput {
  pieces: Piece[];
  stopReason: number | string | null;
}

/**
 * Decodes a complete output and cuts it at what ended it: the stop token, or the stop string that is complete first.
 * Long outputs are decoded in slices, between which other requests are served.
 * @param window the prompt's end; it is not changed
 */
export async function decodeOutput(
  { tokenizer, ends }: DerenderEnvironment,
  ids: readonly number[],
  end: EngineEnd,
  options: DecodingOptions,
  window: DetokenizerWindow,
): Promise<DecodedOutput> {
  const { drop, stopReason } = decideStopToken(ids, end, options, ends);
  const kept = drop ? ids.length - 1 : ids.length;
  const own = structuredClone(window);
  const pieces: Piece[] = [];
  for (let from = 0; from < kept; from += SLICE) {
    if (from > 0) await new Promise(setImmediate);
    pieces.push(...decodePieces(tokenizer, ids.slice(from, Math.min(from + SLICE, kept)), own, options.skipSpecialTokens));
  }
  const stops = countingStops(end, options.stop);
  if (stops.length > 0) {
    const guardedTokens = options.minTokens < 0 ? Math.max(0, kept + options.minTokens) : options.minTokens;
    const guarded = pieces.slice(0, guardedTokens).reduce((length, { text }) => length + text.length, 0);
    const match = findStop(pieces.map(({ text }) => text).join(''), stops, guarded);
    if (match) return { pieces: cutPieces(pieces, options.includeStop ? match.end : match.start), stopReason: match.stop };
  }
  // Some formats end a message with the token that stops generation: their parsers see its id.
  const last = ids.at(-1);
  if (drop && last !== undefined) pieces.push({ text: '', tokenId: last });
  return { pieces, stopReason };
}

import type { Piece } from '../core/stream-parser.ts';
import type { DecodingOptions } from './decoding-options.ts';
import { findStop } from './stop-search.ts';
import type { EngineEnd } from './stop-token.ts';

/** UTF-16 length of the pieces' text. */
export function textLength(pieces: readonly Piece[]): number {
  let length = 0;
  for (const { text } of pieces) length += text.length;
  return length;
}

/** The pieces up to a UTF-16 offset of their text; the last one is cut there. */
export function cutPieces(pieces: readonly Piece[], length: number): Piece[] {
  const kept: Piece[] = [];
  let left = length;
  for (const piece of pieces) {
    if (piece.text.length > left) {
      if (left > 0) kept.push({ text: piece.text.slice(0, left), tokenId: null });
      break;
    }
    kept.push(piece);
    left -= piece.text.length;
  }
  return kept;
}

/**
 * Which stop strings count for a complete output: the one that the engine reports, else the request's.
 * None where it ended for another reason or on a token.
 */
export function countingStops({ finishReason, stopReason }: EngineEnd, stop: readonly string[]): readonly string[] {
  if (finishReason !== 'stop' || typeof stopReason === 'number') return [];
  return stopReason === null ? stop : [stopReason];
}

/** What is left of a text at its end. */
export interface TextEnd {
  pieces: Piece[];
  /** The stop string that ended it, or null. */
  stop: string | null;
}

/** Cuts a complete output at the stop string that is complete first behind the first `minTokens` tokens. @param tokens the pieces of each token */
export function cutOutput(tokens: readonly (readonly Piece[])[], end: EngineEnd, options: DecodingOptions): TextEnd {
  const pieces = tokens.flat();
  const stops = countingStops(end, options.stop).filter((stop) => stop !== '');
  if (stops.length === 0) return { pieces, stop: null };
  const guardedTokens = options.minTokens < 0 ? Math.max(0, tokens.length + options.minTokens) : options.minTokens;
  const guarded = textLength(tokens.slice(0, guardedTokens).flat());
  const match = findStop(pieces.map(({ text }) => text).join(''), stops, guarded);
  if (!match) return { pieces, stop: null };
  return { pieces: cutPieces(pieces, options.includeStop ? match.end : match.start), stop: match.stop };
}

import type { Piece } from '../core/stream-parser.ts';
import type { StopHoldMember } from '../protocol/stream-state.ts';
import type { DecodingOptions } from './decoding-options.ts';
import { findStop, stopProspect } from './stop-search.ts';
import type { EngineEnd } from './stop-token.ts';

/** The hold of a stream of which nothing has been seen. */
export function startHold(): StopHoldMember {
  return { pieces: [], tokens: 0, guarded: 0, matched: false };
}

function heldText(hold: StopHoldMember): string {
  return hold.pieces.map(([text]) => text).join('');
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

/** Takes the certain pieces out of the hold. A marker is never parted: parsers know it by its id. */
function release(hold: StopHoldMember, certain: number): Piece[] {
  const released: Piece[] = [];
  let left = certain;
  let taken = 0;
  for (const [text, tokenId] of hold.pieces) {
    if (text.length > left) break;
    if (text !== '' || tokenId !== null) released.push({ text, tokenId });
    left -= text.length;
    taken += 1;
  }
  hold.pieces.splice(0, taken);
  const next = hold.pieces[0];
  if (left > 0 && next && next[1] === null) {
    released.push({ text: next[0].slice(0, left), tokenId: null });
    next[0] = next[0].slice(left);
    left = 0;
  }
  hold.guarded = Math.max(0, hold.guarded - (certain - left));
  return released;
}

/**
 * Adds a chunk's pieces and gives out what can no longer belong to a stop string. Once a stop string is complete all stays held: only the
 * engine's last word tells whether it ended the output.
 */
export function holdBack(hold: StopHoldMember, pieces: readonly Piece[], options: DecodingOptions): Piece[] {
  for (const { text, tokenId } of pieces) {
    hold.pieces.push([text, tokenId]);
    if (hold.tokens >= options.minTokens) continue;
    hold.tokens += 1;
    hold.guarded = heldText(hold).length;
  }
  if (hold.matched) return [];
  const { certain, matched } = stopProspect(heldText(hold), options.stop, hold.guarded);
  hold.matched = matched;
  return release(hold, certain);
}

/** What is left of the text at its end. */
export interface HoldEnd {
  pieces: Piece[];
  /** The stop string that ended the output, or null. */
  stop: string | null;
}

/**
 * Which stop strings count for a complete output: the one that the engine reports, else the request's.
 * None where it ended for another reason or on a token.
 */
export function countingStops({ finishReason, stopReason }: EngineEnd, stop: readonly string[]): readonly string[] {
  if (finishReason !== 'stop' || typeof stopReason === 'number') return [];
  return stopReason === null ? stop : [stopReason];
}

/** Gives out the rest at the end of the output, cut at the stop string that ended it. A reported string counts only if the request has it. */
export function endHold(hold: StopHoldMember, end: EngineEnd, options: DecodingOptions): HoldEnd {
  const stops = countingStops(end, options.stop).filter((stop) => options.stop.includes(stop));
  const pieces = hold.pieces.map(([text, tokenId]): Piece => ({ text, tokenId }));
  const match = findStop(heldText(hold), stops, hold.guarded);
  Object.assign(hold, { ...startHold(), tokens: hold.tokens });
  if (!match) return { pieces, stop: null };
  return { pieces: cutPieces(pieces, options.includeStop ? match.end : match.start), stop: match.stop };
}

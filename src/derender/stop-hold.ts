import type { Piece } from '../core/stream-parser.ts';
import type { StopHoldMember } from '../protocol/stream-state.ts';
import type { DecodingOptions } from './decoding-options.ts';
import { countingStops, cutPieces } from './stop-cut.ts';
import type { TextEnd } from './stop-cut.ts';
import { findStop, stopProspect } from './stop-search.ts';
import type { EngineEnd } from './stop-token.ts';

/** The hold of a stream of which nothing has been seen. */
export function startHold(): StopHoldMember {
  return { pieces: [], tokens: 0, guarded: 0, matched: false };
}

function heldText(hold: StopHoldMember): string {
  return hold.pieces.map(([text]) => text).join('');
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
 * Adds a chunk's pieces, by token, and gives out what can no longer belong to a stop string. Once a stop string is complete all stays held: only the
 * engine's last word tells whether it ended the output.
 */
export function holdBack(hold: StopHoldMember, tokens: readonly (readonly Piece[])[], options: DecodingOptions): Piece[] {
  let length = hold.tokens < options.minTokens ? heldText(hold).length : 0;
  for (const pieces of tokens) {
    for (const { text, tokenId } of pieces) {
      hold.pieces.push([text, tokenId]);
      length += text.length;
    }
    if (hold.tokens >= options.minTokens) continue;
    hold.tokens += 1;
    hold.guarded = length;
  }
  if (hold.matched) return [];
  const { certain, matched } = stopProspect(heldText(hold), options.stop, hold.guarded);
  hold.matched = matched;
  return release(hold, certain);
}

/** All that is held, without a cut. */
export function heldPieces(hold: StopHoldMember): Piece[] {
  return hold.pieces.map(([text, tokenId]) => ({ text, tokenId }));
}

/** Gives out the rest at the end of the output, cut at the stop string that ended it. A reported string counts only if the request has it. */
export function endHold(hold: StopHoldMember, end: EngineEnd, options: DecodingOptions): TextEnd {
  const stops = countingStops(end, options.stop).filter((stop) => options.stop.includes(stop));
  const pieces = heldPieces(hold);
  const match = findStop(heldText(hold), stops, hold.guarded);
  if (!match) return { pieces, stop: null };
  return { pieces: cutPieces(pieces, options.includeStop ? match.end : match.start), stop: match.stop };
}

import type { Piece } from '../core/stream-parser.ts';
import type { GenerateChoice } from '../protocol/generate-response.ts';
import type { StreamState } from '../protocol/stream-state.ts';
import { codePointLength } from '../core/code-points.ts';
import { decodePieces } from './decode-output.ts';
import type { DecodingOptions } from './decoding-options.ts';
import type { DerenderEnvironment } from './environment.ts';
import { endHold, heldPieces, holdBack, startHold } from './stop-hold.ts';
import { decideStopToken, mayBeStopToken } from './stop-token.ts';
import { windowOf, withWindow } from './stream-window.ts';

/** What one chunk's ids add to the text. */
export interface StreamStep {
  /** Pieces that are certain to belong to the answer. */
  pieces: Piece[];
  /** Length in code points of what the ids decode to, held back or not. */
  decodedLength: number;
  stopReason: number | string | null;
}

/**
 * Decodes one chunk's ids and moves the state's window on. With stop strings, text that may belong to one stays in the state until the next chunk
 * or the end decides, and so does an end token whose chunk does not say that it was the end.
 */
export function decodeStep(
  { tokenizer, ends }: DerenderEnvironment,
  state: StreamState,
  choice: GenerateChoice,
  options: DecodingOptions,
): StreamStep {
  const ids = [...(state.held_token === undefined ? [] : [state.held_token]), ...(choice.token_ids ?? [])];
  delete state.held_token;
  const last = ids.at(-1);
  const end = { finishReason: choice.finish_reason, stopReason: choice.stop_reason };
  const finished = end.finishReason !== null;
  const { drop, stopReason } = decideStopToken(ids, end, options, ends);
  const waits = options.stop.length > 0 && !finished && last !== undefined && mayBeStopToken(last, options, ends);
  if (waits) state.held_token = last;

  const window = windowOf(state);
  const tokens = decodePieces(tokenizer, drop || waits ? ids.slice(0, -1) : ids, window, options.skipSpecialTokens);
  withWindow(state, window);
  const pieces = tokens.flat();
  const decodedLength = pieces.reduce((length, { text }) => length + codePointLength(text), 0);
  const stopToken: Piece[] = drop && last !== undefined ? [{ text: '', tokenId: last }] : [];
  const hold = state.stop_hold ?? startHold();
  delete state.stop_hold;
  // A client that left out its stop strings gets what was held for them.
  if (options.stop.length === 0) return { pieces: [...heldPieces(hold), ...pieces, ...stopToken], decodedLength, stopReason };

  const certain = holdBack(hold, tokens, options);
  if (!finished) {
    state.stop_hold = hold;
    return { pieces: certain, decodedLength, stopReason };
  }
  const rest = endHold(hold, end, options);
  if (rest.stop !== null) return { pieces: [...certain, ...rest.pieces], decodedLength, stopReason: rest.stop };
  return { pieces: [...certain, ...rest.pieces, ...stopToken], decodedLength, stopReason };
}

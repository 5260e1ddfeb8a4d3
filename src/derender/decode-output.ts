import type { Piece } from '../core/stream-parser.ts';
import { pushToken } from '../tokenizer/incremental-detokenizer.ts';
import type { DetokenizerWindow } from '../tokenizer/incremental-detokenizer.ts';
import type { Tokenizer } from '../tokenizer/tokenizer.ts';
import type { DecodingOptions } from './decoding-options.ts';
import type { DerenderEnvironment } from './environment.ts';
import { otherWork } from '../core/other-work.ts';
import { cutOutput } from './stop-cut.ts';
import { decideStopToken } from './stop-token.ts';
import type { EngineEnd } from './stop-token.ts';

/** Tokens decoded before other requests get their turn. */
const SLICE = 1024;

/** What one id adds. Text of earlier ids that comes out in front of an added token is a piece of its own, so that the token's text is exactly its own. */
function piecesOf(tokenizer: Tokenizer, id: number, text: string): Piece[] {
  if (!tokenizer.isAdded(id)) return [{ text, tokenId: null }];
  const token = tokenizer.idToToken(id) ?? '';
  if (token === '' || text.length <= token.length || !text.endsWith(token)) return [{ text, tokenId: id }];
  return [
    { text: text.slice(0, -token.length), tokenId: null },
    { text: token, tokenId: id },
  ];
}

/** The pieces that each id adds, mostly one; moves the window on. */
export function decodePieces(
  tokenizer: Tokenizer,
  ids: readonly number[],
  window: DetokenizerWindow,
  skipSpecialTokens: boolean,
): Piece[][] {
  return ids.map((id) => piecesOf(tokenizer, id, pushToken(tokenizer, window, id, skipSpecialTokens)));
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
  const tokens: Piece[][] = [];
  for (let from = 0; from < kept; from += SLICE) {
    if (from > 0) await otherWork();
    tokens.push(...decodePieces(tokenizer, ids.slice(from, Math.min(from + SLICE, kept)), own, options.skipSpecialTokens));
  }
  const { pieces, stop } = cutOutput(tokens, end, options);
  if (stop !== null) return { pieces, stopReason: stop };
  // Some formats end a message with the token that stops generation: their parsers see its id.
  const last = ids.at(-1);
  if (drop && last !== undefined) pieces.push({ text: '', tokenId: last });
  return { pieces, stopReason };
}

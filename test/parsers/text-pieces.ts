import type { Piece } from '../../src/core/stream-parser.ts';
import { addedTokensOf, vocabularyOf } from './vectors.ts';

/** A text as pieces: added tokens of the tokenizer whole, all other text by characters. */
export function piecesOfText(text: string, tokenizer: string): Piece[] {
  const vocabulary = vocabularyOf(tokenizer);
  const tokens = addedTokensOf(tokenizer).sort((a, b) => b.length - a.length);
  const pieces: Piece[] = [];
  for (let at = 0; at < text.length;) {
    const token = tokens.find((candidate) => text.startsWith(candidate, at));
    const piece = token ?? String.fromCodePoint(text.codePointAt(at) ?? 0);
    pieces.push({ text: piece, tokenId: token === undefined ? null : (vocabulary.tokenToId(token) ?? null) });
    at += piece.length;
  }
  return pieces;
}

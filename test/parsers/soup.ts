import fc from 'fast-check';
import type { Piece } from '../../src/core/stream-parser.ts';
import { outputPieces } from './output-groups.ts';
import type { Vector } from './vectors.ts';

/** Signs that parsers may stumble over: quotes, brackets, escapes, halves of tags and of characters. */
const SIGNS = '" \' \\ { } [ ] ( ) < > , : = | / # - . 1 null true 5e {} [[ "} \\u \\ud83d \\" </ ``` 😀 é'
  .split(' ')
  .concat('\n', ' ', '\u2028', '\u0000', '\ud83d');

const text = (written: string): Piece => ({ text: written, tokenId: null });

/** Pieces of a group's outputs, whole and cut, between signs and any characters. */
function soup(vectors: readonly Vector[]): fc.Arbitrary<Piece[]> {
  const known = new Map(vectors.flatMap(outputPieces).map((piece) => [`${piece.tokenId ?? ''} ${piece.text}`, piece]));
  const pieces = [...known.values()];
  const markers = pieces.filter(({ tokenId }) => tokenId !== null);
  const cut = fc.tuple(fc.constantFrom(...pieces), fc.nat(20));
  const piece = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...pieces) },
    { weight: 3, arbitrary: fc.constantFrom(...(markers.length > 0 ? markers : pieces)) },
    { weight: 2, arbitrary: fc.constantFrom(...SIGNS).map(text) },
    { weight: 1, arbitrary: cut.map(([{ text: whole }, at]) => text(whole.slice(0, at % (whole.length + 1)))) },
    { weight: 1, arbitrary: cut.map(([{ text: whole }, at]) => text(whole.slice(at % (whole.length + 1)))) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 5 }).map(text) },
  );
  return fc.array(piece, { maxLength: 40 });
}

/** A part of a recorded output. */
function part(vectors: readonly Vector[], fromStart: boolean): fc.Arbitrary<Piece[]> {
  return fc.tuple(fc.constantFrom(...vectors), fc.nat(300), fc.nat(300)).map(([vector, from, length]) => {
    const pieces = outputPieces(vector);
    const start = fromStart ? 0 : from % (pieces.length + 1);
    return pieces.slice(start, start + (length % (pieces.length + 1)));
  });
}

/** Random text, beginnings of outputs with random text behind, and outputs cut at any token and spliced. */
export function wildOutput(vectors: readonly Vector[]): fc.Arbitrary<Piece[]> {
  return fc.oneof(
    soup(vectors),
    fc.tuple(part(vectors, true), soup(vectors), part(vectors, false)).map((parts) => parts.flat()),
    fc.tuple(part(vectors, true), part(vectors, false), part(vectors, false)).map((parts) => parts.flat()),
  );
}

/** Cuts pieces into chunks of the lengths, which repeat. */
export function chunked(pieces: readonly Piece[], lengths: readonly number[]): Piece[][] {
  const chunks: Piece[][] = [];
  for (let at = 0; at < pieces.length; at += chunks.at(-1)?.length ?? 1) {
    chunks.push(pieces.slice(at, at + (lengths[chunks.length % lengths.length] ?? 1)));
  }
  return chunks.length > 0 ? chunks : [[]];
}

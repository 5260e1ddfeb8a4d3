import type { Piece } from '../core/stream-parser.ts';
import type { Vocabulary } from '../core/vocabulary.ts';

/** Texts that tokenizers have as tokens of their own: signs of markup around something without white space. */
const MARKER = /^[^\p{L}\p{N}\s][^\s]+[^\p{L}\p{N}\s]$/u;
/** Words with the space in front of them, numbers, signs, white space: about what a tokenizer makes of a text. */
const WORDS = / ?[\p{L}_]+| ?\p{N}{1,3}| ?[^\s\p{L}\p{N}_]|\s+/gu;

/**
 * Stands for a tokenizer where there is none: every marker that a parser asks for is a token of its own, and text is parted into such
 * markers and words.
 */
export class TextVocabulary implements Vocabulary {
  private readonly ids = new Map<string, number>();
  private readonly tokens: string[] = [];

  get size(): number {
    return this.tokens.length;
  }

  tokenToId(token: string): number | undefined {
    const known = this.ids.get(token);
    if (known !== undefined || !MARKER.test(token)) return known;
    const id = this.tokens.push(token) - 1;
    this.ids.set(token, id);
    return id;
  }

  idToToken(id: number): string | undefined {
    return this.tokens[id];
  }

  isAdded(id: number): boolean {
    return id < this.tokens.length;
  }

  isSpecial(id: number): boolean {
    return /^<[|｜].*[|｜]>$/u.test(this.tokens[id] ?? '');
  }

  /** The ids of the markers in a text: as much of a prompt as parsers look at. */
  markersIn(text: string): number[] {
    return this.pieces(text).flatMap(({ tokenId }) => (tokenId === null ? [] : [tokenId]));
  }

  /** A text in pieces, by the markers that were asked for until now. */
  pieces(text: string): Piece[] {
    const markers = [...this.tokens].sort((a, b) => b.length - a.length);
    const pieces: Piece[] = [];
    let from = 0;
    for (let at = 0; at < text.length; at += 1) {
      const marker = markers.find((token) => text.startsWith(token, at));
      if (marker === undefined) continue;
      pieces.push(...wordsOf(text.slice(from, at)), { text: marker, tokenId: this.ids.get(marker) ?? null });
      from = at + marker.length;
      at = from - 1;
    }
    return [...pieces, ...wordsOf(text.slice(from))];
  }
}

function wordsOf(text: string): Piece[] {
  return (text.match(WORDS) ?? []).map((word) => ({ text: word, tokenId: null }));
}

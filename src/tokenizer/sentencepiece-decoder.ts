import { fallbackByte } from './byte-fallback-decoder.ts';
import { SPACE_MARKER } from './pipeline-parts.ts';
import type { JoiningDecoder } from './token-decoder.ts';
import { endsWithWholeCharacter, fits, REPLACEMENT, sequenceLength } from './utf8.ts';

/**
 * Decoder of the SentencePiece library itself: in a run of byte pieces, each byte that belongs to no character becomes U+FFFD; one
 * space at the beginning is cut, and also after each piece that is shown as it is.
 */
export class SentencePieceDecoder implements JoiningDecoder {
  readonly cutsFirstSpace = true;
  readonly #hidden: ReadonlySet<string>;
  readonly #shown: ReadonlySet<string>;

  readonly #unknown: { text: string; surface: string };

  /**
   * @param hidden pieces without a text
   * @param shown control pieces that are written out
   * @param unknown the piece for what the vocabulary does not have, and what is written for it
   */
  constructor(hidden: ReadonlySet<string>, shown: ReadonlySet<string>, unknown: { text: string; surface: string }) {
    this.#hidden = hidden;
    this.#shown = shown;
    this.#unknown = unknown;
  }

  decode(tokens: readonly string[]): string {
    let text = '';
    let run: number[] = [];
    let atStart = true;
    for (const token of tokens) {
      const byte = fallbackByte(token);
      if (byte !== undefined) {
        run.push(byte);
        atStart = false;
        continue;
      }
      text += runText(run);
      run = [];
      if (this.#shown.has(token)) {
        text += token;
        atStart = true;
      } else if (!this.#hidden.has(token)) {
        const piece = this.#pieceText(token);
        text += atStart && token.startsWith(SPACE_MARKER) ? piece.slice(1) : piece;
        atStart &&= token === '';
      }
    }
    return text + runText(run);
  }

  wholeText(token: string): string | null {
    if (this.#hidden.has(token)) return '';
    if (this.#shown.has(token) || fallbackByte(token) !== undefined) return null;
    const text = this.#pieceText(token);
    return text.endsWith(REPLACEMENT) ? null : text;
  }

  #pieceText(token: string): string {
    return token === this.#unknown.text ? this.#unknown.surface : token.replaceAll(SPACE_MARKER, ' ');
  }

  endsBroken(tokens: readonly string[]): boolean {
    const last = tokens.at(-1) ?? '';
    if (fallbackByte(last) === undefined) return last.endsWith(REPLACEMENT);
    const tail: number[] = [];
    for (let index = tokens.length - 1; index >= 0 && tail.length < 4; index -= 1) {
      const byte = fallbackByte(tokens[index] ?? '');
      if (byte === undefined) break;
      tail.unshift(byte);
    }
    return !endsWithWholeCharacter(tail) || runText(tail).endsWith(REPLACEMENT);
  }
}

function runText(run: readonly number[]): string {
  let text = '';
  let index = 0;
  while (index < run.length) {
    const lead = run[index] ?? 0;
    let length = sequenceLength(lead);
    for (let offset = 1; offset < length; offset += 1) if (!fits(lead, offset, run[index + offset] ?? 0)) length = 0;
    text += length === 0 ? REPLACEMENT : Buffer.from(run.slice(index, index + length)).toString('utf8');
    index += Math.max(length, 1);
  }
  return text;
}

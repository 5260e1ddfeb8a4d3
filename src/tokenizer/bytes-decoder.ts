import type { JoiningDecoder } from './token-decoder.ts';
import { decodeUtf8, endsWithWholeCharacter, REPLACEMENT } from './utf8.ts';

/** Decoder of vocabularies whose tokens are bytes: all bytes in a row, read as UTF-8. */
export class BytesDecoder implements JoiningDecoder {
  readonly cutsFirstSpace = false;
  readonly #bytesOf: (token: string) => Uint8Array;
  readonly #texts = new Map<string, string | null>();

  /** @param bytesOf the bytes that a token stands for; none for one that has no text */
  constructor(bytesOf: (token: string) => Uint8Array) {
    this.#bytesOf = bytesOf;
  }

  decode(tokens: readonly string[], fromVocabulary = false): string {
    let text = '';
    let bytes: number[] = [];
    for (const token of tokens) {
      const whole = this.wholeText(token, fromVocabulary);
      if (whole === null) {
        bytes.push(...this.#bytesOf(token));
      } else if (bytes.length > 0 && whole !== '') {
        text += decodeUtf8(bytes) + whole;
        bytes = [];
      } else {
        text += whole;
      }
    }
    return bytes.length > 0 ? text + decodeUtf8(bytes) : text;
  }

  wholeText(token: string, fromVocabulary: boolean): string | null {
    const known = this.#texts.get(token);
    if (known !== undefined) return known;
    const text = decodeUtf8(this.#bytesOf(token));
    const whole = text.includes(REPLACEMENT) ? null : text;
    if (fromVocabulary) this.#texts.set(token, whole);
    return whole;
  }

  endsBroken(tokens: readonly string[]): boolean {
    // A whole text begins at a character, so it ends at one.
    if (this.wholeText(tokens.at(-1) ?? '', false)) return false;
    let tail: number[] = [];
    for (let index = tokens.length - 1; index >= 0 && tail.length < 4; index -= 1) {
      tail = [...this.#bytesOf(tokens[index] ?? '').slice(-4), ...tail];
    }
    if (!endsWithWholeCharacter(tail)) return true;
    // The character itself may be U+FFFD.
    return tail.at(-1) === 0xbd && tail.at(-2) === 0xbf && tail.at(-3) === 0xef;
  }
}

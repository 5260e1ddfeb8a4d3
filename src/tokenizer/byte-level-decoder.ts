import { byteLevelBytes } from './byte-level.ts';
import type { JoiningDecoder } from './token-decoder.ts';
import { decodeUtf8, endsWithWholeCharacter, REPLACEMENT } from './utf8.ts';

/** Decoder of byte-level vocabularies: tokens to bytes to text. */
export class ByteLevelDecoder implements JoiningDecoder {
  readonly cutsFirstSpace = false;
  readonly #texts = new Map<string, string | null>();

  decode(tokens: readonly string[]): string {
    let text = '';
    let bytes: number[] = [];
    for (const token of tokens) {
      const whole = this.wholeText(token, false);
      if (whole === null) {
        bytes.push(...byteLevelBytes(token));
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
    const text = decodeUtf8(byteLevelBytes(token));
    const whole = text.includes(REPLACEMENT) ? null : text;
    if (fromVocabulary) this.#texts.set(token, whole);
    return whole;
  }

  endsBroken(tokens: readonly string[]): boolean {
    // A whole text begins at a character, so it ends at one.
    if (this.wholeText(tokens.at(-1) ?? '', false)) return false;
    let tail: number[] = [];
    for (let index = tokens.length - 1; index >= 0 && tail.length < 4; index -= 1) {
      tail = [...byteLevelBytes(tokens[index] ?? '').slice(-4), ...tail];
    }
    if (!endsWithWholeCharacter(tail)) return true;
    // The character itself may be U+FFFD.
    return tail.at(-1) === 0xbd && tail.at(-2) === 0xbf && tail.at(-3) === 0xef;
  }
}

import type { JoiningDecoder } from './token-decoder.ts';
import { decodeUtf8, fits, REPLACEMENT, sequenceLength } from './utf8.ts';

const BYTE_TOKEN = /^<0x([0-9A-Fa-f]{2})>$/;

/** The byte that a token like `<0xE2>` stands for, or undefined. */
export function fallbackByte(token: string): number | undefined {
  if (token.length !== 6 || token.charCodeAt(0) !== 0x3c) return undefined;
  const hex = BYTE_TOKEN.exec(token)?.[1];
  return hex === undefined ? undefined : Number.parseInt(hex, 16);
}

/**
 * Decoder of SentencePiece vocabularies with byte tokens. A run of byte tokens is text if all of it is UTF-8; otherwise each of
 * its bytes becomes U+FFFD.
 */
export class ByteFallbackDecoder implements JoiningDecoder {
  readonly cutsFirstSpace: boolean;
  readonly #replacements: readonly (readonly [string, string])[];
  readonly #texts = new Map<string, string | null>();
  /** Windows whose last run of bytes is broken for good, whatever bytes follow, with their length when that was last seen. */
  readonly #broken = new WeakMap<readonly string[], number>();

  /**
   * @param replacements texts replaced in every token, in order (`▁` by a space)
   * @param cutsFirstSpace whether one space at the beginning of the whole text is cut
   */
  constructor(replacements: readonly (readonly [string, string])[], cutsFirstSpace: boolean) {
    this.#replacements = replacements;
    this.cutsFirstSpace = cutsFirstSpace;
  }

  decode(tokens: readonly string[]): string {
    let text = '';
    let run: number[] = [];
    for (const token of tokens) {
      const byte = fallbackByte(token);
      if (byte !== undefined) {
        run.push(byte);
        continue;
      }
      if (run.length > 0) {
        text += runText(run);
        run = [];
      }
      text += this.#replaced(token);
    }
    if (run.length > 0) text += runText(run);
    return this.cutsFirstSpace && text.startsWith(' ') ? text.slice(1) : text;
  }

  wholeText(token: string, fromVocabulary: boolean): string | null {
    const known = this.#texts.get(token);
    if (known !== undefined) return known;
    const text = fallbackByte(token) === undefined ? this.#replaced(token) : null;
    const whole = text === null || text.endsWith(REPLACEMENT) ? null : text;
    if (fromVocabulary) this.#texts.set(token, whole);
    return whole;
  }

  endsBroken(tokens: readonly string[]): boolean {
    const last = tokens.at(-1) ?? '';
    if (fallbackByte(last) === undefined) return this.#replaced(last).endsWith(REPLACEMENT);
    if (this.#broken.get(tokens) === tokens.length - 1) {
      this.#broken.set(tokens, tokens.length);
      return true;
    }
    const run: number[] = [];
    for (let index = tokens.length - 1; index >= 0; index -= 1) {
      const byte = fallbackByte(tokens[index] ?? '');
      if (byte === undefined) break;
      run.push(byte);
    }
    const end = runEnd(run.reverse());
    if (end === 'broken') this.#broken.set(tokens, tokens.length);
    return end !== 'whole' || decodeUtf8(run).endsWith(REPLACEMENT);
  }

  #replaced(token: string): string {
    let text = token;
    for (const [from, to] of this.#replacements) text = text.replaceAll(from, to);
    return text;
  }
}

function runText(run: readonly number[]): string {
  return runEnd(run) === 'whole' ? decodeUtf8(run) : REPLACEMENT.repeat(run.length);
}

/** How a run of bytes ends as UTF-8: with a whole character, inside one, or broken anywhere. */
function runEnd(run: readonly number[]): 'whole' | 'cut' | 'broken' {
  let index = 0;
  while (index < run.length) {
    const lead = run[index] ?? 0;
    const length = sequenceLength(lead);
    if (length === 0) return 'broken';
    for (let offset = 1; offset < length; offset += 1) {
      const byte = run[index + offset];
      if (byte === undefined) return 'cut';
      if (!fits(lead, offset, byte)) return 'broken';
    }
    index += length;
  }
  return 'whole';
}

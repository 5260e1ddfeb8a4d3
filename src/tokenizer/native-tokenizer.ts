import { Tokenizer } from 'tokenizers';
import { badRequest } from '../core/errors.ts';
import type { WithScratchFile } from '../model/tokenizer-files.ts';
import type { TokenDecoder } from './token-decoder.ts';
import type { EncodingWithOffsets } from './tokenizer.ts';

/** A half of a surrogate pair without its other half: no text that UTF-8 can hold. */
const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * Loads a tokenizer file into the native library, which blocks for a quarter of a second per 100,000 tokens. It goes through a
 * file where there can be one: a string costs the library twice the memory, which it does not give back.
 * @throws Error where the library refuses the file.
 */
export function loadNative(pieces: readonly Uint8Array[], withScratchFile: WithScratchFile | undefined): Tokenizer {
  if (withScratchFile === undefined) return Tokenizer.fromString(Buffer.concat(pieces).toString('utf8'));
  return withScratchFile(pieces, (path) => Tokenizer.fromFile(path));
}

/**
 * Token ids of a text, encoded in a thread of the native library.
 * @throws ApiError (400) for lone surrogates.
 */
export async function encodeNative(tokenizer: Tokenizer, text: string, addSpecialTokens: boolean): Promise<number[]> {
  checkText(text);
  return (await tokenizer.encode(text, null, { addSpecialTokens })).getIds();
}

/**
 * The same with the place of each id in the text, in code points.
 * @throws ApiError (400) for lone surrogates.
 */
export async function encodeNativeWithOffsets(tokenizer: Tokenizer, text: string, addSpecialTokens: boolean): Promise<EncodingWithOffsets> {
  checkText(text);
  const encoding = await tokenizer.encode(text, null, { addSpecialTokens });
  return { ids: encoding.getIds(), offsets: encoding.getOffsets().map(([start = 0, end = 0]): [number, number] => [start, end]) };
}

function checkText(text: string): void {
  if (LONE_SURROGATE.test(text)) throw badRequest('The text holds half of a surrogate pair, which is no character.');
}

/** A tokenizer of the native library without a vocabulary, for one of its parts. */
function emptyNative(part: Readonly<Record<string, unknown>>): Tokenizer {
  const model = { type: 'BPE', vocab: {}, merges: [] };
  return Tokenizer.fromString(JSON.stringify({ version: '1.0', added_tokens: [], ...part, model }));
}

/** The native library's decoder for `decoder` of a tokenizer file; without one, tokens are joined by spaces. */
export function nativeDecoder(decoder: unknown): TokenDecoder {
  const native = decoder === null || decoder === undefined ? null : emptyNative({ decoder }).getDecoder();
  return { decode: (tokens) => native?.decode([...tokens]) ?? tokens.join(' ') };
}

/** What `normalizer` of a tokenizer file makes of a text. */
export function nativeNormalizer(normalizer: unknown): (text: string) => string {
  const native = normalizer === null || normalizer === undefined ? null : emptyNative({ normalizer }).getNormalizer();
  return (text) => native?.normalizeString(text) ?? text;
}

import type { Tokenizer } from '../../../src/tokenizer/tokenizer.ts';

/** A tokenizer whose tokens are the given special ones and the 256 bytes; special tokens in a text are plain text. */
export function createByteTokenizer(specials: readonly string[]): Tokenizer {
  const encode = (text: string): number[] => [...new TextEncoder().encode(text)].map((byte) => specials.length + byte);
  return {
    size: specials.length + 256,
    tokenToId: (token) => (specials.includes(token) ? specials.indexOf(token) : undefined),
    idToToken: (id) => specials[id],
    isAdded: (id) => id < specials.length,
    isSpecial: (id) => id < specials.length,
    allSpecialIds: new Set(specials.keys()),
    specialTokens: {},
    eosTokenId: undefined,
    bosTokenId: undefined,
    leadingSpaceMarker: null,
    truncationSide: 'left',
    encode: async (text) => encode(text),
    encodeWithOffsets: async (text) => ({ ids: encode(text), offsets: [] }),
    decodesPiecewise: false,
    decode: () => '',
    tokensToString: () => '',
  };
}

/** Ids as special tokens by name and text as a list of one. */
export function piecesOf(ids: readonly number[], specials: readonly string[]): (string | [string])[] {
  const pieces: (string | [string])[] = [];
  let bytes: number[] = [];
  const flush = (): void => {
    if (bytes.length > 0) pieces.push([new TextDecoder('utf-8', { ignoreBOM: true }).decode(Uint8Array.from(bytes))]);
    bytes = [];
  };
  for (const id of ids) {
    const special = specials[id];
    if (special === undefined) {
      bytes.push(id - specials.length);
      continue;
    }
    flush();
    pieces.push(special);
  }
  flush();
  return pieces;
}

/** Start of the FNV-1a hash, and what it is multiplied by at each byte. */
const HASH_START = 0x811c9dc5;
const HASH_PRIME = 0x01000193;

/** Finds tokens by their bytes without making a string of each part: a vocabulary has a million pairs to be looked at. */
export class TokenPairFinder {
  readonly #tokens: readonly Uint8Array[];
  /** Place of a token plus one at the slot of its hash, 0 where free; collisions go to the next slot. */
  readonly #slots: Int32Array;
  readonly #mask: number;

  constructor(tokens: readonly Uint8Array[]) {
    this.#tokens = tokens;
    const size = 2 ** Math.ceil(Math.log2(Math.max(tokens.length, 1) * 2));
    this.#slots = new Int32Array(size);
    this.#mask = size - 1;
    for (const [place, token] of tokens.entries()) {
      let slot = hashOf(token, 0, token.length) & this.#mask;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & this.#mask;
      this.#slots[slot] = place + 1;
    }
  }

  /** All ways to make a token out of two others: their places. */
  pairs(token: Uint8Array): [left: number, right: number][] {
    const found: [number, number][] = [];
    let hash = HASH_START;
    for (let cut = 1; cut < token.length; cut += 1) {
      hash = Math.imul(hash ^ (token[cut - 1] ?? 0), HASH_PRIME);
      const left = this.#find(token, 0, cut, hash);
      if (left < 0) continue;
      const right = this.#find(token, cut, token.length, hashOf(token, cut, token.length));
      if (right >= 0) found.push([left, right]);
    }
    return found;
  }

  #find(bytes: Uint8Array, start: number, end: number, hash: number): number {
    for (let slot = hash & this.#mask; ; slot = (slot + 1) & this.#mask) {
      const place = (this.#slots[slot] ?? 0) - 1;
      if (place < 0 || equal(this.#tokens[place], bytes, start, end)) return place;
    }
  }
}

function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = HASH_START;
  for (let index = start; index < end; index += 1) hash = Math.imul(hash ^ (bytes[index] ?? 0), HASH_PRIME);
  return hash;
}

function equal(token: Uint8Array | undefined, bytes: Uint8Array, start: number, end: number): boolean {
  if (token?.length !== end - start) return false;
  for (let index = 0; index < token.length; index += 1) if (token[index] !== bytes[start + index]) return false;
  return true;
}

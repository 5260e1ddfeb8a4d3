/** What is shown for bytes that are no character. */
export const REPLACEMENT = '\ufffd';

/**
 * Whether the bytes end with a whole character: false where the last one is cut off or no character at all. Looks at the last
 * four bytes only.
 */
export function endsWithWholeCharacter(bytes: readonly number[] | Uint8Array): boolean {
  let start = bytes.length - 1;
  while (start >= 0 && bytes.length - start < 4 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start -= 1;
  return start >= 0 && isOneCharacter(bytes, start);
}

/** Whether the bytes from `start` on are exactly one character. */
function isOneCharacter(bytes: readonly number[] | Uint8Array, start: number): boolean {
  const lead = bytes[start] ?? 0;
  const length = sequenceLength(lead);
  if (length !== bytes.length - start) return false;
  for (let index = 1; index < length; index += 1) if (!fits(lead, index, bytes[start + index] ?? 0)) return false;
  return true;
}

/** Number of bytes of the character that a byte begins; 0 for a byte that begins none. */
export function sequenceLength(lead: number): number {
  if (lead < 0x80) return 1;
  if (lead >= 0xc2 && lead <= 0xdf) return 2;
  if (lead >= 0xe0 && lead <= 0xef) return 3;
  return lead >= 0xf0 && lead <= 0xf4 ? 4 : 0;
}

/** Whether a byte can be the one at `index` (1 to 3) of a character that begins with `lead`. */
export function fits(lead: number, index: number, byte: number): boolean {
  if ((byte & 0xc0) !== 0x80) return false;
  if (index !== 1) return true;
  if (lead === 0xe0) return byte >= 0xa0;
  if (lead === 0xed) return byte <= 0x9f;
  if (lead === 0xf0) return byte >= 0x90;
  return lead !== 0xf4 || byte <= 0x8f;
}

/** Text of bytes; every broken or cut-off character becomes one U+FFFD. */
export function decodeUtf8(bytes: Uint8Array | readonly number[]): string {
  return Buffer.from(bytes as Uint8Array).toString('utf8');
}

/**
 * The alphabet of byte-level vocabularies (GPT-2): each byte has a printable character. Bytes that are printable stand for
 * themselves, the others follow in order from U+0100.
 */

/** Byte to character. */
const BYTE_CHARACTERS: readonly string[] = makeCharacters();
/** UTF-16 code unit to byte, -1 where the character stands for none. */
const BYTES_BY_CODE: Int16Array = makeBytes();

function makeCharacters(): string[] {
  let next = 0x100;
  return Array.from({ length: 256 }, (_, byte) => {
    const printable = (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || byte >= 0xae;
    return String.fromCharCode(printable ? byte : next++);
  });
}

function makeBytes(): Int16Array {
  const bytes = new Int16Array(0x200).fill(-1);
  for (const [byte, character] of BYTE_CHARACTERS.entries()) bytes[character.charCodeAt(0)] = byte;
  return bytes;
}

/** The bytes that a token stands for. A token with a character outside the alphabet stands for its own text. */
export function byteLevelBytes(token: string): Uint8Array {
  const bytes = new Uint8Array(token.length);
  for (let index = 0; index < token.length; index += 1) {
    const byte = BYTES_BY_CODE[token.charCodeAt(index)] ?? -1;
    if (byte < 0) return Buffer.from(token, 'utf8');
    bytes[index] = byte;
  }
  return bytes;
}

/** The token that stands for bytes. */
export function byteLevelToken(bytes: Uint8Array): string {
  let token = '';
  for (const byte of bytes) token += BYTE_CHARACTERS[byte] ?? '';
  return token;
}

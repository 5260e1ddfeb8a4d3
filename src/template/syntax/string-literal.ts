const SIMPLE: Record<string, string> = {
  '\n': '',
  '\\': '\\',
  "'": "'",
  '"': '"',
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};
const HEXADECIMAL: Record<string, { readonly digits: number; readonly name: string }> = {
  x: { digits: 2, name: String.raw`\xXX` },
  u: { digits: 4, name: String.raw`\uXXXX` },
  U: { digits: 8, name: String.raw`\UXXXXXXXX` },
};

/** A character beyond ASCII, written as an escape without its backslash. */
function asEscape(character: string): string {
  const code = character.codePointAt(0) as number;
  const hexadecimal = code.toString(16);
  if (code < 0x100) return `x${hexadecimal.padStart(2, '0')}`;
  return code < 0x10000 ? `u${hexadecimal.padStart(4, '0')}` : `U${hexadecimal.padStart(8, '0')}`;
}

/**
 * Resolves Python's escapes in the text between the quotes of a string.
 *
 * @throws RangeError with Python's message where an escape is malformed.
 */
export function unescapeString(body: string): string {
  if (!body.includes('\\')) return body;
  return body.replaceAll(
    /\\(?:([0-7]{1,3})|(x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})|(.))/gsu,
    (whole: string, octal?: string, hexadecimal?: string, other?: string) => {
      if (octal !== undefined) return String.fromCodePoint(Number.parseInt(octal, 8));
      if (hexadecimal !== undefined) {
        const code = Number.parseInt(hexadecimal.slice(1), 16);
        if (code > 0x10ffff) throw new RangeError('illegal Unicode character');
        return String.fromCodePoint(code);
      }
      const character = other as string;
      const truncated = HEXADECIMAL[character];
      if (truncated !== undefined) throw new RangeError(`truncated ${truncated.name} escape`);
      // The names of characters are not at hand.
      if (character === 'N') throw new RangeError('unknown Unicode character name');
      // Python turns what is not ASCII into escapes first, so that a backslash in front of it escapes only that escape's backslash.
      if (character > '\x7f') return `\\${asEscape(character)}`;
      return SIMPLE[character] ?? whole;
    },
  );
}

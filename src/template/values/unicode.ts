/** What Python knows about single characters and JavaScript's regular expressions and case mappings do not say in the same way. */

// Assigned after Unicode 14, the version of Python 3.11: Python prints them escaped. Ranges in hexadecimal.
const NEWER =
  '88f 897 c5c cdc cf3 ece 1acf-1add 1ae0-1aeb 1b4e-1b4f 1b7f 1c89-1c8a 20c1 2427-2429 2b96 2ffc-2fff 31e4-31e5 31ef a7cb-a7cf a7d2 a7d4 a7da-a7dc a7f1 ' +
  'fbc3-fbd2 fd90-fd91 fdc8-fdce 105c0-105f3 10940-10959 10d40-10d65 10d69-10d85 10d8e-10d8f 10ec2-10ec7 10ed0-10ed8 10efa-10eff 1123f-11241 ' +
  '11380-11389 1138b 1138e 11390-113b5 113b7-113c0 113c2 113c5 113c7-113ca 113cc-113d5 113d7-113d8 113e1-113e2 116d0-116e3 11b00-11b09 11b60-11b67 ' +
  '11bc0-11be1 11bf0-11bf9 11db0-11ddb 11de0-11de9 11f00-11f10 11f12-11f3a 11f3e-11f5a 1342f 13439-13455 13460-143fa 16100-16139 16d40-16d79 ' +
  '16ea0-16eb8 16ebb-16ed3 16ff2-16ff6 187f8-187ff 18cff 18d09-18d1e 18d80-18df2 1b132 1b155 1cc00-1ccfc 1cd00-1ceb3 1ceba-1ced0 1cee0-1cef0 ' +
  '1d2c0-1d2d3 1df25-1df2a 1e030-1e06d 1e08f 1e4d0-1e4f9 1e5d0-1e5fa 1e5ff 1e6c0-1e6de 1e6e0-1e6f5 1e6fe-1e6ff 1f6d8 1f6dc 1f774-1f77f 1f7d9 ' +
  '1f8b2-1f8bb 1f8c0-1f8c1 1f8d0-1f8d8 1fa54-1fa57 1fa75-1fa77 1fa87-1fa8a 1fa8e-1fa8f 1faad-1faaf 1fabb-1fabf 1fac6 1fac8 1facd-1facf 1fada-1fadc ' +
  '1fadf 1fae8-1faea 1faef 1faf7-1faf8 1fbcb-1fbef 1fbfa 2b739-2b73f 2cea2-2cead 2ebf0-2ee5d 31350-33479';

// Numeric_Type=Digit without being decimal digits: superscripts, circled digits and their like.
const DIGITS =
  'b2-b3 b9 1369-1371 19da 2070 2074-2079 2080-2089 2460-2468 2474-247c 2488-2490 24ea 24f5-24fd 24ff 2776-277e 2780-2788 278a-2792 10a40-10a43 10e60-10e68 ' +
  '11052-1105a 1f100-1f10a';

// Ideographs that stand for numbers: letters by category, numeric by value.
const NUMERIC_LETTERS =
  '3405 3483 382a 3b4d 4e00 4e03 4e07 4e09 4e5d 4e8c 4e94 4e96 4ebf-4ec0 4edf 4ee8 4f0d 4f70 5104 5146 5169 516b 516d 5341 5343-5345 534c 53c1-53c4 56db ' +
  '58f1 58f9 5e7a 5efe-5eff 5f0c-5f0e 5f10 62fe 634c 67d2 6f06 7396 767e 8086 842c 8cae 8cb3 8d30 9621 9646 964c 9678 96f6 f96b f973 f978 f9b2 f9d1 f9d3 f9fd ' +
  '20001 20064 200e2 20121 2092a 20983 2098c 2099c 20aea 20afd 20b19 22390 22998 23b1b 2626d 2f890';

function characterClass(ranges: string): string {
  return ranges.replaceAll(/[0-9a-f]+/g, String.raw`\u{$&}`).replaceAll(' ', '');
}

const NOT_PRINTABLE = new RegExp(`[\\p{C}\\p{Zl}\\p{Zp}${characterClass(NEWER)}]|(?! )\\p{Zs}`, 'u');
const DIGIT = new RegExp(`[\\p{Nd}${characterClass(DIGITS)}]`, 'u');
const NUMERIC = new RegExp(`[\\p{N}${characterClass(NUMERIC_LETTERS)}]`, 'u');

/** Tests of one character (a code point as a string), by the name of the `str` method that asks them of every one. */
export const characterTests = {
  printable: (character: string): boolean => !NOT_PRINTABLE.test(character),
  alpha: (character: string): boolean => /\p{L}/u.test(character),
  decimal: (character: string): boolean => /\p{Nd}/u.test(character),
  digit: (character: string): boolean => DIGIT.test(character),
  numeric: (character: string): boolean => NUMERIC.test(character),
  alnum: (character: string): boolean => /\p{L}/u.test(character) || NUMERIC.test(character),
  lower: (character: string): boolean => /\p{Lowercase}/u.test(character) && !/[\u10fc\ua7f2-\ua7f4\uab69]/.test(character),
  upper: (character: string): boolean => /\p{Uppercase}/u.test(character),
  title: (character: string): boolean => /\p{Lt}/u.test(character),
} as const;

/** @returns whether the character has case. */
export function isCased(character: string): boolean {
  return characterTests.lower(character) || characterTests.upper(character) || characterTests.title(character);
}

const IDENTIFIER = /^[_\p{XIDS}][\p{XIDC}]*$/u;

/** @returns Python's `str.isidentifier()`. */
export function isIdentifier(text: string): boolean {
  return IDENTIFIER.test(text) && !/\u200c|\u200d|\u30fb|\uff65/.test(text);
}

/** @returns the character in title case, which differs from upper case for digraphs, ligatures, Georgian and Greek with iota. */
export function toTitleCase(character: string): string {
  const code = character.codePointAt(0) as number;
  if (code >= 0x01c4 && code <= 0x01cc) return String.fromCharCode(code <= 0x01c6 ? 0x01c5 : code <= 0x01c9 ? 0x01c8 : 0x01cb);
  if (code >= 0x01f1 && code <= 0x01f3) return 'ǲ';
  if (code >= 0x10d0 && code <= 0x10ff) return character;
  if (code >= 0x1f80 && code <= 0x1faf) return String.fromCharCode(code | 8);
  const upper = character.toUpperCase();
  if (upper.length === 1 || upper === character || code > 0xffff || code === 0x0149) return upper;
  if (code >= 0x1fb0 && code <= 0x1fff && upper.endsWith('Ι')) return withIota(code, upper);
  // What grows when capitalised (ß, ﬁ) keeps only its first letter high; combining marks have no lower case.
  return (upper[0] as string) + upper.slice(1).toLowerCase();
}

function withIota(code: number, upper: string): string {
  const single: Record<number, string> = {
    0x1fb3: '\u1fbc',
    0x1fbc: '\u1fbc',
    0x1fc3: '\u1fcc',
    0x1fcc: '\u1fcc',
    0x1ff3: '\u1ffc',
    0x1ffc: '\u1ffc',
  };
  return single[code] ?? `${upper.slice(0, -1)}\u0345`;
}

/** @returns the character as `str.casefold` has it. */
export function foldCase(character: string): string {
  const code = character.codePointAt(0) as number;
  if (code === 0x0131 || (code >= 0x13a0 && code <= 0x13f5)) return character;
  if (code === 0x1e9e) return 'ss';
  const folded = character.toUpperCase().toLowerCase();
  // Cherokee folds to its capitals.
  return (code >= 0x13f8 && code <= 0x13fd) || (code >= 0xab70 && code <= 0xabbf) ? folded.toUpperCase() : folded;
}

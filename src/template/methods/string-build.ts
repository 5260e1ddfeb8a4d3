import { charge, checkLength, reserve } from '../budget.ts';
import { PythonError, typeError, valueError } from '../errors.ts';
import type { Arguments } from '../values/callable.ts';
import { Dict } from '../values/dict.ts';
import { indexArgument, method, optionalIndex, stringArgument, type Method } from '../values/method.ts';
import { codePointLength, codePoints } from '../values/text.ts';
import { typeName } from '../values/type-name.ts';
import { Bytes, type Value } from '../values/value.ts';
import { countOccurrences } from './string-search.ts';

/** @returns Python's `text.replace(old, replacement, count)`; a negative count is none. */
export function replace(text: string, old: string, replacement: string, count: number): string {
  const occurrences = countOccurrences(text, old);
  const changed = count < 0 ? occurrences : Math.min(count, occurrences);
  if (changed === 0) return text;
  reserve(text.length + changed * Math.max(0, replacement.length - old.length));
  charge(text.length / 32 + changed);
  if (old === '') return replaceEmpty(text, replacement, changed);
  const parts = text.split(old);
  if (changed === occurrences) return parts.join(replacement);
  return [...parts.slice(0, changed), parts.slice(changed).join(old)].join(replacement);
}

function replaceEmpty(text: string, replacement: string, count: number): string {
  const characters = codePoints(text);
  let out = '';
  for (let index = 0; index <= characters.length; index += 1) out += (index < count ? replacement : '') + (characters[index] ?? '');
  return out;
}

function fillCharacter(value: Value | undefined): string {
  if (value === undefined) return ' ';
  const fill = stringArgument(value, 'The fill character');
  if (codePointLength(fill) !== 1) throw typeError('The fill character must be exactly one character long');
  return fill;
}

function pad(text: string, width: Value | undefined, fill: string, share: (missing: number, width: number) => number): string {
  const wanted = indexArgument(width as Value);
  const missing = wanted - codePointLength(text);
  if (missing <= 0) return text;
  reserve((text.length + missing) * fill.length);
  const left = share(missing, wanted);
  return fill.repeat(left) + text + fill.repeat(missing - left);
}

/** @returns Python's `text.center(width)`, whose odd blank goes left or right with the width. */
export function center(text: string, width: Value, fill: string): string {
  return pad(text, width, fill, (missing, wanted) => Math.floor(missing / 2) + (missing & wanted & 1));
}

function zeroFill(text: string, width: Value | undefined): string {
  const sign = /^[+-]/.exec(text)?.[0] ?? '';
  const wanted = indexArgument(width as Value) - sign.length;
  return sign + pad(text.slice(sign.length), wanted, '0', (missing) => missing);
}

function expandTabs(text: string, size: Value | undefined): string {
  const width = optionalIndex(size, 8);
  reserve(text.length + countOccurrences(text, '\t') * Math.max(0, width));
  let column = 0;
  let out = '';
  for (const character of codePoints(text)) {
    if (character === '\t') {
      const blanks = width > 0 ? width - (column % width) : 0;
      out += ' '.repeat(blanks);
      column += blanks;
    } else {
      out += character;
      column = character === '\n' || character === '\r' ? 0 : column + 1;
    }
  }
  return out;
}

function makeTable([from, to, dropped]: Arguments): Dict {
  if (to === undefined) {
    if (!(from instanceof Dict)) throw typeError('if you give only one argument to maketrans it must be a dict');
    return Dict.from(from.entries().map(([key, value]) => [typeof key === 'string' ? codeOf(key) : key, value]));
  }
  const keys = codePoints(stringArgument(from, 'first maketrans argument'));
  const values = codePoints(stringArgument(to, 'second maketrans argument'));
  if (keys.length !== values.length) throw valueError('the first two maketrans arguments must have equal length');
  const table = Dict.from(keys.map((key, index) => [codeOf(key), codeOf(values[index] as string)]));
  for (const key of codePoints(dropped === undefined ? '' : stringArgument(dropped, 'third maketrans argument')))
    table.set(codeOf(key), null);
  return table;
}

function codeOf(character: string): number {
  if (codePointLength(character) !== 1) throw valueError('string keys in translate table must be of length 1');
  return character.codePointAt(0) as number;
}

function translate(text: string, table: Value | undefined): string {
  if (!(table instanceof Dict)) throw typeError(`'${typeName(table as Value)}' object is not a translation table`);
  let out = '';
  for (const character of codePoints(text)) {
    const mapped = table.get(codeOf(character));
    if (mapped === undefined) out += character;
    else if (typeof mapped === 'number') out += String.fromCodePoint(mapped);
    else if (mapped !== null) out += stringArgument(mapped, 'character mapping');
    checkLength(out.length);
  }
  return out;
}

// The encodings with a byte a character, and the last character that each has.
const HIGHEST_CODE = new Map([
  ['ascii', 0x7f],
  ['us-ascii', 0x7f],
  ['latin-1', 0xff],
  ['latin1', 0xff],
  ['iso-8859-1', 0xff],
]);

function encode(text: string, encoding: Value | undefined, errors: Value | undefined): Bytes {
  const name = (encoding === undefined ? 'utf-8' : stringArgument(encoding, "encode() argument 'encoding'"))
    .toLowerCase()
    .replaceAll('_', '-');
  const mode = errors === undefined ? 'strict' : stringArgument(errors, "encode() argument 'errors'");
  reserve(text.length * 3);
  if (name === 'utf-8' || name === 'utf8') {
    if (/\p{Surrogate}/u.test(text))
      throw new PythonError('UnicodeEncodeError', "'utf-8' codec can't encode character: surrogates not allowed");
    return new Bytes(new TextEncoder().encode(text));
  }
  const highest = HIGHEST_CODE.get(name);
  if (highest === undefined) throw new PythonError('LookupError', `unknown encoding: ${name}`);
  const codes = codePoints(text).map((character) => character.codePointAt(0) as number);
  const fitting =
    mode === 'ignore' ? codes.filter((code) => code <= highest) : codes.map((code) => (mode === 'replace' && code > highest ? 0x3f : code));
  if (fitting.some((code) => code > highest))
    throw new PythonError('UnicodeEncodeError', `'${name}' codec can't encode character: ordinal not in range(${highest + 1})`);
  return new Bytes(Uint8Array.from(fitting));
}

/** Methods of `str` that build another text. */
export const buildMethods: Record<string, Method<string>> = {
  replace: method('replace', 'old new count?', (self, [old, replacement, count]) =>
    replace(
      self,
      stringArgument(old, 'replace() argument 1'),
      stringArgument(replacement, 'replace() argument 2'),
      optionalIndex(count, -1),
    ),
  ),
  center: method('center', 'width fillchar?', (self, [width, fill]) => center(self, width as Value, fillCharacter(fill))),
  ljust: method('ljust', 'width fillchar?', (self, [width, fill]) => pad(self, width, fillCharacter(fill), () => 0)),
  rjust: method('rjust', 'width fillchar?', (self, [width, fill]) => pad(self, width, fillCharacter(fill), (missing) => missing)),
  zfill: method('zfill', 'width', (self, [width]) => zeroFill(self, width)),
  expandtabs: method('expandtabs', 'tabsize?', (self, [size]) => expandTabs(self, size), true),
  maketrans: method('maketrans', 'x y? z?', (_self, args) => makeTable(args)),
  translate: method('translate', 'table', (self, [table]) => translate(self, table)),
  encode: method('encode', 'encoding? errors?', (self, [encoding, errors]) => encode(self, encoding, errors), true),
};

/** Strings by code points: Python counts those, JavaScript counts UTF-16 code units. Texts without surrogates take the short way. */

import { charge, reserveItems } from '../budget.ts';

const SURROGATE = /[\ud800-\udfff]/;

/** @returns whether every code unit of the text is a code point of its own. */
export function isPlain(text: string): boolean {
  charge(text.length / 64);
  return !SURROGATE.test(text);
}

/** @returns Python's `len(text)`. */
export function codePointLength(text: string): number {
  if (isPlain(text)) return text.length;
  let pairs = 0;
  for (let index = 1; index < text.length; index += 1) {
    if ((text.charCodeAt(index) & 0xfc00) === 0xdc00 && (text.charCodeAt(index - 1) & 0xfc00) === 0xd800) pairs += 1;
  }
  return text.length - pairs;
}

/** @returns the text's code points, each as a string. */
export function codePoints(text: string): string[] {
  return isPlain(text) ? text.split('') : Array.from(text);
}

/** @returns the code point at `index` (from the end where negative), or undefined outside the text. */
export function codePointAt(text: string, index: number): string | undefined {
  if (isPlain(text)) return text[index < 0 ? text.length + index : index];
  charge(Math.min(Math.abs(index), text.length) / 16);
  const offset = index < 0 ? unitOffsetFromEnd(text, -index) : unitOffset(text, index);
  return offset === undefined || offset >= text.length ? undefined : String.fromCodePoint(text.codePointAt(offset) as number);
}

/** @returns the UTF-16 offset of code point number `index`, which lies within the text. */
export function unitOffset(text: string, index: number): number {
  if (isPlain(text)) return index;
  let offset = 0;
  for (let passed = 0; passed < index && offset < text.length; passed += 1) offset += (text.codePointAt(offset) as number) > 0xffff ? 2 : 1;
  return offset;
}

/** @returns the UTF-16 offset of the code point that is number `count` from the end, or undefined where the text is shorter. */
function unitOffsetFromEnd(text: string, count: number): number | undefined {
  let offset = text.length;
  for (let passed = 0; passed < count; passed += 1) {
    if (offset === 0) return undefined;
    const isPair = (text.charCodeAt(offset - 1) & 0xfc00) === 0xdc00 && (text.charCodeAt(offset - 2) & 0xfc00) === 0xd800;
    offset -= isPair ? 2 : 1;
  }
  return offset;
}

/** @returns `text[start:stop]` in code points, both within the text. */
export function codePointSlice(text: string, start: number, stop: number): string {
  if (isPlain(text)) return text.slice(start, stop);
  const from = unitOffset(text, start);
  return text.slice(from, from + unitOffset(text.slice(from), Math.max(0, stop - start)));
}

/** @returns a negative number, 0 or a positive one, as `left` sorts before, with or after `right` by code points. */
export function compareText(left: string, right: string): number {
  if (left === right) return 0;
  const shared = Math.min(left.length, right.length);
  for (let index = 0; index < shared; index += 1) {
    const a = left.charCodeAt(index);
    const b = right.charCodeAt(index);
    if (a === b) continue;
    // A surrogate stands for a code point above all others, but its code unit lies below U+E000.
    const aHigh = (a & 0xf800) === 0xd800;
    const bHigh = (b & 0xf800) === 0xd800;
    return aHigh === bHigh ? a - b : Number(aHigh) - Number(bHigh);
  }
  return left.length - right.length;
}

/** White space to Python, for the brackets of a regular expression: another set than JavaScript's `\s`. */
export const SPACES: string = String.raw`\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000`;

/** @returns whether a code unit is white space to Python (`str.isspace`). */
export function isSpace(unit: number): boolean {
  if (unit < 0x80) return unit === 0x20 || (unit >= 0x09 && unit <= 0x0d) || (unit >= 0x1c && unit <= 0x1f);
  if (unit === 0x85 || unit === 0xa0 || unit === 0x1680) return true;
  return (unit >= 0x2000 && unit <= 0x200a) || unit === 0x2028 || unit === 0x2029 || unit === 0x202f || unit === 0x205f || unit === 0x3000;
}

/** @returns the text without white space at its start. */
export function trimStart(text: string): string {
  let start = 0;
  while (start < text.length && isSpace(text.charCodeAt(start))) start += 1;
  return text.slice(start);
}

/** @returns the text without white space at its end. */
export function trimEnd(text: string): string {
  let end = text.length;
  while (end > 0 && isSpace(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** @returns the text's lines, at every line boundary that Python's `str.splitlines` knows. */
export function splitLines(text: string, keepEnds: boolean): string[] {
  const lines: string[] = [];
  let start = 0;
  for (const match of text.matchAll(/\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]/g)) {
    lines.push(text.slice(start, keepEnds ? match.index + match[0].length : match.index));
    start = match.index + match[0].length;
  }
  if (start < text.length) lines.push(text.slice(start));
  reserveItems(lines.length);
  return lines;
}

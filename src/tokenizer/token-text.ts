import type { Tokenizer } from './tokenizer.ts';
import { REPLACEMENT } from './utf8.ts';

/** What logprobs show of one token. */
export interface TokenText {
  text: string;
  /** UTF-8 of the text; null for ids that the vocabulary does not have. */
  bytes: number[] | null;
}

/** Text of a single token, with the space in front that decoding cuts off at the beginning of a text. */
export function tokenText(tokenizer: Tokenizer, id: number): TokenText {
  const token = tokenizer.idToToken(id);
  if (token === undefined) return { text: '', bytes: null };
  const decoded = tokenizer.decode([id], false);
  const text = tokenizer.leadingSpaceMarker === null ? decoded : withLeadingSpaces(token, decoded, tokenizer.leadingSpaceMarker);
  return { text, bytes: utf8Bytes(text) };
}

function utf8Bytes(text: string): number[] {
  const buffer = Buffer.from(text, 'utf8');
  const bytes: number[] = [];
  for (let index = 0; index < buffer.length; index += 1) bytes.push(buffer[index] ?? 0);
  return bytes;
}

/** As many spaces in front as the raw token has markers there. */
function withLeadingSpaces(token: string, text: string, marker: string): string {
  let markers = 0;
  while (token.startsWith(marker, markers * marker.length)) markers += 1;
  const spaces = text.length - text.replace(/^ +/, '').length;
  return ' '.repeat(Math.max(markers - spaces, 0)) + text;
}

/**
 * Text of a token that by itself ends inside a character: what it adds to the tokens before it, those parts of the character that
 * had no text of their own included. "" while the character is not complete.
 * @param context ids of the sampled tokens before it; the last four count
 */
export function repairedText(tokenizer: Tokenizer, id: number, context: readonly number[]): string {
  for (let count = 1; count <= Math.min(context.length, 4); count += 1) {
    const before = context.slice(-count);
    const all = tokenizer.decode([...before, id], false);
    if (all.endsWith(REPLACEMENT)) continue;
    let whole = before.length;
    while (whole > 0 && tokenizer.decode(before.slice(whole - 1, whole), false).endsWith(REPLACEMENT)) whole -= 1;
    const prefix = whole > 0 ? tokenizer.decode(before.slice(0, whole), false) : '';
    return all.slice(commonLength(prefix, all));
  }
  return '';
}

/** UTF-16 length of what both texts begin with, in whole characters. */
function commonLength(a: string, b: string): number {
  let length = 0;
  for (const character of a) {
    if (!b.startsWith(character, length)) break;
    length += character.length;
  }
  return length;
}

import { z } from 'zod';
import { heldTail } from './marker-scan.ts';

/**
 * Recovers newlines that a model writes as a backslash and an `n`. Code, inline code, formulas and doubled backslashes keep theirs.
 */
export interface EscapedNewlines {
  /** What ends the code or formula that is open, if one is. */
  closing: string | null;
  /** The beginning of an escape or marker. */
  held: string;
}

export const escapedNewlinesState: z.ZodType<EscapedNewlines> = z.object({ closing: z.string().nullable(), held: z.string() });

/** What begins code or a formula, and what ends it; a longer one before its beginning. */
const SPANS: readonly (readonly [string, string])[] = [
  ['```', '```'],
  ['`', '`'],
  ['$$', '$$'],
  ['$', '$'],
  ['\\(', '\\)'],
  ['\\[', '\\]'],
];

const NEWLINES = ['\\r\\n', '\\n', '\\r'];

/** Reads the escape or span at the beginning of `text`; null where more must come first. */
function readMark(text: string): { length: number; written: string; closing: string | null } | null {
  const slashes = /^\\*/.exec(text)?.[0].length ?? 0;
  // A run of backslashes stays as it is, and may still grow.
  if (slashes > 1) return slashes === text.length ? null : { length: slashes, written: text.slice(0, slashes), closing: null };
  const mayGrow = ['`', '``', '$', '\\', '\\r', '\\r\\'].includes(text);
  if (mayGrow) return null;
  const newline = NEWLINES.find((escape) => text.startsWith(escape));
  if (newline !== undefined) return { length: newline.length, written: '\n', closing: null };
  const span = SPANS.find(([begin]) => text.startsWith(begin));
  if (span) return { length: span[0].length, written: span[0], closing: span[1] };
  return { length: 1, written: text.slice(0, 1), closing: null };
}

/** @returns the text to give out; what may change with more text is held */
export function recoverNewlines(state: EscapedNewlines, text: string): string {
  const all = state.held + text;
  state.held = '';
  let out = '';
  let at = 0;
  while (at < all.length) {
    if (state.closing !== null) {
      const end = all.indexOf(state.closing, at);
      if (end === -1) {
        const kept = all.length - heldTail(all.slice(at), state.closing);
        state.held = all.slice(kept);
        return out + all.slice(at, kept);
      }
      out += all.slice(at, end + state.closing.length);
      at = end + state.closing.length;
      state.closing = null;
      continue;
    }
    const next = all.slice(at).search(/[`$\\]/);
    if (next === -1) return out + all.slice(at);
    out += all.slice(at, at + next);
    at += next;
    const mark = readMark(all.slice(at));
    if (mark === null) {
      state.held = all.slice(at);
      return out;
    }
    out += mark.written;
    at += mark.length;
    state.closing = mark.closing;
  }
  return out;
}

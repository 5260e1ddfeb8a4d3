import { isBlank } from './white-space.ts';

/** More white space inside a tag makes it text: what is held for a tag stays small. */
const MAX_SPACE = 64;

/** A tag such as `</parameter>`, in parts between which white space may stand; a part that is a space says that some must. */
export type SpacedTag = readonly string[];

/**
 * Reads a tag that begins at `at`.
 * @returns the UTF-16 offset behind it; `partial` where the text ends inside it; null where it is another text
 */
export function readTag(text: string, at: number, tag: SpacedTag): number | 'partial' | null {
  let position = at;
  for (const [index, part] of tag.entries()) {
    const from = position;
    if (index > 0) position = skipSpace(text, from);
    if (position - from > MAX_SPACE) return null;
    if (part === ' ') {
      if (position === from) return position === text.length ? 'partial' : null;
      continue;
    }
    const piece = text.slice(position, position + part.length);
    if (piece === part) position += part.length;
    else return part.startsWith(piece) && position + piece.length === text.length ? 'partial' : null;
  }
  return position;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && at - from <= MAX_SPACE && isBlank(text.charAt(at))) at += 1;
  return at;
}

import { allMatches } from '../pattern/pattern-search.ts';
import type { ResponseTemplate } from './template.ts';

/** The anchor is looked for in the last so many tokens first, then in ever more. */
const FIRST_TAIL = 256;
/** Decoding from the middle may lose what a token's text owes to those in front of it. */
const UNSURE_UNITS = 16;

function lastAnchorEnd({ anchor }: ResponseTemplate, text: string): number {
  if (!anchor.literals) return allMatches(anchor.pattern, text).at(-1)?.end ?? -1;
  const ends = anchor.literals.map((literal) => {
    const at = text.lastIndexOf(literal);
    return at === -1 ? -1 : at + literal.length;
  });
  return Math.max(...ends);
}

/**
 * What the prompt says of the message that the model goes on with: all behind the last anchor; the whole prompt where there is none.
 * @param decode gives the text of token ids, special tokens shown
 */
export function messagePrefix(
  promptTokenIds: readonly number[],
  template: ResponseTemplate,
  decode: (tokenIds: readonly number[]) => string,
): string {
  for (let length = FIRST_TAIL; length < promptTokenIds.length; length *= 8) {
    const text = decode(promptTokenIds.slice(-length));
    const end = lastAnchorEnd(template, text.slice(UNSURE_UNITS));
    if (end !== -1) return text.slice(UNSURE_UNITS + end);
  }
  const text = decode(promptTokenIds);
  return text.slice(Math.max(lastAnchorEnd(template, text), 0));
}

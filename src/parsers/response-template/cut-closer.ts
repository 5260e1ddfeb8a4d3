import type { Delimiter } from './template.ts';

/**
 * What a closing delimiter still lacks where the output stopped in it, if that is only (a part of) the anchor of a next message: engines stop
 * in front of that. Empty where it is something else.
 * @param held the text that may begin the delimiter
 */
export function cutCloser(close: Delimiter | null, anchor: Delimiter, held: string): string {
  for (const closer of close?.literals ?? []) {
    for (const next of anchor.literals ?? []) {
      if (closer === next || !closer.endsWith(next)) continue;
      for (let cut = closer.length - 1; cut >= closer.length - next.length; cut -= 1) {
        if (held.endsWith(closer.slice(0, cut))) return closer.slice(cut);
      }
    }
  }
  return '';
}

/** Where one stop string stands in a text; offsets in UTF-16 units. */
interface StopScan {
  /** End of its first occurrence that counts, or -1. */
  end: number;
  /** Length of the longest tail of the text that begins it: the text to come may complete it. */
  tail: number;
}

/** For each prefix of `pattern`, the length of the longest shorter prefix that it ends with. */
function failureTable(pattern: string): Int32Array {
  const table = new Int32Array(pattern.length + 1);
  let matched = 0;
  for (let at = 1; at < pattern.length; at += 1) {
    while (matched > 0 && pattern[at] !== pattern[matched]) matched = table[matched] ?? 0;
    if (pattern[at] === pattern[matched]) matched += 1;
    table[at + 1] = matched;
  }
  return table;
}

/** One pass over the text (Knuth, Morris, Pratt), so that no stop string is slow, whatever the two hold. */
function scan(text: string, pattern: string, guarded: number): StopScan {
  const table = failureTable(pattern);
  let matched = 0;
  let end = -1;
  for (let at = 0; at < text.length; at += 1) {
    while (matched > 0 && text[at] !== pattern[matched]) matched = table[matched] ?? 0;
    if (text[at] === pattern[matched]) matched += 1;
    if (matched < pattern.length) continue;
    if (end === -1 && at + 1 > guarded) end = at + 1;
    matched = table[matched] ?? 0;
  }
  return { end, tail: matched };
}

/** A stop string found in a text; offsets in UTF-16 units. */
export interface StopMatch {
  stop: string;
  start: number;
  end: number;
}

/**
 * The stop string that is complete first; the one listed first where several end together.
 * @param guarded length of the beginning of `text` in which no stop string may end
 */
export function findStop(text: string, stops: readonly string[], guarded: number): StopMatch | null {
  let best: StopMatch | null = null;
  for (const stop of stops) {
    const { end } = scan(text, stop, guarded);
    if (end !== -1 && (best === null || end < best.end)) best = { stop, start: end - stop.length, end };
  }
  return best;
}

/** How far a text is certain: whatever follows, no stop string that counts begins before `certain`. */
export interface StopProspect {
  certain: number;
  /** A stop string is complete already. */
  matched: boolean;
}

/** @param guarded as in `findStop` */
export function stopProspect(text: string, stops: readonly string[], guarded: number): StopProspect {
  let certain = text.length;
  let matched = false;
  for (const stop of stops) {
    const { end, tail } = scan(text, stop, guarded);
    certain = Math.min(certain, text.length - tail);
    if (end === -1) continue;
    certain = Math.min(certain, end - stop.length);
    matched = true;
  }
  return { certain, matched };
}

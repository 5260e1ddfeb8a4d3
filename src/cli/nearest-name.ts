/** Edits (insert, delete, replace, swap neighbours) that turn one word into another. */
function distance(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (let i = 1; i <= from.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const replace = (last[j - 1] as number) + (from[i - 1] === to[j - 1] ? 0 : 1);
      let best = Math.min(replace, (last[j] as number) + 1, (row[j - 1] as number) + 1);
      if (i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1])
        best = Math.min(best, (beforeLast[j - 2] as number) + 1);
      row.push(best);
    }
    beforeLast = last;
    last = row;
  }
  return last[to.length] as number;
}

/** Words that a name is made of. */
function words(name: string): string[] {
  return name.split(/[-_.]/).filter((word) => word.length > 2);
}

/**
 * The name that someone who wrote `written` probably meant: few typing errors away, or made of the same words (`tool-parser` for
 * `tool-call-parser`). Undefined where none is near.
 */
export function nearestName(written: string, names: readonly string[]): string | undefined {
  let best: string | undefined;
  let bestScore = 0;
  const writtenWords = new Set(words(written.toLowerCase()));
  for (const name of names) {
    const edits = distance(written.toLowerCase(), name.toLowerCase());
    const close = 1 - edits / Math.max(written.length, name.length, 1);
    const nameWords = words(name.toLowerCase());
    const shared = nameWords.filter((word) => writtenWords.has(word)).length;
    const overlap = nameWords.length + writtenWords.size === 0 ? 0 : (2 * shared) / (nameWords.length + writtenWords.size);
    const score = Math.max(close, overlap * 0.95);
    if (score > bestScore) {
      bestScore = score;
      best = name;
    }
  }
  return bestScore >= 0.55 ? best : undefined;
}

/** Half of a surrogate pair, as JSON.stringify writes it. */
const HALF_PAIR = /\\ud[89a-f][0-9a-f]{2}/;

/**
 * A snapshot in a form that every client can carry. A parser may hold one half of a character beyond U+FFFF, which is not Unicode text: clients
 * in other languages could not send it back. Such a snapshot travels as the text of its JSON, in which the half is spelled in ASCII.
 */
export function packSnapshot(snapshot: unknown): unknown {
  const text = JSON.stringify(snapshot);
  return HALF_PAIR.test(text) ? text : snapshot;
}

/** What `packSnapshot` was given; anything for what it did not make. */
export function unpackSnapshot(packed: unknown): unknown {
  if (typeof packed !== 'string') return packed;
  try {
    return JSON.parse(packed);
  } catch {
    return null;
  }
}

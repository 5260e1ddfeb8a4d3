/**
 * Length of the longest tail of `text` that may begin `marker`: 0 where none does, never the whole marker.
 * That tail is held back until the next text decides.
 */
export function heldTail(text: string, marker: string): number {
  for (let length = Math.min(text.length, marker.length - 1); length > 0; length -= 1) {
    if (text.endsWith(marker.slice(0, length))) return length;
  }
  return 0;
}

/** `heldTail` over several markers: the longest of them. */
export function heldTailOf(text: string, markers: readonly string[]): number {
  let longest = 0;
  for (const marker of markers) longest = Math.max(longest, heldTail(text, marker));
  return longest;
}

/** A marker found in a text. */
export interface MarkerHit {
  marker: string;
  /** UTF-16 offset of its first unit. */
  at: number;
}

/** The marker that begins first in `text`, the longest where several begin there; null where there is none. */
export function firstMarker(text: string, markers: readonly string[]): MarkerHit | null {
  let hit: MarkerHit | null = null;
  for (const marker of markers) {
    const at = text.indexOf(marker);
    if (at === -1) continue;
    if (hit === null || at < hit.at || (at === hit.at && marker.length > hit.marker.length)) hit = { marker, at };
  }
  return hit;
}

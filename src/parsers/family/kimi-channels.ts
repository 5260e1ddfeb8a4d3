import { readTag } from './spaced-tag.ts';
import type { SpacedTag } from './spaced-tag.ts';

const OPEN = '<|open|>';
const CLOSE = '<|close|>';
export const SEPARATOR = '<|sep|>';

export type ChannelTag =
  | 'think-open'
  | 'think-close'
  | 'response-open'
  | 'response-close'
  | 'tools-open'
  | 'message-close'
  | 'call'
  | 'call-close'
  | 'argument'
  | 'argument-close';

/** Tags of Kimi K3's channels, each of several tokens. White space between these is let through. */
const CHANNEL_TAGS: Readonly<Record<ChannelTag, SpacedTag>> = {
  'think-open': [OPEN, 'think', SEPARATOR],
  'think-close': [CLOSE, 'think', SEPARATOR],
  'response-open': [OPEN, 'response', SEPARATOR],
  'response-close': [CLOSE, 'response', SEPARATOR],
  'tools-open': [OPEN, 'tools', SEPARATOR],
  'message-close': [CLOSE, 'message', SEPARATOR],
  call: [OPEN, 'call', ' '],
  'call-close': [CLOSE, 'call', SEPARATOR],
  argument: [OPEN, 'argument', ' '],
  'argument-close': [CLOSE, 'argument', SEPARATOR],
};

/** The first tag in a text; `name` is null where the text ends inside what may become one. */
export interface TagHit {
  name: ChannelTag | null;
  at: number;
  /** The UTF-16 offset behind it. */
  end: number;
}

/** Finds the first of these tags, or the end that may begin one. */
export function findTag(text: string, tags: readonly ChannelTag[]): TagHit | null {
  for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', at + 1)) {
    let partial = false;
    for (const name of tags) {
      const end = readTag(text, at, CHANNEL_TAGS[name]);
      if (typeof end === 'number') return { name, at, end };
      partial ||= end === 'partial';
    }
    if (partial) return { name: null, at, end: text.length };
  }
  return null;
}

/** What an output that ends inside a tag leaves of it: nothing, if it got as far as the tag's first token. */
export function unfinishedTag(held: string): string {
  return held.startsWith(OPEN) || held.startsWith(CLOSE) ? '' : held;
}

/**
 * Reads a text, and tells of the tags in it and of what stands between them.
 * @param tags those that count at a time
 * @returns the tail to hold
 */
export function readChannels(
  text: string,
  tags: () => readonly ChannelTag[],
  onText: (text: string) => void,
  onTag: (name: ChannelTag, tag: string) => void,
): string {
  let rest = text;
  for (;;) {
    const hit = findTag(rest, tags());
    const plain = hit ? rest.slice(0, hit.at) : rest;
    if (plain !== '') onText(plain);
    if (!hit) return '';
    if (hit.name === null) return rest.slice(hit.at);
    onTag(hit.name, rest.slice(hit.at, hit.end));
    rest = rest.slice(hit.end);
  }
}

import { z } from 'zod';
import type { ToolCall } from '../../core/stream-parser.ts';
import { jsonCheckState } from './json-check.ts';
import type { JsonCheck } from './json-check.ts';

/** What may stand in front of calls. */
export interface ListOpener {
  /** Empty: the beginning of the output. */
  text: string;
  /** A word that may follow it. */
  word?: string;
  /** What its calls are: one object, or a list of them. */
  begins: '[' | '{';
  /** Nothing may stand between it and the calls. */
  tight?: boolean;
  /** What follows the calls. */
  close?: string;
  /** It is content itself. */
  shown?: boolean;
}

/** Calls as JSON objects, in a list or not, behind an opening text: each is held until it is complete, then given out. */
export interface HeldList {
  /** `lead`: behind an opener; `first`, `more`: in front of an object; `between`: behind one in a list; `tail`: behind the calls. */
  mode: 'text' | 'lead' | 'first' | 'more' | 'element' | 'between' | 'tail';
  /** The opener that counts, as an index. */
  opener: number;
  /** Text that may be the beginning of a marker. */
  held: string;
  /** The end of what was given out as content, where a shown opener may have begun. */
  seen: string;
  /** What was read since the opener and not given out. */
  raw: string;
  /** Where in `raw` the current object begins. */
  from: number;
  check: JsonCheck;
  /** The list has had a call. */
  found: boolean;
  /** The current object's name was given out. */
  announced: boolean;
  /** So were its arguments. */
  argued: boolean;
  /** Nothing has come behind the last list, or behind what was taken for one. */
  fresh: boolean;
  /** There was a list. */
  over: boolean;
  calls: number;
}

export const heldListState: z.ZodType<HeldList> = z.object({
  mode: z.enum(['text', 'lead', 'first', 'more', 'element', 'between', 'tail']),
  opener: z.int().min(0),
  held: z.string(),
  seen: z.string(),
  raw: z.string(),
  from: z.int().min(0),
  check: jsonCheckState,
  found: z.boolean(),
  announced: z.boolean(),
  argued: z.boolean(),
  fresh: z.boolean(),
  over: z.boolean(),
  calls: z.int().min(0),
});

export interface HeldListRules {
  openers: readonly ListOpener[];
  /** The call that an object stands for; null for none. */
  toCall(json: string): ToolCall | null;
  /** What is no call is left out of a list with calls; otherwise it and all that follows are content. */
  skipsOthers: boolean;
  /** Text behind calls is content; otherwise it is dropped. */
  keepsText: boolean;
  /** Names are given out at once. */
  announces: boolean;
  /** A token without text is told as empty content, in front of calls. */
  tellsEmpty: boolean;
}

export interface OpenerHit {
  index: number;
  /** Where it begins and ends, counted from where `text` begins. */
  at: number;
  end: number;
}

/** The opener that begins first. @param seen what was given out right before `text`: a shown opener may begin in it */
export function findOpener(seen: string, text: string, openers: readonly ListOpener[]): OpenerHit | null {
  let hit: OpenerHit | null = null;
  for (const [index, { text: marker, shown }] of openers.entries()) {
    const before = shown ? seen.slice(seen.length > 0 ? 1 - marker.length : 0) : '';
    const at = marker === '' ? -1 : (before + text).indexOf(marker);
    const start = at - before.length;
    if (at !== -1 && (hit === null || start < hit.at)) hit = { index, at: start, end: start + marker.length };
  }
  return hit;
}

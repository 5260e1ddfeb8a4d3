import { z } from 'zod';
import { dumps, tryLoads } from '../../core/python-json.ts';
import { firstMarker, heldTailOf } from './marker-scan.ts';
import { escapeText } from './parameter-writer.ts';
import { isBlank, strip, stripStart } from './white-space.ts';

/** Reads one call that is written as a name, then keys and values between tags of their own. The values are written as JSON. */
export interface ArgumentPairs {
  /** `doubt`: behind a value's closing tag that may have been meant as text. */
  mode: 'name' | 'outside' | 'key' | 'keyed' | 'text' | 'value' | 'doubt';
  /** Text that was not read yet, as it may be the beginning of a tag. */
  rest: string;
  /** The name or key so far. */
  word: string;
  /** A value that is given out as a whole, so far; of a text its last two units. */
  value: string;
  /** The value is text, given out as it comes. */
  streams: boolean;
  /** Nothing was written of the arguments. */
  fresh: boolean;
}

export const argumentPairsState: z.ZodType<ArgumentPairs> = z.object({
  mode: z.enum(['name', 'outside', 'key', 'keyed', 'text', 'value', 'doubt']),
  rest: z.string(),
  word: z.string(),
  value: z.string(),
  streams: z.boolean(),
  fresh: z.boolean(),
});

export interface PairTags {
  /** What ends the name, beside the tags that may follow it. */
  nameEnd: string | null;
  callEnd: string;
  keyStart: string;
  keyEnd: string;
  valueStart: string;
  valueEnd: string;
}

export interface PairRules {
  tags: PairTags;
  /** The object is opened with the name, not with the first value. */
  opensAtOnce: boolean;
  /** A value's closing tag is text if no other tag follows, and if what stands before it does not look like an end. */
  doubts: boolean;
  /** Whether a value is text whatever it says. */
  isText(key: string): boolean;
  /** The JSON of any other value. */
  toJson(text: string, key: string): string;
}

export interface PairSink {
  /** Once, before anything is written. A name that is only white space belongs to a call without arguments. */
  name(name: string): void;
  write(json: string): void;
}

export function startPairs(): ArgumentPairs {
  return { mode: 'name', rest: '', word: '', value: '', streams: false, fresh: true };
}

/** Reads on. @returns what follows the call once it is over; null while it goes on */
export function readPairs(pairs: ArgumentPairs, text: string, rules: PairRules, sink: PairSink): string | null {
  let rest: string | null = pairs.rest + text;
  pairs.rest = '';
  while (rest !== null) {
    const next: Step = pairs.mode === 'doubt' ? settle(pairs, rest, rules, sink) : step(pairs, rest, rules, sink);
    if (next?.over) return next.rest;
    rest = next?.rest ?? null;
  }
  return null;
}

/** Where reading goes on; null where more text is needed. */
type Step = { rest: string; over: boolean } | null;

function tagsOf({ mode }: ArgumentPairs, { nameEnd, callEnd, keyStart, keyEnd, valueStart, valueEnd }: PairTags): string[] {
  if (mode === 'name') return nameEnd === null ? [keyStart, callEnd] : [nameEnd, keyStart, callEnd];
  if (mode === 'outside') return [keyStart, callEnd];
  if (mode === 'key') return [keyEnd, callEnd];
  return mode === 'keyed' ? [valueStart, keyStart, callEnd] : [valueEnd];
}

/** Reads as far as one tag. */
function step(pairs: ArgumentPairs, text: string, rules: PairRules, sink: PairSink): Step {
  const { tags } = rules;
  const known = tagsOf(pairs, tags);
  const hit = firstMarker(text, known);
  if (hit === null) {
    const end = text.length - heldTailOf(text, known);
    take(pairs, text.slice(0, end), sink);
    pairs.rest = text.slice(end);
    return null;
  }
  const { marker, at } = hit;
  take(pairs, text.slice(0, at), sink);
  const rest = text.slice(at + marker.length);
  if (marker === tags.nameEnd && pairs.mode === 'name' && isBlank(pairs.word) && isBlank(marker)) {
    pairs.word += marker;
    return { rest, over: false };
  }
  if (pairs.mode === 'name') {
    sink.name(strip(pairs.word));
    if (rules.opensAtOnce) sink.write('{');
    pairs.mode = 'outside';
  }
  if (marker === tags.callEnd) sink.write(pairs.fresh && !rules.opensAtOnce ? '{}' : '}');
  else if (marker === tags.keyStart) openKey(pairs);
  else if (marker === tags.keyEnd) pairs.mode = 'keyed';
  else if (marker === tags.valueStart) openValue(pairs, rules, sink);
  else if (marker === tags.valueEnd) endValue(pairs, rules, sink);
  return { rest, over: marker === tags.callEnd };
}

function take(pairs: ArgumentPairs, text: string, sink: PairSink): void {
  if (text === '') return;
  if (pairs.mode === 'name' || pairs.mode === 'key') pairs.word += text;
  else if (pairs.mode === 'value') pairs.value += text;
  else if (pairs.mode === 'text') {
    sink.write(escapeText(text));
    pairs.value = (pairs.value + text).slice(-2);
  }
}

function openKey(pairs: ArgumentPairs): void {
  pairs.mode = 'key';
  pairs.word = '';
}

function openValue(pairs: ArgumentPairs, rules: PairRules, sink: PairSink): void {
  pairs.word = strip(pairs.word);
  pairs.value = '';
  pairs.streams = rules.isText(pairs.word);
  pairs.mode = pairs.streams ? 'text' : 'value';
  if (pairs.streams) writeMember(pairs, '"', rules, sink);
}

function writeMember(pairs: ArgumentPairs, value: string, { opensAtOnce }: PairRules, sink: PairSink): void {
  const before = opensAtOnce ? '' : '{';
  sink.write(`${pairs.fresh ? before : ', '}${dumps(pairs.word)}: ${value}`);
  pairs.fresh = false;
}

/** Whether a closing tag may belong to a value: it stands within a sentence, behind a quote, or inside of JSON. */
function isDoubtful({ streams, value }: ArgumentPairs): boolean {
  return streams ? /(?:[^.!?\s] |["'`(])$/.test(value) : /^\s*["[{]/.test(value) && tryLoads(value) === undefined;
}

function endValue(pairs: ArgumentPairs, rules: PairRules, sink: PairSink): void {
  if (rules.doubts && isDoubtful(pairs)) pairs.mode = 'doubt';
  else closeValue(pairs, rules, sink);
}

function closeValue(pairs: ArgumentPairs, rules: PairRules, sink: PairSink): void {
  if (pairs.streams) sink.write('"');
  else writeMember(pairs, rules.toJson(pairs.value, pairs.word), rules, sink);
  pairs.value = '';
  pairs.mode = 'outside';
}

/** Decides by what follows whether a closing tag was one. */
function settle(pairs: ArgumentPairs, text: string, rules: PairRules, sink: PairSink): Step {
  const { callEnd, keyStart, valueEnd } = rules.tags;
  const next = stripStart(text);
  if (next.startsWith(callEnd) || next.startsWith(keyStart)) {
    closeValue(pairs, rules, sink);
  } else if (callEnd.startsWith(next) || keyStart.startsWith(next)) {
    pairs.rest = text;
    return null;
  } else {
    pairs.mode = pairs.streams ? 'text' : 'value';
    take(pairs, valueEnd, sink);
  }
  return { rest: text, over: false };
}

/** The output was cut off inside the call: gives out what was held of its arguments. */
export function cutPairs(pairs: ArgumentPairs, rules: PairRules, sink: PairSink): void {
  const { mode, rest } = pairs;
  if (mode === 'doubt') return closeValue(pairs, rules, sink);
  take(pairs, rest, sink);
  pairs.rest = '';
  if (mode !== 'value' || isBlank(pairs.value)) return;
  const written = strip(pairs.value);
  writeMember(pairs, /^["[{\d-]/.test(written) ? written : `"${escapeText(written)}`, rules, sink);
}

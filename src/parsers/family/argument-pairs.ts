import { z } from 'zod';
import { dumps, tryLoads } from '../../core/python-json.ts';
import { firstMarker, heldTailOf } from './marker-scan.ts';
import { escapeText } from './parameter-writer.ts';
import type { Write } from './parameter-writer.ts';
import { isBlank, strip, stripStart } from './white-space.ts';

/** One call as its name, then keys and values between tags: reads it as the model writes it, and writes the values as JSON. */
export interface ArgumentPairs {
  /** `doubt`: behind a value's closing tag that may have been meant as text. */
  mode: 'name' | 'outside' | 'key' | 'keyed' | 'text' | 'value' | 'doubt';
  /** Text that was not read yet, as it may be the beginning of a tag. */
  rest: string;
  /** The name or key so far. */
  word: string;
  /** A value that is given out as a whole, so far; in a text what its last unit was. */
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
  /** What ends the name, beside the tags. */
  nameEnd: string | null;
  callEnd: string;
  keyStart: string;
  keyEnd: string;
  valueStart: string;
  valueEnd: string;
}

export interface PairRules {
  tags: PairTags;
  /** A value's closing tag is text if no other tag follows it, and if what stands before it does not look like an end. */
  doubts: boolean;
  /** Whether a value is text, whatever it says. */
  isText(name: string, key: string): boolean;
  /** The JSON of a value that need not be text. */
  toJson(text: string, name: string, key: string): string;
}

export interface PairSink {
  name(name: string): void;
  write: Write;
}

export function startPairs(): ArgumentPairs {
  return { mode: 'name', rest: '', word: '', value: '', streams: false, fresh: true };
}

/**
 * Reads on.
 * @param name the function's, as it was given to the sink
 * @returns what follows the call once it is over; null while it goes on
 */
export function readPairs(pairs: ArgumentPairs, text: string, name: string, rules: PairRules, sink: PairSink): string | null {
  let rest = pairs.rest + text;
  pairs.rest = '';
  let callName = name;
  const named: PairSink = {
    name(found) {
      callName = found;
      sink.name(found);
    },
    write: (json) => sink.write(json),
  };
  for (;;) {
    const step = readStep(pairs, rest, callName, rules, named);
    if (step === null) return null;
    rest = step.rest;
    if (step.over) return rest;
  }
}

interface Step {
  rest: string;
  over: boolean;
}

/** Reads as far as one tag; null where more text is needed. */
function readStep(pairs: ArgumentPairs, text: string, name: string, rules: PairRules, sink: PairSink): Step | null {
  if (pairs.mode === 'doubt') return settleDoubt(pairs, text, name, rules, sink);
  const { nameEnd, callEnd, keyStart, keyEnd, valueStart, valueEnd } = rules.tags;
  const inValue = pairs.mode === 'text' || pairs.mode === 'value';
  const tags = {
    name: nameEnd === '\n' && isBlank(pairs.word + (/^\s*/.exec(text)?.[0] ?? '')) ? [keyStart, callEnd] : [],
    outside: [keyStart, callEnd],
    key: [keyEnd, callEnd],
    keyed: [valueStart, keyStart, callEnd],
    text: [valueEnd],
    value: [valueEnd],
  }[pairs.mode];
  void tags;
  void inValue;
  return null;
}

import { z } from 'zod';
import { jsonMirrorState, mirrorClosers, mirrorScalar, readMirror, startMirror } from './json-mirror.ts';
import type { JsonMirror } from './json-mirror.ts';

/**
 * Arguments as the reference streams them where it reads the whole text so far at each chunk, completes it, serialises it, and gives out
 * what two chunks in a row have in common.
 */
export interface LaggingArguments {
  mirror: JsonMirror;
  /** The name came in this chunk: nothing else is given out. */
  fresh: boolean;
  /** Something of the arguments was given out. */
  begun: boolean;
  /** What the last chunk's text came to beyond what was given out. */
  previous: string;
  /** Units of the open scalar that were given out. */
  given: number;
  /** All was given out. */
  over: boolean;
}

export const laggingState: z.ZodType<LaggingArguments> = z.object({
  mirror: jsonMirrorState,
  fresh: z.boolean(),
  begun: z.boolean(),
  previous: z.string(),
  given: z.int().min(0),
  over: z.boolean(),
});

export function startLagging(): LaggingArguments {
  return { mirror: startMirror(), fresh: false, begun: false, previous: '', given: 0, over: false };
}

/** More of the arguments as the model wrote them. */
export function takeLagging(lagging: LaggingArguments, text: string): void {
  const { mirror } = lagging;
  readMirror(mirror, text, 0);
  if (lagging.given > 0 && mirror.expect !== 'in-scalar') {
    mirror.json = mirror.json.slice(lagging.given);
    lagging.given = 0;
  }
}

function commonPrefix(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  return at;
}

/** What is known of the arguments beyond what was given out. */
function known({ mirror, given }: LaggingArguments): string {
  return mirror.json + mirrorScalar(mirror).slice(given);
}

function give(lagging: LaggingArguments, length: number): string {
  const { mirror } = lagging;
  const text = known(lagging).slice(0, length);
  lagging.given += Math.max(0, length - mirror.json.length);
  mirror.json = mirror.json.slice(length);
  return text;
}

/**
 * A chunk has ended.
 * @param chunk its whole text
 * @returns what to give out, empty where the reference gives an empty piece; null where it gives nothing
 */
export function giveLagging(lagging: LaggingArguments, chunk: string): string | null {
  const { mirror, fresh, begun, previous, over } = lagging;
  lagging.fresh = false;
  if (fresh) return null;
  if (over) return '';
  const isWhole = mirror.expect === 'done';
  const view = known(lagging) + mirrorClosers(mirror);
  if (!begun && (view === '' || view === '{}')) return null;
  const common = previous === view ? 0 : Math.min(commonPrefix(previous, view), known(lagging).length);
  let length = isWhole ? view.length : common;
  if (!begun) {
    const at = view.indexOf(chunk);
    if (at === -1 && !isWhole) return null;
    if (at !== -1) length = Math.min(at + chunk.length, known(lagging).length);
  }
  lagging.begun = true;
  lagging.previous = view.slice(length);
  lagging.over = isWhole && length === view.length;
  return give(lagging, length);
}

/** All that is left, where the output or the call ends. */
export function restLagging(lagging: LaggingArguments): string {
  const rest = known(lagging);
  lagging.mirror.json = '';
  lagging.over = true;
  return rest;
}

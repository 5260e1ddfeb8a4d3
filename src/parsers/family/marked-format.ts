import type { Markers } from './marked-lexer.ts';

/** Where a marked format stands: each mode gives text its meaning. */
export type Mode = 'content' | 'reasoning' | 'preamble' | 'name' | 'arguments' | 'between';

/** What a marker does: where it leads, and what it begins or ends on the way, in this order. */
export interface Step {
  to: Mode;
  does?: readonly ('end-reasoning' | 'end-call' | 'start-call' | 'argument')[];
}

/** What each marker does in each mode. A marker without a step in a mode is text there. */
export type Steps = Readonly<Partial<Record<Mode, Readonly<Record<string, Step>>>>>;

/**
 * A format of markers: reasoning and calls in one table, as models write them in one text. The tool parser and the reasoning parser of
 * a format both read by it, each its own part.
 */
export interface MarkedFormat {
  markers: Markers;
  steps: Steps;
  /** The mode before the first token, where the prompt does not say otherwise. */
  start: 'content' | 'reasoning';
  /** Markers that only part reasoning from content: mere text for a tool parser that stands alone. */
  reasoningMarkers: readonly string[];
}

/** Joins two tables of steps, the second over the first. */
export function withSteps(base: Steps, more: Steps): Steps {
  const joined: Partial<Record<Mode, Readonly<Record<string, Step>>>> = { ...base };
  for (const [mode, steps] of Object.entries(more) as [Mode, Readonly<Record<string, Step>>][]) {
    joined[mode] = { ...joined[mode], ...steps };
  }
  return joined;
}

/**
 * What a render may spend. Rendering is synchronous, so the render that runs is the only one: its purse is module state, and every
 * function that works on values pays into it without carrying it along.
 */
import { LimitError } from './errors.ts';

/** Limits of one render. */
export interface Limits {
  /** Steps: about one for each statement, loop turn and call, 16 characters, and 4 items of a list. */
  readonly maxSteps: number;
  /** Longest text, in UTF-16 code units: the prompt, and every string on the way to it. */
  readonly maxLength: number;
  /** Longest list. */
  readonly maxItems: number;
  /** Wall-clock time, in milliseconds. */
  readonly maxMilliseconds: number;
  /** Macros and recursive loops inside one another. */
  readonly maxDepth: number;
}

export const defaultLimits: Limits = {
  maxSteps: 5_000_000,
  maxLength: 16 * 1024 * 1024,
  maxItems: 2_000_000,
  maxMilliseconds: 5000,
  maxDepth: 200,
};

// The clock is looked at once a slice: rarely enough to cost nothing, often enough to stop within some milliseconds.
const SLICE = 8192;

let granted = SLICE;
let slice = granted;
let stepsLeft = Number.POSITIVE_INFINITY;
let deadline = Number.POSITIVE_INFINITY;
let depth = 0;
let limits: Limits = defaultLimits;

function settle(): void {
  stepsLeft -= granted - slice;
  granted = Math.max(0, Math.min(SLICE, stepsLeft));
  slice = granted;
  if (stepsLeft < 0) throw new LimitError(`the template takes more than ${limits.maxSteps} steps`);
  if (performance.now() > deadline) throw new LimitError(`the template takes more than ${limits.maxMilliseconds} ms`);
}

/**
 * Pays for `steps` steps.
 *
 * @throws LimitError where the render has none left, or no time.
 */
export function charge(steps: number): void {
  slice -= steps;
  if (slice < 0) settle();
}

/** @throws LimitError where a text of `length` code units is longer than any may be. */
export function checkLength(length: number): void {
  if (!(length <= limits.maxLength)) throw new LimitError(`the template builds a text of more than ${limits.maxLength} characters`);
}

/**
 * Pays for a text of `length` code units before it is built.
 *
 * @throws LimitError where it is longer than any may be.
 */
export function reserve(length: number): void {
  checkLength(length);
  charge(length / 16);
}

/**
 * Pays for a list of `count` items.
 *
 * @throws LimitError where it is longer than any may be.
 */
export function reserveItems(count: number): void {
  if (!(count <= limits.maxItems)) throw new LimitError(`the template builds a list of more than ${limits.maxItems} items`);
  charge(count / 4);
}

/**
 * Runs `body` one call deeper.
 *
 * @throws LimitError where calls are nested too deeply.
 */
export function deeper<Result>(body: () => Result): Result {
  if (depth >= limits.maxDepth) throw new LimitError(`calls are nested more than ${limits.maxDepth} deep`);
  depth += 1;
  const result = body();
  depth -= 1;
  return result;
}

/** Runs `body` within `wanted` and puts back what was in force before. */
export function withLimits<Result>(wanted: Limits, body: () => Result): Result {
  const before = { granted, slice, stepsLeft, deadline, depth, limits };
  granted = 0;
  slice = 0;
  stepsLeft = wanted.maxSteps;
  deadline = performance.now() + wanted.maxMilliseconds;
  depth = 0;
  limits = wanted;
  try {
    return body();
  } finally {
    ({ granted, slice, stepsLeft, deadline, depth, limits } = before);
  }
}

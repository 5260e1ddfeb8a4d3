import type { DecodingOptions } from './decoding-options.ts';

/** The ids on which the model ends by itself. */
export interface EndTokens {
  /** The tokenizer's own end token: the engine names no `stop_reason` for it. */
  primary: number | undefined;
  /** It and the model's other end tokens. */
  all: ReadonlySet<number>;
}

/** What the engine said about the end of a choice, all of it or this chunk. */
export interface EngineEnd {
  finishReason: string | null;
  stopReason: number | string | null;
}

export interface StopTokenDecision {
  /** The last id ended the generation and does not belong to the text. */
  drop: boolean;
  stopReason: number | string | null;
}

/**
 * Whether the last id is the token that stopped the generation. Newer engines name it in `stop_reason` (null: the primary end token); older ones
 * never do, so the id is looked up among the request's stop tokens and the model's end tokens, and then named in the answer.
 */
export function decideStopToken(
  ids: readonly number[],
  { finishReason, stopReason }: EngineEnd,
  options: DecodingOptions,
  ends: EndTokens,
): StopTokenDecision {
  const last = ids.at(-1);
  if (finishReason !== 'stop' || typeof stopReason === 'string' || last === undefined) return { drop: false, stopReason };
  if (stopReason !== null) return { drop: last === stopReason && !options.includeStop, stopReason };
  if (!options.ignoreEos && last === ends.primary) return { drop: !options.includeStop, stopReason };
  return mayBeStopToken(last, options, ends) ? { drop: !options.includeStop, stopReason: last } : { drop: false, stopReason };
}

/** Whether an id is one that may have stopped the generation. */
export function mayBeStopToken(id: number, options: DecodingOptions, ends: EndTokens): boolean {
  return options.stopTokenIds.includes(id) || (!options.ignoreEos && ends.all.has(id));
}

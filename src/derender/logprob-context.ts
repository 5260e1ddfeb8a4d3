/** Sampled ids that repair of a cut character looks back at. */
const CONTEXT = 4;

/** The last sampled ids, this chunk's included: a character may be parted over chunks. */
export function advanceContext(context: readonly number[], ids: readonly number[]): number[] {
  return [...context, ...ids].slice(-CONTEXT);
}

/** Number of token ids in an engine's choices. */
export function choiceTokens(choices: readonly { token_ids: readonly number[] | null }[]): number {
  return choices.reduce((sum, { token_ids: ids }) => sum + (ids?.length ?? 0), 0);
}

import type { ReasoningFormat } from '../../core/stream-parser.ts';
import { createMarkedReasoning, markedPromptEnded, markedReasoningState } from '../family/marked-reasoning.ts';
import type { MarkedReasoningRules, MarkedReasoningState } from '../family/marked-reasoning.ts';
import { MINIMAX_M2_MARKERS } from '../family/minimax-m2-markers.ts';

const RULES: MarkedReasoningRules = { stripsEnd: true, dropsNewlines: false, turnTokens: [] };

/**
 * MiniMax M2: reasoning up to `</think>`, always open from the start; a block of calls ends it too. White space at its end is dropped.
 *
 *     Let me see.
 *     </think>
 *
 *     It is 4.
 *
 * Specified by the model's chat template. Other than the reference: a prompt that closes reasoning counts in complete answers too.
 */
export const minimaxM2Reasoning: ReasoningFormat<MarkedReasoningState> = {
  kind: 'reasoning',
  name: 'minimax_m2',
  aliases: ['minimax-m2', 'minimax'],
  models: 'MiniMax M2',
  sample: 'Let me see.\n</think>\n\nIt is 4.',
  stateVersion: 1,
  stateSchema: markedReasoningState,
  parsesWhenNone: true,
  create: (context) => createMarkedReasoning(MINIMAX_M2_MARKERS, RULES, context),
  hidesEndToken: 'complete',
  promptEnded: (promptTokenIds, context) => markedPromptEnded(promptTokenIds, MINIMAX_M2_MARKERS, RULES, context),
};

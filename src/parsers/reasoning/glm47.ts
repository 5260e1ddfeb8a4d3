import type { ReasoningFormat } from '../../core/stream-parser.ts';
import { GLM_REASONING_RULES, glmMarkers, glmThinks } from '../family/glm-markers.ts';
import { createMarkedReasoning, markedPromptEnded, markedReasoningState } from '../family/marked-reasoning.ts';
import type { MarkedReasoningState } from '../family/marked-reasoning.ts';

/**
 * GLM-4.5 to GLM-5: reasoning between `<think>` and `</think>`, open from the start unless the request switches it off by `thinking` or
 * `enable_thinking`. `<tool_call>` ends it too; white space at its end is dropped.
 *
 *     <think>Let me see.</think>It is 4.
 *
 * Specified by the models' chat template. Other than the reference: a prompt that closes reasoning counts in complete answers too.
 */
export const glm47Reasoning: ReasoningFormat<MarkedReasoningState> = {
  kind: 'reasoning',
  name: 'glm47',
  aliases: ['glm45', 'glm45_moe', 'glm47_moe', 'ling3', 'nemotron_deci'],
  models: 'GLM-4.5, GLM-4.6, GLM-4.7, GLM-5, Ling 3',
  sample: '<think>Let me see.</think>It is 4.',
  stateVersion: 1,
  stateSchema: markedReasoningState,
  parsesWhenNone: true,
  create: (context) => createMarkedReasoning(glmMarkers(glmThinks(context)), GLM_REASONING_RULES, context),
  // Where a request thinks nothing and calls nothing, the reference's complete answer is the output as it is.
  hidesEndToken: (context) => context.hasToolParser || glmThinks(context),
  promptEnded: (promptTokenIds, context) => markedPromptEnded(promptTokenIds, glmMarkers(glmThinks(context)), GLM_REASONING_RULES, context),
};

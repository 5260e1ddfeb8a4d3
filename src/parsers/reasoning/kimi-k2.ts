import type { ParserContext, ReasoningFormat } from '../../core/stream-parser.ts';
import { kimiMarkers } from '../family/kimi-markers.ts';
import type { MarkedFormat } from '../family/marked-format.ts';
import { createMarkedReasoning, markedPromptEnded, markedReasoningState } from '../family/marked-reasoning.ts';
import type { MarkedReasoningRules, MarkedReasoningState } from '../family/marked-reasoning.ts';
import { thinksByEitherName } from '../family/thinking-switch.ts';

const RULES: MarkedReasoningRules = { stripsEnd: true, dropsNewlines: false, turnTokens: [] };

const markers = (context: ParserContext): MarkedFormat => kimiMarkers(thinksByEitherName(context.chatTemplateKwargs));

/**
 * Kimi K2: reasoning up to `</think>`, open from the start unless the request switches it off by `thinking` or `enable_thinking`. A
 * section of calls ends it too; white space at its end is dropped.
 *
 *     <think>Let me see.</think>It is 4.
 *
 * Specified by the model's chat template. Other than the reference: a prompt that closes reasoning counts in complete answers too.
 */
export const kimiK2Reasoning: ReasoningFormat<MarkedReasoningState> = {
  kind: 'reasoning',
  name: 'kimi_k2',
  aliases: ['kimi', 'kimi_k25'],
  models: 'Kimi K2',
  sample: '<think>Let me see.</think>It is 4.',
  stateVersion: 1,
  stateSchema: markedReasoningState,
  parsesWhenNone: true,
  create: (context) => createMarkedReasoning(markers(context), RULES, context),
  // Where a request thinks nothing and calls nothing, the reference's complete answer is the output as it is.
  hidesEndToken: (context) => context.hasToolParser || thinksByEitherName(context.chatTemplateKwargs),
  promptEnded: (promptTokenIds, context) => markedPromptEnded(promptTokenIds, markers(context), RULES, context),
};

import type { ParserContext, ReasoningFormat, ReasoningParser } from '../../core/stream-parser.ts';
import { createMarkedReasoning, markedReasoningState } from '../family/marked-reasoning.ts';
import type { MarkedReasoningRules, MarkedReasoningState } from '../family/marked-reasoning.ts';
import { plamoMarkers, plamoPromptEnded } from '../family/plamo-markers.ts';

const RULES: MarkedReasoningRules = { stripsEnd: false, dropsNewlines: false, turnTokens: [] };

function create(context: ParserContext): ReasoningParser<MarkedReasoningState> {
  const parser = createMarkedReasoning(plamoMarkers(context), RULES, context);
  return {
    ...parser,
    init: (promptTokenIds) => ({ ...parser.init(promptTokenIds), phase: plamoPromptEnded(promptTokenIds, context) ? 'done' : 'open' }),
  };
}

/**
 * PLaMo 3: reasoning up to its closing marker, open from the start unless the request switches it off by `enable_thinking`. A section of
 * calls ends it too, and so does the end of the turn.
 *
 *     <|plamo:begin_think:plamo|>Let me see.<|plamo:end_think:plamo|>It is 4.
 *
 * Specified by the model's chat template. Other than the reference: a prompt that closes reasoning counts in complete answers too.
 */
export const plamo3Reasoning: ReasoningFormat<MarkedReasoningState> = {
  kind: 'reasoning',
  name: 'plamo3',
  aliases: [],
  models: 'PLaMo 3',
  sample: '<|plamo:begin_think:plamo|>Let me see.<|plamo:end_think:plamo|>It is 4.',
  stateVersion: 1,
  stateSchema: markedReasoningState,
  parsesWhenNone: true,
  create,
  promptEnded: plamoPromptEnded,
};

import type { ParserContext, ReasoningFormat } from '../../core/stream-parser.ts';
import type { MarkedFormat } from '../family/marked-format.ts';
import { createMarkedReasoning, markedPromptEnded, markedReasoningState } from '../family/marked-reasoning.ts';
import type { MarkedReasoningRules, MarkedReasoningState } from '../family/marked-reasoning.ts';
import { TOOL_CALLS, mistralThinkMarkers } from '../family/mistral-form.ts';

const STEPS = {
  content: { 'think-start': { to: 'reasoning' }, 'think-end': { to: 'content' }, call: { to: 'name', does: ['end-reasoning'] } },
  reasoning: {
    'think-start': { to: 'reasoning' },
    'think-end': { to: 'content', does: ['end-reasoning'] },
    call: { to: 'name', does: ['end-reasoning'] },
  },
} as const;

function markers(context: ParserContext): MarkedFormat {
  const think = mistralThinkMarkers(context);
  const reasoningMarkers = think ? ['think-start', 'think-end'] : [];
  return {
    markers: {
      spellings: { ...(think ? { 'think-start': [think.start], 'think-end': [think.end] } : {}), call: [TOOL_CALLS] },
      byToken: think?.isToken ? [...reasoningMarkers, 'call'] : ['call'],
    },
    steps: STEPS,
    start: 'content',
    reasoningMarkers,
  };
}

/** Models without these markers do not reason: all is the answer. */
function rules(context: ParserContext): MarkedReasoningRules {
  return {
    stripsEnd: true,
    dropsNewlines: false,
    turnTokens: [],
    awaits: mistralThinkMarkers(context) !== null,
    // Without a tool parser the reference's answer is kept.
    opensInPrompt: context.hasToolParser,
  };
}

/**
 * Mistral: reasoning between `[THINK]` and `[/THINK]`, or between `<think>` and `</think>` where the tokenizer has no such tokens but
 * later ones than those of version 7. What stands before is content; a call ends reasoning too; white space at its end is dropped.
 *
 *     [THINK]Let me see.[/THINK]It is 4.
 *
 * Specified by mistral-common. Other than the reference: reasoning that the prompt opened is reasoning where there is a tool parser.
 */
export const mistralReasoning: ReasoningFormat<MarkedReasoningState> = {
  kind: 'reasoning',
  name: 'mistral',
  aliases: [],
  models: 'Magistral, Mistral Small 4, Ministral 3',
  sample: '[THINK]Let me see.[/THINK]It is 4.',
  stateVersion: 1,
  stateSchema: markedReasoningState,
  requiredTokens: [TOOL_CALLS],
  parsesWhenNone: true,
  create: (context) => createMarkedReasoning(markers(context), rules(context), context),
  hidesEndToken: (context) => mistralThinkMarkers(context) !== null,
  promptEnded: (promptTokenIds, context) => markedPromptEnded(promptTokenIds, markers(context), rules(context), context),
};

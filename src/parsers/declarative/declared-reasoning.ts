import type { ParserContext, ReasoningFormat } from '../../core/stream-parser.ts';
import { createMarkedReasoning, markedPromptEnded, markedReasoningState } from '../family/marked-reasoning.ts';
import type { MarkedReasoningRules } from '../family/marked-reasoning.ts';
import type { MarkedFormat } from '../family/marked-format.ts';
import { switchableThinking } from '../family/switchable-thinking.ts';
import { declaredMarkers, declaredThinking } from './declared-markers.ts';
import type { Declaration, DeclaredReasoning } from './declaration.ts';

type Described = Pick<ReasoningFormat, 'name' | 'aliases' | 'models' | 'sample' | 'stateVersion'>;

/** A declared format's reasoning. */
export function reasoningFormat(declaration: Declaration, reasoning: DeclaredReasoning, described: Described): ReasoningFormat {
  const { open, close, turn_tokens: turnTokens } = reasoning;
  const thinks = (context: ParserContext): boolean => declaredThinking(reasoning, context);
  if (reasoning.tokens_only) {
    const [turnStart] = turnTokens;
    const format = switchableThinking({
      ...described,
      requiredTokens: [open, close],
      tagsOf: () => ({ start: open, end: close }),
      thinks,
      ...(turnStart === undefined ? {} : { turnStart }),
    });
    return { ...format, ...described, ...(reasoning.thinking ? {} : { hidesEndToken: { after: open } }) };
  }
  const markers = (context: ParserContext): MarkedFormat => declaredMarkers(declaration, context);
  const rulesOf = (context: ParserContext): MarkedReasoningRules => ({
    stripsEnd: reasoning.strips_end,
    dropsNewlines: reasoning.drops_newlines_behind,
    turnTokens,
    ...(reasoning.begins === 'content' ? { awaits: thinks(context), opensInPrompt: true } : {}),
  });
  return {
    kind: 'reasoning',
    ...described,
    stateSchema: markedReasoningState,
    parsesWhenNone: true,
    hidesEndToken: 'complete',
    create: (context) => createMarkedReasoning(markers(context), rulesOf(context), context),
    promptEnded: (promptTokenIds, context) => markedPromptEnded(promptTokenIds, markers(context), rulesOf(context), context),
  };
}

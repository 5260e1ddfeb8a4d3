import type { ParserContext, ReasoningFormat, ToolFormat } from '../../core/stream-parser.ts';
import { createDsmlReader } from './dsml-parameters.ts';
import type { DsmlArguments } from './dsml-parameters.ts';
import { dsmlMarkers } from './dsml-markers.ts';
import type { DsmlDialect } from './dsml-markers.ts';
import { dropBlankContentBesideCalls, mergeRepeatedParameters } from './marked-answer.ts';
import { createMarkedReasoning, markedPromptEnded, markedReasoningState } from './marked-reasoning.ts';
import type { MarkedReasoningRules, MarkedReasoningState } from './marked-reasoning.ts';
import { createMarkedTool } from './marked-tool.ts';
import { markedToolState } from './marked-tool-state.ts';
import type { MarkedToolState } from './marked-tool-state.ts';
import { isTrue } from './thinking-switch.ts';

export type DsmlTool = ToolFormat<MarkedToolState<DsmlArguments>>;

type Described = Pick<ToolFormat, 'name' | 'aliases' | 'models' | 'sample'>;

const REASONING_RULES: MarkedReasoningRules = { stripsEnd: true, dropsNewlines: false, turnTokens: [] };

/** Whether a request lets the model think: it does unless told otherwise by one of three names. */
export function dsmlThinks({ chatTemplateKwargs }: ParserContext): boolean {
  const { thinking, enable_thinking: enabled, reasoning_effort: effort } = chatTemplateKwargs;
  return (isTrue(thinking) || isTrue(enabled) || (thinking === undefined && enabled === undefined)) && effort !== 'none';
}

/** @param thinks null for a version whose reasoning is no part of the format */
export function dsmlToolFormat(described: Described, dialect: DsmlDialect, thinks: ((context: ParserContext) => boolean) | null): DsmlTool {
  const reader = createDsmlReader(dialect.parameter, dialect.parameterEnd);
  const rules = { reader, dropsBlank: true, strayText: 'dropped', cutName: 'dropped', stripsReasoning: true } as const;
  return {
    kind: 'tool',
    ...described,
    stateVersion: 1,
    stateSchema: markedToolState(reader),
    create: (context) => createMarkedTool(dsmlMarkers(dialect, thinks?.(context) ?? null), rules, context),
    forcedChoice: 'markup',
    whenNone: 'parse',
    callDeltas: 'merged',
    countsIds: true,
    complete(answer) {
      mergeRepeatedParameters(answer);
      dropBlankContentBesideCalls(answer);
    },
  };
}

export function dsmlReasoningFormat(described: Described, dialect: DsmlDialect): ReasoningFormat<MarkedReasoningState> {
  return {
    kind: 'reasoning',
    ...described,
    stateVersion: 1,
    stateSchema: markedReasoningState,
    parsesWhenNone: true,
    create: (context) => createMarkedReasoning(dsmlMarkers(dialect, dsmlThinks(context)), REASONING_RULES, context),
    hidesEndToken: 'complete',
    promptEnded: (promptTokenIds, context) =>
      markedPromptEnded(promptTokenIds, dsmlMarkers(dialect, dsmlThinks(context)), REASONING_RULES, context),
  };
}

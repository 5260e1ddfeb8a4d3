import type { AnswerFilter, CompleteAnswer, ParserContext, ReasoningFormat, ToolFormat } from '../../core/stream-parser.ts';
import { mergeRepeatedParameters, stripContentBesideCalls } from './marked-answer.ts';
import type { MarkedFormat } from './marked-format.ts';
import { createMarkedReasoning, markedPromptEnded, markedReasoningState } from './marked-reasoning.ts';
import type { MarkedReasoningState } from './marked-reasoning.ts';
import { createMarkedTool } from './marked-tool.ts';
import { markedToolState } from './marked-tool-state.ts';
import type { MarkedToolRules, MarkedToolState } from './marked-tool-state.ts';
import { CHATML_TURNS, qwen3Markers, qwen3Parameters } from './qwen3-markers.ts';
import { enablesThinking } from './thinking-switch.ts';
import type { XmlParameters } from './xml-parameters.ts';

export type Qwen3Tool = ToolFormat<MarkedToolState<XmlParameters>>;

type Described = Pick<ToolFormat, 'name' | 'aliases' | 'models' | 'sample'>;

const RULES: MarkedToolRules<XmlParameters> = {
  reader: qwen3Parameters,
  dropsBlank: true,
  strayText: 'content',
  cutName: 'call',
  stripsReasoning: false,
};

const enabled = ({ chatTemplateKwargs }: ParserContext): boolean => enablesThinking(chatTemplateKwargs);
const plainMarkers = (context: ParserContext): MarkedFormat => qwen3Markers(enabled(context));

/** A tool format with Qwen3-Coder's grammar. What is not given is as in Qwen3-Coder. */
export function qwen3ToolFormat(
  described: Described,
  differs: {
    markers?: (context: ParserContext) => MarkedFormat;
    rules?: Partial<MarkedToolRules<XmlParameters>>;
    format?: Partial<Pick<Qwen3Tool, 'forcedChoice' | 'complete'>>;
  } = {},
): Qwen3Tool {
  const { markers = plainMarkers, format = {} } = differs;
  const rules = { ...RULES, ...differs.rules };
  return {
    kind: 'tool',
    ...described,
    stateVersion: 1,
    stateSchema: markedToolState(rules.reader),
    create: (context) => createMarkedTool(markers(context), rules, context),
    forcedChoice: 'markup',
    whenNone: 'parse',
    callDeltas: 'merged',
    countsIds: true,
    complete(answer) {
      mergeRepeatedParameters(answer);
      stripContentBesideCalls(answer);
    },
    ...format,
  };
}

/** A reasoning format with Qwen3's grammar. What is not given is as in Qwen3. */
export function qwen3ReasoningFormat(
  described: Described,
  differs: {
    markers?: (context: ParserContext) => MarkedFormat;
    /** Whether a request has thinking on. Where it has not and calls nothing, a complete answer is the output as it is. */
    thinks?: (context: ParserContext) => boolean;
    stripsEnd?: boolean;
    dropsNewlines?: boolean;
    turnTokens?: readonly string[];
    filter?: (context: ParserContext) => AnswerFilter<unknown> | null;
    complete?: (answer: CompleteAnswer) => void;
  } = {},
): ReasoningFormat<MarkedReasoningState> {
  const {
    markers = plainMarkers,
    thinks = enabled,
    stripsEnd = false,
    dropsNewlines = false,
    turnTokens = CHATML_TURNS,
    filter,
    complete,
  } = differs;
  const rules = { stripsEnd, dropsNewlines, turnTokens };
  return {
    kind: 'reasoning',
    ...described,
    stateVersion: 1,
    stateSchema: markedReasoningState,
    parsesWhenNone: true,
    create: (context) => createMarkedReasoning(markers(context), rules, context),
    hidesEndToken: (context) => context.hasToolParser || thinks(context),
    promptEnded: (promptTokenIds, context) => markedPromptEnded(promptTokenIds, markers(context), rules, context),
    ...(filter ? { filter } : {}),
    ...(complete ? { complete } : {}),
  };
}

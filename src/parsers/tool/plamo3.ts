import type { ToolFormat } from '../../core/stream-parser.ts';
import { createJsonReader } from '../family/json-arguments.ts';
import type { JsonArguments } from '../family/json-arguments.ts';
import { coerceArguments } from '../family/json-coercion.ts';
import { dropBlankContentBesideCalls } from '../family/marked-answer.ts';
import { createMarkedTool } from '../family/marked-tool.ts';
import { markedToolState } from '../family/marked-tool-state.ts';
import type { MarkedToolRules, MarkedToolState } from '../family/marked-tool-state.ts';
import { plamoMarkers } from '../family/plamo-markers.ts';

const RULES: MarkedToolRules<JsonArguments> = {
  reader: createJsonReader({ waits: false, quotes: 'likely-text', keepsUntyped: true }),
  dropsBlank: true,
  strayText: 'dropped',
  cutName: 'call',
  stripsReasoning: false,
};

/**
 * PLaMo 3: a section of calls, each with its name and its arguments as JSON between markers of their own.
 *
 *     <|plamo:begin_tool_requests:plamo|><|plamo:begin_tool_request:plamo|><|plamo:begin_tool_name:plamo|>get_weather<|plamo:end_tool_name:plamo|>
 *     <|plamo:begin_tool_arguments:plamo|><|plamo:constrain|>json<|plamo:msg|>{"city": "Bergen"}<|plamo:end_tool_arguments:plamo|>
 *     <|plamo:end_tool_request:plamo|><|plamo:end_tool_requests:plamo|>
 *
 * Specified by the model's chat template. As in the reference, text between markers of a section is dropped, and so is a marker that the
 * end of the output cut off. Other than it: markers inside strings are text, text behind calls stays in complete answers, values without
 * a type stay as written, and others are brought into the types of their schemas in streams too.
 */
export const plamo3: ToolFormat<MarkedToolState<JsonArguments>> = {
  kind: 'tool',
  name: 'plamo3',
  aliases: [],
  models: 'PLaMo 3',
  sample:
    '<|plamo:begin_tool_name:plamo|>get_weather<|plamo:end_tool_name:plamo|><|plamo:begin_tool_arguments:plamo|><|plamo:constrain|>json<|plamo:msg|>{"city": "Bergen"}<|plamo:end_tool_arguments:plamo|>',
  stateVersion: 1,
  stateSchema: markedToolState(RULES.reader),
  create: (context) => createMarkedTool(plamoMarkers(context), RULES, context),
  forcedChoice: 'markup',
  whenNone: 'parse',
  callDeltas: 'merged',
  countsIds: true,
  complete(answer, context) {
    coerceArguments(answer, context, true);
    dropBlankContentBesideCalls(answer);
  },
};

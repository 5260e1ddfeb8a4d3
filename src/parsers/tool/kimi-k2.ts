import type { ToolFormat } from '../../core/stream-parser.ts';
import { createJsonReader } from '../family/json-arguments.ts';
import type { JsonArguments } from '../family/json-arguments.ts';
import { coerceArguments } from '../family/json-coercion.ts';
import { functionId, kimiMarkers } from '../family/kimi-markers.ts';
import { dropBlankContentBesideCalls } from '../family/marked-answer.ts';
import { createMarkedTool } from '../family/marked-tool.ts';
import { markedToolState } from '../family/marked-tool-state.ts';
import type { MarkedToolRules, MarkedToolState } from '../family/marked-tool-state.ts';
import { thinksByEitherName } from '../family/thinking-switch.ts';

const RULES: MarkedToolRules<JsonArguments> = {
  reader: createJsonReader({ waits: false, quotes: 'likely-text' }),
  nameOf: functionId,
  dropsBlank: true,
  strayText: 'dropped',
  cutName: 'dropped',
  stripsReasoning: true,
};

/**
 * Kimi K2: a section of calls, each with its id and its arguments as JSON.
 *
 *     <|tool_calls_section_begin|><|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>{"city": "Bergen"}<|tool_call_end|>
 *     <|tool_calls_section_end|>
 *
 * Specified by the model's guide to tool calling. As in the reference, calls end the turn: text behind the section is dropped. Other than
 * it: markers inside strings of the arguments are text, headers without a count name functions too, streamed arguments are brought into
 * the types of their schemas as in complete answers, empty arguments are `{}`, and a call whose name was cut off is none.
 */
export const kimiK2: ToolFormat<MarkedToolState<JsonArguments>> = {
  kind: 'tool',
  name: 'kimi_k2',
  aliases: ['kimi', 'kimik2'],
  models: 'Kimi K2',
  sample:
    '<|tool_calls_section_begin|><|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>{"city": "Bergen"}<|tool_call_end|><|tool_calls_section_end|>',
  stateVersion: 1,
  stateSchema: markedToolState(RULES.reader),
  create: (context) => createMarkedTool(kimiMarkers(thinksByEitherName(context.chatTemplateKwargs)), RULES, context),
  forcedChoice: 'markup',
  whenNone: 'parse',
  callDeltas: 'merged',
  countsIds: true,
  complete(answer, context) {
    coerceArguments(answer, context);
    dropBlankContentBesideCalls(answer);
  },
};

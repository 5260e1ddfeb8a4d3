import type { ToolFormat } from '../../core/stream-parser.ts';
import { gemmaArguments } from '../family/gemma-arguments.ts';
import type { GemmaArguments } from '../family/gemma-arguments.ts';
import { GEMMA_MARKERS } from '../family/gemma-markers.ts';
import { mergeRepeatedParameters, stripContentBesideCalls } from '../family/marked-answer.ts';
import { createMarkedTool } from '../family/marked-tool.ts';
import { markedToolState } from '../family/marked-tool-state.ts';
import type { MarkedToolRules, MarkedToolState } from '../family/marked-tool-state.ts';

const RULES: MarkedToolRules<GemmaArguments> = {
  reader: gemmaArguments,
  dropsBlank: true,
  strayText: 'content',
  cutName: 'call',
  stripsReasoning: true,
};

/**
 * Gemma 4: a function's name and its arguments in a notation of their own, strings between `<|"|>`.
 *
 *     <|tool_call>call:get_weather{city:<|"|>Bergen<|"|>,days:2}<tool_call|>
 *
 * Specified by the models' chat template. As in the reference, a call that is cut off is closed, all is text in objects of which the
 * schema tells nothing, and what belongs to no key is dropped. Other than it: markers inside strings are text, numbers, booleans and
 * null without quotes are such wherever else no type is given, a call that is not closed ends where the next one begins, a text that
 * makes no call is content, and text behind a call stays in complete answers.
 */
export const gemma4: ToolFormat<MarkedToolState<GemmaArguments>> = {
  kind: 'tool',
  name: 'gemma4',
  aliases: [],
  models: 'Gemma 4',
  sample: '<|tool_call>call:get_weather{city:<|"|>Bergen<|"|>,days:2}<tool_call|>',
  stateVersion: 1,
  stateSchema: markedToolState(gemmaArguments),
  create: (context) => createMarkedTool(GEMMA_MARKERS, RULES, context),
  forcedChoice: 'markup',
  whenNone: 'parse',
  callDeltas: 'merged',
  countsIds: true,
  complete(answer) {
    mergeRepeatedParameters(answer);
    stripContentBesideCalls(answer);
  },
};

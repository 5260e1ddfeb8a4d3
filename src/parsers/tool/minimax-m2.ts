import type { ToolFormat } from '../../core/stream-parser.ts';
import { mergeRepeatedParameters, stripContentBesideCalls } from '../family/marked-answer.ts';
import { createMarkedTool } from '../family/marked-tool.ts';
import { markedToolState } from '../family/marked-tool-state.ts';
import type { MarkedToolRules, MarkedToolState } from '../family/marked-tool-state.ts';
import { MINIMAX_M2_MARKERS, minimaxParameters } from '../family/minimax-m2-markers.ts';
import type { XmlParameters } from '../family/xml-parameters.ts';

const RULES: MarkedToolRules<XmlParameters> = {
  reader: minimaxParameters,
  knownNamesOnly: true,
  dropsBlank: true,
  strayText: 'content',
  cutName: 'call',
  stripsReasoning: true,
};

/**
 * MiniMax M2: calls in a block, as XML-like elements. Parameters are plain text; the function's schema gives their types.
 *
 *     <minimax:tool_call>
 *     <invoke name="get_weather">
 *     <parameter name="city">Bergen</parameter>
 *     </invoke>
 *     </minimax:tool_call>
 *
 * Specified by the model's chat template. Calls of functions that the request does not offer are content. Other than the reference: text
 * behind a call stays in complete answers, a value that is not closed is kept, a repeated parameter overrides the first, and the text of
 * a refused call is not lost.
 */
export const minimaxM2: ToolFormat<MarkedToolState<XmlParameters>> = {
  kind: 'tool',
  name: 'minimax_m2',
  aliases: ['minimax-m2', 'minimax'],
  models: 'MiniMax M2',
  sample: '<minimax:tool_call>\n<invoke name="get_weather">\n<parameter name="city">Bergen</parameter>\n</invoke>\n</minimax:tool_call>',
  stateVersion: 1,
  stateSchema: markedToolState(minimaxParameters),
  create: (context) => createMarkedTool(MINIMAX_M2_MARKERS, RULES, context),
  forcedChoice: 'markup',
  whenNone: 'parse',
  callDeltas: 'merged',
  countsIds: true,
  complete(answer) {
    mergeRepeatedParameters(answer);
    stripContentBesideCalls(answer);
  },
};

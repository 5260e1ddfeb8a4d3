import type { ToolFormat } from '../../core/stream-parser.ts';
import { GLM_TOOL_RULES, glmMarkers, glmThinks } from '../family/glm-markers.ts';
import type { GlmArguments } from '../family/glm-markers.ts';
import { mergeRepeatedParameters, stripContentBesideCalls } from '../family/marked-answer.ts';
import { createMarkedTool } from '../family/marked-tool.ts';
import { markedToolState } from '../family/marked-tool-state.ts';
import type { MarkedToolState } from '../family/marked-tool-state.ts';

/**
 * GLM-4.5 to GLM-5: the function's name, then keys and values between markers of their own; values are plain text, typed by the schema.
 *
 *     <tool_call>get_weather
 *     <arg_key>city</arg_key>
 *     <arg_value>Bergen</arg_value>
 *     </tool_call>
 *
 * Specified by the models' chat template. Calls of functions that the request does not offer are content. Other than the reference: text
 * behind a call stays in complete answers, a value that is not closed is kept, a repeated key overrides the first, a call that is not
 * closed ends where the next one begins, and the text of a refused call is not lost.
 */
export const glm47: ToolFormat<MarkedToolState<GlmArguments>> = {
  kind: 'tool',
  name: 'glm47',
  aliases: ['glm45', 'glm45_moe', 'glm47_moe', 'glm4_moe', 'glm', 'ling3'],
  models: 'GLM-4.5, GLM-4.6, GLM-4.7, GLM-5, Ling 3',
  sample: '<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>Bergen</arg_value>\n</tool_call>',
  stateVersion: 1,
  stateSchema: markedToolState(GLM_TOOL_RULES.reader),
  create: (context) => createMarkedTool(glmMarkers(glmThinks(context)), GLM_TOOL_RULES, context),
  forcedChoice: 'markup',
  whenNone: 'parse',
  callDeltas: 'merged',
  countsIds: true,
  complete(answer) {
    mergeRepeatedParameters(answer);
    stripContentBesideCalls(answer);
  },
};

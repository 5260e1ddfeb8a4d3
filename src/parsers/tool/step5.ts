import type { CompleteAnswer } from '../../core/stream-parser.ts';
import { dropBlankContentBesideCalls, mergeRepeatedParameters } from '../family/marked-answer.ts';
import { qwen3ToolFormat } from '../family/qwen3-format.ts';
import type { Qwen3Tool } from '../family/qwen3-format.ts';
import { qwen3Markers } from '../family/qwen3-markers.ts';

function complete(answer: CompleteAnswer): void {
  mergeRepeatedParameters(answer);
  dropBlankContentBesideCalls(answer);
}

/**
 * Step-5: the grammar of qwen3_coder; white space around calls stays in the content.
 *
 *     <tool_call>
 *     <function=get_weather>
 *     <parameter=city>
 *     Bergen
 *     </parameter>
 *     </function>
 *     </tool_call>
 *
 * Specified by the models' chat template. Differs from the reference as qwen3_coder does.
 */
export const step5: Qwen3Tool = qwen3ToolFormat(
  {
    name: 'step5',
    aliases: [],
    models: 'Step-5',
    sample: '<tool_call>\n<function=get_weather>\n<parameter=city>\nBergen\n</parameter>\n</function>\n</tool_call>',
  },
  { markers: () => qwen3Markers(false), rules: { dropsBlank: false }, format: { complete } },
);

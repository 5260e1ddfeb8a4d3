import { qwen3ToolFormat } from '../family/qwen3-format.ts';
import type { Qwen3Tool } from '../family/qwen3-format.ts';
import { qwen3Markers } from '../family/qwen3-markers.ts';

/**
 * Step-3.5 and Step-3.7: the grammar of qwen3_coder; thinking cannot be switched off.
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
export const step3p5: Qwen3Tool = qwen3ToolFormat(
  {
    name: 'step3p5',
    aliases: ['step3p7'],
    models: 'Step-3.5, Step-3.7',
    sample: '<tool_call>\n<function=get_weather>\n<parameter=city>\nBergen\n</parameter>\n</function>\n</tool_call>',
  },
  { markers: () => qwen3Markers(true), rules: { stripsReasoning: true } },
);

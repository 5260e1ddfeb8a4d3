import { qwen3ToolFormat } from '../family/qwen3-format.ts';
import type { Qwen3Tool } from '../family/qwen3-format.ts';
import { verbatimParameters } from '../family/qwen3-markers.ts';

/**
 * Xiaomi MiMo: the grammar of qwen3_coder, with values right between the tags; newlines around them belong to them.
 *
 *     <tool_call>
 *     <function=get_weather>
 *     <parameter=city>Bergen</parameter>
 *     </function>
 *     </tool_call>
 *
 * Specified by the models' chat template. Differs from the reference as qwen3_coder does.
 */
export const mimo: Qwen3Tool = qwen3ToolFormat(
  {
    name: 'mimo',
    aliases: [],
    models: 'MiMo',
    sample: '<tool_call>\n<function=get_weather>\n<parameter=city>Bergen</parameter>\n</function>\n</tool_call>',
  },
  { rules: { reader: verbatimParameters } },
);

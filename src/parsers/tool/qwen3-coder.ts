import { qwen3ToolFormat } from '../family/qwen3-format.ts';
import type { Qwen3Tool } from '../family/qwen3-format.ts';

/**
 * Qwen3-Coder, Qwen3.5 and others: calls as XML-like elements. Parameters are plain text; the function's schema gives their types.
 *
 *     <tool_call>
 *     <function=get_weather>
 *     <parameter=city>
 *     Bergen
 *     </parameter>
 *     </function>
 *     </tool_call>
 *
 * Specified by the models' chat template. Other than the reference: text behind a call stays in complete answers, a parameter that is
 * not closed keeps its value, names lose the white space around them, a repeated parameter overrides the first, `</tool_call>` ends a
 * call outside of values, and what stands between `<tool_call>` and `</tool_call>` without naming a function becomes content.
 */
export const qwen3Coder: Qwen3Tool = qwen3ToolFormat({
  name: 'qwen3_coder',
  aliases: ['qwen3_xml', 'qwen_coder', 'qwen_xml', 'nemotron_v3', 'nemotron_nano', 'minicpmv'],
  models: 'Qwen3-Coder, Qwen3.5, Nemotron 3, Granite 4.2, MiniCPM-V',
  sample: '<tool_call>\n<function=get_weather>\n<parameter=city>\nBergen\n</parameter>\n</function>\n</tool_call>',
});

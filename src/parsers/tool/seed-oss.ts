import { qwen3ToolFormat } from '../family/qwen3-format.ts';
import type { Qwen3Tool } from '../family/qwen3-format.ts';
import { SEED_WRAPPERS, qwen3Markers } from '../family/qwen3-markers.ts';
import { enablesThinking } from '../family/thinking-switch.ts';

/**
 * ByteDance Seed-OSS: the grammar of qwen3_coder in markers of its own.
 *
 *     <seed:tool_call>
 *     <function=get_weather>
 *     <parameter=city>Bergen</parameter>
 *     </function>
 *     </seed:tool_call>
 *
 * Specified by the model's chat template. Differs from the reference as qwen3_coder does.
 */
export const seedOss: Qwen3Tool = qwen3ToolFormat(
  {
    name: 'seed_oss',
    aliases: [],
    models: 'Seed-OSS',
    sample: '<seed:tool_call>\n<function=get_weather>\n<parameter=city>Bergen</parameter>\n</function>\n</seed:tool_call>',
  },
  {
    markers: ({ chatTemplateKwargs }) => qwen3Markers(enablesThinking(chatTemplateKwargs), SEED_WRAPPERS),
    format: { forcedChoice: 'json' },
  },
);

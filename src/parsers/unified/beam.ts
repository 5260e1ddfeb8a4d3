import type { UnifiedFormat } from '../../core/stream-parser.ts';
import type { RegionState } from '../response-template/region-state.ts';
import { configuredTemplate, responseTemplateFormat } from '../response-template/response-template-format.ts';

/**
 * Beam: read by the checkpoint's own response template, as `hf`; only the constraints that a prompt's request gets differ.
 *
 *     <think>
 *     Let me see.
 *     </think>
 *     <tool_call>
 *     {"name": "get_weather", "arguments": {"city": "Oslo"}}
 *     </tool_call>
 *
 * Specified by `response_template` in the checkpoint's tokenizer_config.json. Differs from the reference as hf does.
 */
export const beam: UnifiedFormat<RegionState> = responseTemplateFormat(
  {
    name: 'beam',
    aliases: [],
    models: 'Beam',
    sample: '<think>\nLet me see.\n</think>\n<tool_call>\n{"name": "get_weather", "arguments": {"city": "Oslo"}}\n</tool_call>',
  },
  ({ tokenizerConfig }) => configuredTemplate(tokenizerConfig),
);

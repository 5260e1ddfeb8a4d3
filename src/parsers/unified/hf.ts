import type { UnifiedFormat } from '../../core/stream-parser.ts';
import type { RegionState } from '../response-template/region-state.ts';
import { configuredTemplate, responseTemplateFormat } from '../response-template/response-template-format.ts';

/**
 * Whatever the checkpoint says of itself: `response_template` in its tokenizer_config.json describes the regions of a message.
 *
 *     {"start_anchor": "<|im_start|>assistant\n",
 *      "fields": {"thinking": {"open": "<think>", "close": "</think>"}, "content": {},
 *                 "tool_calls": {"open": "<tool_call>", "close": "</tool_call>", "repeats": true, "content": "json",
 *                                "transform": {"function": {"name": "{content.name}", "arguments": "{content.arguments}"}}}}}
 *
 * Specified by the transformers library (response parsing). As in the reference: calls come as a whole; a region of calls that cannot be
 * read is dropped, and so is text outside of regions where no field takes it. Other than the reference: the prompt counts in complete
 * answers too, and what closes a region of JSON calls may stand in a string.
 */
export const hf: UnifiedFormat<RegionState> = responseTemplateFormat(
  {
    name: 'hf',
    aliases: [],
    models: 'Checkpoints with a response_template in tokenizer_config.json',
    sample: '<think>Let me see.</think><tool_call>{"name": "get_weather", "arguments": {"city": "Oslo"}}</tool_call>',
  },
  ({ tokenizerConfig }) => configuredTemplate(tokenizerConfig),
);

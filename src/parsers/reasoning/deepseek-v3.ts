import type { ReasoningFormat } from '../../core/stream-parser.ts';
import { switchableThinking } from '../family/switchable-thinking.ts';
import { truthy } from '../family/think-tags.ts';
import type { ThinkState } from '../family/think-tags.ts';

/*
 * Thinking between <think> and </think> as in deepseek_r1, where the request switches it on with the template arguments `thinking` or
 * `enable_thinking`; otherwise all is content, markers too.
 *
 * Written by DeepSeek V3.1. Specified by the chat template. Differs from the reference as deepseek_r1 does.
 */
export const deepseekV3Reasoning: ReasoningFormat<ThinkState> = switchableThinking({
  name: 'deepseek_v3',
  aliases: ['deepseek-v3', 'deepseek_v31'],
  models: 'DeepSeek V3.1, thinking off by default',
  sample: '<think>\nLet me see.\n</think>\n\nThe answer.',
  tagsOf: () => ({ start: '<think>', end: '</think>' }),
  thinks: ({ chatTemplateKwargs: { thinking, enable_thinking: enables } }) => truthy(thinking) || truthy(enables),
});

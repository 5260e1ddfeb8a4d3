import type { ReasoningFormat } from '../../core/stream-parser.ts';
import { switchableThinking } from '../family/switchable-thinking.ts';
import { truthy } from '../family/think-tags.ts';
import type { ThinkState } from '../family/think-tags.ts';

/*
 * Thinking between <think> and </think> as in deepseek_r1, unless the request switches it off with the template arguments `thinking` or
 * `enable_thinking`; all is content then, markers too.
 *
 * Written by Holo2. Specified by the chat template. Differs from the reference as deepseek_r1 does.
 */
export const holo2: ReasoningFormat<ThinkState> = switchableThinking({
  name: 'holo2',
  aliases: [],
  models: 'Holo2, thinking on by default',
  sample: '<think>\nLet me see.\n</think>\n\nThe answer.',
  requiredTokens: ['<think>', '</think>'],
  tagsOf: () => ({ start: '<think>', end: '</think>' }),
  thinks: ({ chatTemplateKwargs: { thinking, enable_thinking: enables } }) =>
    (thinking ?? enables ?? null) === null || truthy(thinking) || truthy(enables),
});

import type { ReasoningFormat } from '../../core/stream-parser.ts';
import { switchableThinking } from '../family/switchable-thinking.ts';
import { truthy } from '../family/think-tags.ts';
import type { ThinkState } from '../family/think-tags.ts';

/*
 * Thinking between <think> and </think>, where the request switches it on with the template arguments `thinking` or `enable_thinking`;
 * otherwise all is content, markers too. Of the prompt only the turn that it opens counts.
 *
 * Written by Poolside's Laguna. Specified by the chat template. Differs from the reference as deepseek_r1 does.
 */
export const poolsideV1Reasoning: ReasoningFormat<ThinkState> = switchableThinking({
  name: 'poolside_v1',
  aliases: [],
  models: 'Laguna',
  sample: '<think>Let me see.</think>The answer.',
  requiredTokens: ['<assistant>'],
  tagsOf: () => ({ start: '<think>', end: '</think>' }),
  thinks: ({ chatTemplateKwargs: { thinking, enable_thinking: enables } }) => truthy(thinking) || truthy(enables),
  turnStart: '<assistant>',
});

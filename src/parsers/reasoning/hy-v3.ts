import type { ReasoningFormat } from '../../core/stream-parser.ts';
import { configuredSuffix, hunyuanThinkTags } from '../family/hunyuan-suffix.ts';
import { switchableThinking } from '../family/switchable-thinking.ts';
import type { ThinkState } from '../family/think-tags.ts';

/*
 * Thinking between <think> and </think>, each with the suffix of the checkpoint's tags, in requests with a reasoning effort other than
 * "no_think", which is the default; otherwise all is content, markers too.
 *
 * Written by Hunyuan 3. Specified by the chat template. Differs from the reference as deepseek_r1 does.
 */
export const hyV3Reasoning: ReasoningFormat<ThinkState> = switchableThinking({
  name: 'hy_v3',
  aliases: [],
  models: 'Hunyuan 3, thinking off by default',
  sample: '<think>Let me see.</think>The answer.',
  requiredTokens: (model) => Object.values(hunyuanThinkTags(configuredSuffix(model))),
  tagsOf: (context) => hunyuanThinkTags(configuredSuffix(context)),
  thinks: ({ chatTemplateKwargs: { reasoning_effort: effort } }) => (effort || 'no_think') !== 'no_think',
});

import type { ReasoningFormat } from '../../core/stream-parser.ts';
import { hunyuanThinkTags, vocabularySuffix } from '../family/hunyuan-suffix.ts';
import { switchableThinking } from '../family/switchable-thinking.ts';
import type { ThinkState } from '../family/think-tags.ts';

/*
 * Thinking between <think> and </think>, each with the suffix of the checkpoint's tags, unless the reasoning effort is "no_think"; all is
 * content then, markers too.
 *
 * Written by Hunyuan 4. Specified by the chat template. Differs from the reference as deepseek_r1 does.
 */
export const hyV4Reasoning: ReasoningFormat<ThinkState> = switchableThinking({
  name: 'hy_v4',
  aliases: [],
  models: 'Hunyuan 4, thinking on by default',
  sample: '<think>Let me see.</think>The answer.',
  requiredTokens: (model) => Object.values(hunyuanThinkTags(vocabularySuffix(model))),
  tagsOf: (context) => hunyuanThinkTags(vocabularySuffix(context)),
  thinks: ({ chatTemplateKwargs: { reasoning_effort: effort } }) => effort !== 'no_think',
});

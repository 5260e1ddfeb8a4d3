import type { ReasoningFormat } from '../../core/stream-parser.ts';
import type { MarkedReasoningState } from '../family/marked-reasoning.ts';
import { qwen3ReasoningFormat } from '../family/qwen3-format.ts';
import { SEED_WRAPPERS, qwen3Markers } from '../family/qwen3-markers.ts';
import { enablesThinking } from '../family/thinking-switch.ts';

/**
 * ByteDance Seed-OSS: reasoning up to `</seed:think>`, open from the start unless the request sets `enable_thinking` to false.
 *
 *     <seed:think>Let me see.</seed:think>It is 4.
 *
 * Specified by the model's chat template. Differs from the reference as qwen3 does.
 */
export const seedOssReasoning: ReasoningFormat<MarkedReasoningState> = qwen3ReasoningFormat(
  {
    name: 'seed_oss',
    aliases: [],
    models: 'Seed-OSS',
    sample: '<seed:think>Let me see.</seed:think>It is 4.',
  },
  {
    markers: ({ chatTemplateKwargs }) => qwen3Markers(enablesThinking(chatTemplateKwargs), SEED_WRAPPERS),
    turnTokens: ['<seed:bos>', '<seed:eos>'],
  },
);

import type { ReasoningFormat } from '../../core/stream-parser.ts';
import { dsmlReasoningFormat } from '../family/dsml-format.ts';
import type { MarkedReasoningState } from '../family/marked-reasoning.ts';
import { DEEPSEEK_V41 } from '../tool/deepseek-v41.ts';

/**
 * DeepSeek V4.1: reasoning as in deepseek_v4; its own block of calls ends it.
 *
 *     <think>Let me see.</think>It is 4.
 *
 * Specified by the encoder beside the model. Differs from the reference as deepseek_v4 does.
 */
export const deepseekV41Reasoning: ReasoningFormat<MarkedReasoningState> = dsmlReasoningFormat(
  {
    name: 'deepseek_v41',
    aliases: [],
    models: 'DeepSeek V4.1',
    sample: '<think>Let me see.</think>It is 4.',
  },
  DEEPSEEK_V41,
);

import type { ReasoningFormat } from '../../core/stream-parser.ts';
import { dsmlReasoningFormat } from '../family/dsml-format.ts';
import type { MarkedReasoningState } from '../family/marked-reasoning.ts';
import { DEEPSEEK_V4 } from '../tool/deepseek-v4.ts';

/**
 * DeepSeek V4: reasoning between `<think>` and `</think>`, open from the start unless the request switches it off by `thinking`,
 * `enable_thinking` or a reasoning effort of `none`. A block of calls ends it too; white space at its end is dropped.
 *
 *     <think>Let me see.</think>It is 4.
 *
 * Specified by the encoder beside the model. Other than the reference: a prompt that closes reasoning counts in complete answers too.
 */
export const deepseekV4Reasoning: ReasoningFormat<MarkedReasoningState> = dsmlReasoningFormat(
  {
    name: 'deepseek_v4',
    aliases: ['deepseek-v4'],
    models: 'DeepSeek V4',
    sample: '<think>Let me see.</think>It is 4.',
  },
  DEEPSEEK_V4,
);

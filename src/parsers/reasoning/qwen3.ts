import type { ReasoningFormat } from '../../core/stream-parser.ts';
import type { MarkedReasoningState } from '../family/marked-reasoning.ts';
import { qwen3ReasoningFormat } from '../family/qwen3-format.ts';

/**
 * Qwen3, MiMo and their kin: reasoning up to `</think>`, open from the start unless the request sets `enable_thinking` to false.
 *
 *     Let me see.
 *     </think>
 *
 *     It is 4.
 *
 * `<tool_call>` ends reasoning too. Specified by the models' chat templates. Other than the reference: a prompt that closes reasoning
 * counts in complete answers too.
 */
export const qwen3: ReasoningFormat<MarkedReasoningState> = qwen3ReasoningFormat({
  name: 'qwen3',
  aliases: ['mimo', 'qwen3_coder', 'qwen3-thinking', 'qwen3_thinking'],
  models: 'Qwen3, Qwen3-Next, Qwen3.5, MiMo',
  sample: '<think>\nLet me see.\n</think>\n\nIt is 4.',
});

import type { ReasoningFormat } from '../../core/stream-parser.ts';
import { forcedContent } from '../family/answer-filters.ts';
import type { MarkedReasoningState } from '../family/marked-reasoning.ts';
import { qwen3ReasoningFormat } from '../family/qwen3-format.ts';

/**
 * IBM Granite 4.2: reasoning as in nemotron_v3; the newlines behind it are dropped.
 *
 *     <think>
 *     Let me see.
 *     </think>
 *     It is 4.
 *
 * Specified by the models' chat template. Differs from the reference as nemotron_v3 does.
 */
export const graniteThinking: ReasoningFormat<MarkedReasoningState> = qwen3ReasoningFormat(
  {
    name: 'granite_thinking_parser',
    aliases: ['granite_thinking'],
    models: 'Granite 4.2',
    sample: '<think>\nLet me see.\n</think>\nIt is 4.',
  },
  {
    stripsEnd: true,
    dropsNewlines: true,
    filter: forcedContent,
    complete(answer) {
      answer.content = answer.content?.replace(/^\n+/, '') || null;
    },
  },
);

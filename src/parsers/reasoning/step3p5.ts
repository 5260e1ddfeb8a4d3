import type { ReasoningFormat } from '../../core/stream-parser.ts';
import type { MarkedReasoningState } from '../family/marked-reasoning.ts';
import { qwen3ReasoningFormat } from '../family/qwen3-format.ts';
import { qwen3Markers } from '../family/qwen3-markers.ts';

/**
 * Step-3.5 and Step-3.7: reasoning up to `</think>`, always on; white space at its end is dropped.
 *
 *     <think>
 *     Let me see.
 *     </think>
 *     It is 4.
 *
 * Specified by the models' chat template. Differs from the reference as qwen3 does.
 */
export const step3p5Reasoning: ReasoningFormat<MarkedReasoningState> = qwen3ReasoningFormat(
  {
    name: 'step3p5',
    aliases: ['step3p7'],
    models: 'Step-3.5, Step-3.7',
    sample: '<think>\nLet me see.\n</think>\nIt is 4.',
  },
  { markers: () => qwen3Markers(true), thinks: () => true, stripsEnd: true },
);

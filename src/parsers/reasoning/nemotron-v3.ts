import type { ReasoningFormat } from '../../core/stream-parser.ts';
import { forcedContent } from '../family/answer-filters.ts';
import type { MarkedReasoningState } from '../family/marked-reasoning.ts';
import { qwen3ReasoningFormat } from '../family/qwen3-format.ts';

/**
 * NVIDIA Nemotron 3: reasoning as in qwen3; white space at its end is dropped. Where the request sets `force_nonempty_content`,
 * reasoning that nothing follows is given as content too.
 *
 *     <think>
 *     Let me see.
 *     </think>
 *     It is 4.
 *
 * Specified by the models' chat template. Other than the reference: complete answers say lone reasoning twice as its streams do, and
 * a prompt that closes reasoning counts in them too.
 */
export const nemotronV3: ReasoningFormat<MarkedReasoningState> = qwen3ReasoningFormat(
  {
    name: 'nemotron_v3',
    aliases: ['nemotron_3', 'nemotron', 'nano_v3'],
    models: 'Nemotron 3',
    sample: '<think>\nLet me see.\n</think>\nIt is 4.',
  },
  { stripsEnd: true, filter: forcedContent },
);

import { z } from 'zod';
import type { ParserContext, ReasoningFormat } from '../../core/stream-parser.ts';

interface AppendThinkState {
  begun: boolean;
}

const START = '<think>';
const END = '</think>';

function promptEnded(promptTokenIds: readonly number[], { vocabulary }: ParserContext): boolean {
  const start = vocabulary.tokenToId(START);
  const end = vocabulary.tokenToId(END);
  const last = promptTokenIds.findLast((id) => id === start || id === end);
  return last !== undefined && last === end;
}

/**
 * MiniMax M2 for clients that read the markers themselves: nothing is reasoning, and the `<think>` that the prompt ends with is given
 * back in front of the content.
 *
 *     Let me see.
 *     </think>
 *
 *     It is 4.
 *
 * Specified by the model's chat template. Other than the reference: calls are read wherever they stand, in streams too, and a prompt that
 * closes reasoning counts in complete answers too.
 */
export const minimaxM2AppendThink: ReasoningFormat<AppendThinkState> = {
  kind: 'reasoning',
  name: 'minimax_m2_append_think',
  aliases: ['minimax-append-think', 'minimax_append_think'],
  models: 'MiniMax M2, with its markers in the content',
  sample: 'Let me see.\n</think>\n\nIt is 4.',
  stateVersion: 1,
  stateSchema: z.object({ begun: z.boolean() }),
  create: (context) => ({
    init: (promptTokenIds) => ({ begun: promptEnded(promptTokenIds, context) }),
    push(state, piece, sink): void {
      state.begun = true;
      sink.pass({ text: START, tokenId: null });
      sink.pass(piece);
    },
    finish(state, sink): void {
      state.begun = true;
      sink.pass({ text: START, tokenId: null });
    },
    ended: (state) => state.begun,
  }),
  promptEnded,
};

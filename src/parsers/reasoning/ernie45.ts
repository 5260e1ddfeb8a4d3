import type { ReasoningFormat, ReasoningSink } from '../../core/stream-parser.ts';
import { isResponseTag } from '../family/response-tags.ts';
import { createThinkParser, promptReasoning, thinkState } from '../family/think-tags.ts';
import type { ThinkState } from '../family/think-tags.ts';

/*
 * Let me see.
 * </think>
 *
 * <response>
 * The answer.
 * </response>
 *
 * Written by Baidu's Ernie 4.5 thinking models; the response tokens may be missing. Specified by the chat template.
 *
 * As in the reference: without markers all is reasoning. On purpose unlike it: the response tokens are left out wherever they stand, what
 * stands around them is kept, and the opening marker never is in reasoning.
 */

const TAGS = { start: '<think>', end: '</think>' };

export const ernie45Reasoning: ReasoningFormat<ThinkState> = {
  kind: 'reasoning',
  name: 'ernie45',
  aliases: [],
  models: 'Ernie 4.5 thinking models',
  sample: 'Let me see.\n</think>\n\n<response>\nThe answer.\n</response>',
  stateVersion: 1,
  stateSchema: thinkState,
  requiredTokens: [TAGS.start, TAGS.end],
  create(context) {
    const parser = createThinkParser(TAGS, context, (ids) => promptReasoning(ids, TAGS, context) === 'closed');
    // The parser sees the answer too: without a tool parser nobody else takes the response tokens out.
    return {
      ...parser,
      push(state, piece, sink: ReasoningSink) {
        if (!state.ended) parser.push(state, piece, sink);
        else if (!isResponseTag(piece)) sink.pass(piece);
      },
      ended: () => false,
    };
  },
  promptEnded: (ids, context) => promptReasoning(ids, TAGS, context) === 'closed',
  complete(answer) {
    answer.reasoning ??= '';
  },
};

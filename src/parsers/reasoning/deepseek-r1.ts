import type { ReasoningFormat } from '../../core/stream-parser.ts';
import { createThinkParser, promptReasoning, thinkState } from '../family/think-tags.ts';
import type { ThinkState } from '../family/think-tags.ts';

/*
 * <think>
 * Let me see.
 * </think>
 *
 * The answer.
 *
 * Written by DeepSeek R1 and its distillates. Specified by the model card and chat template, which open reasoning in the prompt.
 *
 * As in the reference: without markers all is reasoning. On purpose unlike it: text in front of the opening marker is kept in complete
 * answers, the marker never is, and a prompt that has closed reasoning counts for complete answers too.
 */

const TAGS = { start: '<think>', end: '</think>' };

export const deepseekR1: ReasoningFormat<ThinkState> = {
  kind: 'reasoning',
  name: 'deepseek_r1',
  aliases: ['basic', 'deepseek-r1', 'step5'],
  models: 'DeepSeek R1 and models that think between <think> and </think>',
  sample: '<think>\nLet me see.\n</think>\n\nThe answer.',
  stateVersion: 1,
  stateSchema: thinkState,
  requiredTokens: [TAGS.start, TAGS.end],
  hidesEndToken: { after: TAGS.start },
  create: (context) => createThinkParser(TAGS, context, (ids) => promptReasoning(ids, TAGS, context) === 'closed'),
  promptEnded: (ids, context) => promptReasoning(ids, TAGS, context) === 'closed',
  complete(answer) {
    answer.reasoning ??= '';
  },
};

import type { ParserContext, ReasoningFormat } from '../../core/stream-parser.ts';
import { createThinkParser, thinkState } from '../family/think-tags.ts';
import type { ThinkState } from '../family/think-tags.ts';

/*
 * Let me see.</think>The answer.
 *
 * Written by StepFun's Step 3, whose prompt opens reasoning. Specified by the chat template.
 *
 * As in the reference: everything up to the closing marker is reasoning, an opening one too; a closing marker anywhere in the prompt means
 * that there is none. On purpose unlike it: that holds for complete answers too.
 */

const TAGS = { start: null, end: '</think>' };

function promptEnded(promptTokenIds: readonly number[], { vocabulary }: ParserContext): boolean {
  const end = vocabulary.tokenToId(TAGS.end);
  return end !== undefined && promptTokenIds.includes(end);
}

export const step3Reasoning: ReasoningFormat<ThinkState> = {
  kind: 'reasoning',
  name: 'step3',
  aliases: [],
  models: 'Step 3',
  sample: 'Let me see.</think>The answer.',
  stateVersion: 1,
  stateSchema: thinkState,
  requiredTokens: [TAGS.end],
  create: (context) => createThinkParser(TAGS, context, (ids) => promptEnded(ids, context)),
  promptEnded,
};

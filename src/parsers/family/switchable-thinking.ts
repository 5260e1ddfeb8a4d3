import type { FormatCheck, ParserContext, ReasoningFormat } from '../../core/stream-parser.ts';
import { createThinkParser, promptReasoning, thinkState } from './think-tags.ts';
import type { ThinkState, ThinkTags } from './think-tags.ts';

export interface SwitchableThinking {
  name: string;
  aliases: readonly string[];
  models: string;
  sample: string;
  requiredTokens?: readonly string[] | ((model: FormatCheck) => readonly string[]);
  tagsOf: (context: ParserContext) => ThinkTags;
  /** Whether the request has thinking on; otherwise all is content, markers too. */
  thinks: (context: ParserContext) => boolean;
  /** The token that begins the assistant's turn: what stands before the last one in a prompt does not count. */
  turnStart?: string;
}

/** A format of reasoning between two added tokens, in requests that switch it on. */
export function switchableThinking({ tagsOf, thinks, turnStart, ...described }: SwitchableThinking): ReasoningFormat<ThinkState> {
  const promptEnded = (ids: readonly number[], context: ParserContext): boolean =>
    !thinks(context) || promptReasoning(ids, tagsOf(context), context, turnStart) === 'closed';
  return {
    kind: 'reasoning',
    ...described,
    stateVersion: 1,
    stateSchema: thinkState,
    create: (context) => createThinkParser(tagsOf(context), context, (ids) => promptEnded(ids, context)),
    promptEnded,
    complete(answer, context) {
      if (thinks(context)) answer.reasoning ??= '';
    },
  };
}

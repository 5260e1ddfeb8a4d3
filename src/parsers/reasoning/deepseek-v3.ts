import type { ParserContext, ReasoningFormat } from '../../core/stream-parser.ts';
import { createThinkParser, promptReasoning, thinkState, truthy } from '../family/think-tags.ts';
import type { ThinkState } from '../family/think-tags.ts';

/*
 * Thinking between <think> and </think> as in deepseek_r1, where the request switches it on with the template arguments `thinking` or
 * `enable_thinking`; otherwise all is content, markers too.
 *
 * Written by DeepSeek V3.1 (off by default) and Holo2 (on by default). Specified by their chat templates.
 */

const TAGS = { start: '<think>', end: '</think>' };

function v3Thinks({ chatTemplateKwargs }: ParserContext): boolean {
  return truthy(chatTemplateKwargs['thinking']) || truthy(chatTemplateKwargs['enable_thinking']);
}

function holoThinks(context: ParserContext): boolean {
  const { thinking, enable_thinking: enableThinking } = context.chatTemplateKwargs;
  return (thinking ?? enableThinking ?? null) === null || v3Thinks(context);
}

function switchable(
  name: string,
  aliases: readonly string[],
  models: string,
  thinks: (context: ParserContext) => boolean,
): ReasoningFormat<ThinkState> {
  const promptEnded = (ids: readonly number[], context: ParserContext): boolean =>
    !thinks(context) || promptReasoning(ids, TAGS, context) === 'closed';
  return {
    kind: 'reasoning',
    name,
    aliases,
    models,
    sample: '<think>\nLet me see.\n</think>\n\nThe answer.',
    stateVersion: 1,
    stateSchema: thinkState,
    create: (context) => createThinkParser(TAGS, context, (ids) => promptEnded(ids, context)),
    promptEnded,
    complete(answer, context) {
      if (thinks(context)) answer.reasoning ??= '';
    },
  };
}

export const deepseekV3Reasoning: ReasoningFormat<ThinkState> = switchable(
  'deepseek_v3',
  ['deepseek-v3', 'deepseek_v31'],
  'DeepSeek V3.1, thinking off by default',
  v3Thinks,
);
export const holo2: ReasoningFormat<ThinkState> = switchable('holo2', [], 'Holo2, thinking on by default', holoThinks);

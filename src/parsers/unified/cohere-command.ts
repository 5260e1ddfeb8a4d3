import type { UnifiedFormat } from '../../core/stream-parser.ts';
import { coherePromptEnded, cohereState, createCohereParser } from '../family/cohere-blocks.ts';
import type { CohereProfile, CohereState } from '../family/cohere-blocks.ts';
import { dropBlankContentBesideCalls } from '../family/marked-answer.ts';

/*
 * <|START_THINKING|>Let me look it up.<|END_THINKING|><|START_ACTION|>[
 *     {"tool_call_id": "0", "tool_name": "get_weather", "parameters": {"city": "Bergen"}}
 * ]<|END_ACTION|>
 * <|START_RESPONSE|>It <co>rains</co: 0:[0]>.<|END_RESPONSE|>
 *
 * Command A (3) and its successors (4, which write START_TEXT too); specified by Cohere's library melody. Tags of citations are left out,
 * and streams tell of them.
 *
 * As in the reference, white space around blocks is dropped, and so is text behind an answer or calls, outside of blocks; calls of tool
 * choice `none` vanish, and a call whose name was cut off is none. On purpose unlike it: markers inside strings are text, members may
 * come in any order, a call without parameters gets `{}`, an object that names no function is content, reasoning that a prompt opened is
 * reasoning, and in format 4 an answer without any marker is content, for which it waits up to 2,048 characters.
 */

function cohereFormat(name: string, others: readonly string[], models: string, profile: CohereProfile): UnifiedFormat<CohereState> {
  const [start = '', end = ''] = [profile.answerStarts[0], profile.answerEnds[0]];
  return {
    kind: 'unified',
    name,
    aliases: others,
    toolNames: [name, ...others],
    reasoningNames: [name, ...others],
    models,
    sample: `<|START_THINKING|>Let me see.<|END_THINKING|>${start}It is 4.${end}`,
    stateVersion: 1,
    stateSchema: cohereState,
    create: (context) => createCohereParser(profile, context),
    promptEnded: coherePromptEnded,
    forcedChoice: 'markup',
    whenNone: 'parse',
    callDeltas: 'merged',
    complete: dropBlankContentBesideCalls,
  };
}

export const cohereCommand3: UnifiedFormat<CohereState> = cohereFormat(
  'cohere_command3',
  ['cohere', 'cohere_cmd'],
  'Command A, Command A Reasoning',
  {
    answerStarts: ['<|START_RESPONSE|>'],
    answerEnds: ['<|END_RESPONSE|>'],
    thinksFirst: false,
  },
);

export const cohereCommand4: UnifiedFormat<CohereState> = cohereFormat('cohere_command4', [], 'Command A+', {
  answerStarts: ['<|START_TEXT|>', '<|START_RESPONSE|>'],
  answerEnds: ['<|END_TEXT|>', '<|END_RESPONSE|>'],
  thinksFirst: true,
});

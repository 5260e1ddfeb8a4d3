import type { ToolFormat } from '../../core/stream-parser.ts';
import { createHunyuanCalls, hunyuanCallsState } from '../family/hunyuan-calls.ts';
import type { HunyuanCalls } from '../family/hunyuan-calls.ts';
import { hunyuanCallTokens, vocabularySuffix } from '../family/hunyuan-suffix.ts';

/*
 * <tool_calls:5a3f01c2><tool_call:5a3f01c2>get_weather<arg_key:5a3f01c2>city</arg_key:5a3f01c2><arg_value:5a3f01c2>Oslo</arg_value:5a3f01c2>
 * </tool_call:5a3f01c2></tool_calls:5a3f01c2>, all in one line.
 *
 * Written by Hunyuan 4. The tags' suffix, if they have one, is found in the vocabulary. Specified by the chat template.
 *
 * As in hy_v3, but that a value's closing tag may be a part of the value. On purpose unlike the reference: white space may stand between
 * the tags, and what is wrong in a section does not make all of it content, as it cannot in a stream.
 */
export const hyV4: ToolFormat<HunyuanCalls> = {
  kind: 'tool',
  name: 'hy_v4',
  aliases: [],
  models: 'Hunyuan 4',
  sample: '<tool_calls><tool_call>get_weather<arg_key>city</arg_key><arg_value>Oslo</arg_value></tool_call></tool_calls>',
  stateVersion: 1,
  stateSchema: hunyuanCallsState,
  requiredTokens: (model) => hunyuanCallTokens(vocabularySuffix(model)),
  create(context) {
    const { toolChoice } = context;
    const forced = toolChoice === 'required' || (toolChoice !== null && typeof toolChoice === 'object');
    const dialect = { suffix: vocabularySuffix(context), separator: null, doubts: true, bySpelling: forced, waits: false };
    return createHunyuanCalls(dialect, context);
  },
  forcedChoice: 'markup',
  whenNone: 'content',
  callDeltas: 'merged',
};

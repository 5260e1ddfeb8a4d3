import type { ToolFormat } from '../../core/stream-parser.ts';
import { createHunyuanCalls, hunyuanCallsState } from '../family/hunyuan-calls.ts';
import type { HunyuanCalls } from '../family/hunyuan-calls.ts';
import { configuredSuffix, hunyuanCallTokens } from '../family/hunyuan-suffix.ts';

/*
 * <tool_calls>
 * <tool_call>get_weather<tool_sep>
 * <arg_key>city</arg_key>
 * <arg_value>Oslo</arg_value>
 * </tool_call>
 * </tool_calls>
 *
 * Written by Hunyuan 3. The tags may have a suffix, `token_suffix` in tokenizer_config.json. Specified by the chat template.
 *
 * As in the reference: values have the type of their schema, text by default; what stands around the calls in the section, and behind it,
 * is nothing. On purpose unlike it: the tags of a call within a value are text, all of a call that was cut off is given out, a section
 * without any call is content, a name may be followed by the arguments without <tool_sep>.
 */
export const hyV3: ToolFormat<HunyuanCalls> = {
  kind: 'tool',
  name: 'hy_v3',
  aliases: [],
  models: 'Hunyuan 3',
  sample:
    '<tool_calls>\n<tool_call>get_weather<tool_sep>\n<arg_key>city</arg_key>\n<arg_value>Oslo</arg_value>\n</tool_call>\n</tool_calls>',
  stateVersion: 1,
  stateSchema: hunyuanCallsState,
  requiredTokens: (model) => hunyuanCallTokens(configuredSuffix(model)),
  create(context) {
    const suffix = configuredSuffix(context);
    return createHunyuanCalls({ suffix, separator: `<tool_sep${suffix}>`, doubts: false, bySpelling: false, waits: true }, context);
  },
  forcedChoice: 'json',
  whenNone: 'content',
  callDeltas: 'merged',
};

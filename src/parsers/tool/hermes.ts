import type { ToolFormat } from '../../core/stream-parser.ts';
import { hermesFormat } from '../family/hermes-blocks.ts';
import type { HermesState } from '../family/hermes-blocks.ts';

/*
 * <tool_call>
 * {"name": "get_weather", "arguments": {"city": "Oslo"}}
 * </tool_call>
 *
 * Written by Hermes 2 Pro and 3, Qwen 2.5 and Qwen 3 (not Coder), and many fine-tunes; one block a call. Specified by the
 * Hermes-Function-Calling repository and the chat templates.
 *
 * As in the reference: text behind the first call is dropped, and a block cut off before its name is closed; in complete answers arguments are serialised again. On purpose unlike it:
 * markers inside strings are text, arguments may come before the name, a call without arguments gets `{}`, and a block that names no
 * function becomes content in streams too.
 */

export const hermes: ToolFormat<HermesState> = hermesFormat(
  {
    name: 'hermes',
    aliases: ['qwen', 'qwen25', 'qwen3_json'],
    models: 'Hermes 2 Pro and 3, Qwen 2.5, Qwen 3',
    sample: '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Oslo"}}\n</tool_call>',
  },
  { open: '<tool_call>', close: '</tool_call>', unquotes: false },
);

import { dumps, tryLoads } from '../../core/python-json.ts';
import type { ToolCall, ToolFormat } from '../../core/stream-parser.ts';
import { dropBlankContent } from '../family/complete-answer.ts';
import { createJsonBlocks, jsonBlocksState } from '../family/json-blocks.ts';
import type { JsonBlocks } from '../family/json-blocks.ts';

/*
 * <tool_call>
 * {"name": "get_weather", "arguments": {"city": "Oslo"}}
 * </tool_call>
 *
 * Written by IBM's Granite 4. Specified by the chat template.
 *
 * As in the reference: each call comes as a whole at its closing tag, arguments written as a string are taken for the JSON they hold, text
 * around calls is content, an empty block is nothing. On purpose unlike it: markers inside strings are text, a block that is no call is
 * content in streams too, a missing closing tag at the end loses nothing.
 */

function toCall(json: string): ToolCall | null {
  const object = tryLoads(json);
  if (!(object instanceof Map)) return null;
  const name = object.get('name');
  const value = object.get('arguments');
  if (typeof name !== 'string' || value === undefined) return null;
  return { name, arguments: value === null ? '{}' : typeof value === 'string' ? value : dumps(value) };
}

export const granite4: ToolFormat<JsonBlocks> = {
  kind: 'tool',
  name: 'granite4',
  aliases: [],
  models: 'Granite 4',
  sample: '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Oslo"}}\n</tool_call>',
  stateVersion: 1,
  stateSchema: jsonBlocksState,
  create: () => createJsonBlocks({ open: '<tool_call>', close: '</tool_call>', toCall, keepsText: true, keepsCut: true }),
  forcedChoice: 'json',
  whenNone: 'content',
  callDeltas: 'merged',
  complete: dropBlankContent,
};

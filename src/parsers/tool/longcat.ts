import type { ToolFormat } from '../../core/stream-parser.ts';
import { hermesFormat } from '../family/hermes-blocks.ts';
import type { HermesState } from '../family/hermes-blocks.ts';

/**
 * LongCat-Flash: the blocks of hermes between other tags.
 *
 *     <longcat_tool_call>
 *     {"name": "get_weather", "arguments": {"city": "Oslo"}}
 *     </longcat_tool_call>
 *
 * Specified by the model's chat template. Differs from the reference as hermes does; besides, arguments written as a string are
 * taken out of it.
 */
export const longcat: ToolFormat<HermesState> = hermesFormat(
  {
    name: 'longcat',
    aliases: ['longcat_flash'],
    models: 'LongCat-Flash',
    sample: '<longcat_tool_call>\n{"name": "get_weather", "arguments": {"city": "Oslo"}}\n</longcat_tool_call>',
  },
  { open: '<longcat_tool_call>', close: '</longcat_tool_call>', unquotes: true },
);

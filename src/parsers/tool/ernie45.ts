import { z } from 'zod';
import { dumps, tryLoads } from '../../core/python-json.ts';
import type { EventSink, Piece, StreamParser, ToolCall, ToolFormat } from '../../core/stream-parser.ts';
import { dropBlankContent } from '../family/complete-answer.ts';
import { createJsonBlocks, jsonBlocksState } from '../family/json-blocks.ts';
import type { JsonBlocks } from '../family/json-blocks.ts';
import { isResponseTag } from '../family/response-tags.ts';

/*
 * <tool_call>
 * {"name": "get_weather", "arguments": {"city": "Oslo"}}
 * </tool_call>
 *
 * Written by Baidu's Ernie 4.5 thinking models, behind their reasoning; plain answers may stand between <response> and </response>.
 * Specified by the chat template.
 *
 * As in the reference: each call comes as a whole at its closing tag; newlines in front of a call, text behind the first one and a block
 * that is cut off are dropped. On purpose unlike it: all calls of a chunk are found, markers inside strings are text, a block that is no
 * call is content.
 */

interface Ernie45State {
  blocks: JsonBlocks;
  /** Newlines that are dropped if a call follows. */
  newlines: string;
}

const stateSchema: z.ZodType<Ernie45State> = z.object({ blocks: jsonBlocksState, newlines: z.string() });

function toCall(json: string): ToolCall | null {
  const object = tryLoads(json);
  if (!(object instanceof Map)) return null;
  const name = object.get('name') ?? '';
  return typeof name === 'string' ? { name, arguments: dumps(object.get('arguments') ?? new Map()) } : null;
}

function create(): StreamParser<Ernie45State> {
  const blocks = createJsonBlocks({ open: '<tool_call>', close: '</tool_call>', toCall, keepsText: false, keepsCut: false });
  const withoutNewlines = (state: Ernie45State, sink: EventSink): EventSink => ({
    content(text) {
      const known = state.newlines + text;
      const kept = known.replace(/\n+$/, '');
      state.newlines = known.slice(kept.length);
      if (kept !== '') sink.content(kept);
    },
    reasoning: (text) => sink.reasoning(text),
    toolStart(index, name, id) {
      state.newlines = '';
      sink.toolStart(index, name, id);
    },
    toolArguments: (index, text) => sink.toolArguments(index, text),
    toolEnd: (index) => sink.toolEnd(index),
  });
  return {
    init: (promptTokenIds) => ({ blocks: blocks.init(promptTokenIds), newlines: '' }),
    push(state: Ernie45State, piece: Piece, sink: EventSink): void {
      if (state.blocks.mode === 'text' && isResponseTag(piece)) return;
      blocks.push(state.blocks, piece, withoutNewlines(state, sink));
    },
    finish(state: Ernie45State, sink: EventSink): void {
      const { mode } = state.blocks;
      blocks.finish(state.blocks, withoutNewlines(state, sink));
      if (state.newlines !== '' && mode === 'text') sink.content(state.newlines);
    },
  };
}

export const ernie45: ToolFormat<Ernie45State> = {
  kind: 'tool',
  name: 'ernie45',
  aliases: [],
  models: 'Ernie 4.5 thinking models',
  sample: '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Oslo"}}\n</tool_call>',
  stateVersion: 1,
  stateSchema,
  create,
  forcedChoice: 'json',
  whenNone: 'content',
  callDeltas: 'merged',
  complete: dropBlankContent,
};

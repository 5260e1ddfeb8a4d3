import { z } from 'zod';
import type { EventSink, ParserContext, Piece, StreamParser, ToolCall, ToolFormat } from '../../core/stream-parser.ts';
import { dropBlankContent } from '../family/complete-answer.ts';
import { objectCall, randomHex } from '../family/held-call.ts';
import { heldListState } from '../family/held-list-state.ts';
import type { HeldList } from '../family/held-list-state.ts';
import { createHeldList } from '../family/held-list.ts';

/*
 * <tool_calls>[{"name": "get_weather", "arguments": {"city": "Oslo"}}]</tool_calls>
 *
 * Written by Hunyuan A13B. Specified by the chat template and the model's card.
 *
 * As in the reference's complete answers: what stands within <think> is content, what is no call is left out of a list with calls, text
 * behind the calls is dropped. On purpose unlike it: streams find the calls, each of which is given out as a whole once its object is
 * complete; markers inside strings are text; a missing closing marker loses nothing.
 */

const THINK = ['<think>', '</think>'] as const;

interface HunyuanState {
  list: HeldList;
  inThinking: boolean;
  /** The end of the text so far, where one of the markers around thinking may have begun. */
  seen: string;
}

const stateSchema: z.ZodType<HunyuanState> = z.object({ list: heldListState, inThinking: z.boolean(), seen: z.string() });

function toCall(json: string): ToolCall | null {
  const call = objectCall(json);
  return call && { ...call, id: `call_${randomHex()}` };
}

function create(context: ParserContext): StreamParser<HunyuanState> {
  const list = createHeldList(
    {
      openers: [{ text: '<tool_calls>', begins: '[', close: '</tool_calls>' }],
      toCall,
      skipsOthers: true,
      keepsText: false,
      announces: false,
      tellsEmpty: true,
    },
    context,
  );
  return {
    init: (promptTokenIds) => ({ list: list.init(promptTokenIds), inThinking: false, seen: '' }),
    push(state: HunyuanState, piece: Piece, sink: EventSink): void {
      if (piece.text === '') return list.push(state.list, piece, sink);
      for (let rest = piece.text; rest !== '';) {
        const marker = THINK[state.inThinking ? 1 : 0];
        const text = state.seen + rest;
        const at = state.list.mode === 'text' ? text.indexOf(marker) : -1;
        const end = at === -1 ? rest.length : at + marker.length - state.seen.length;
        const part = rest.slice(0, end);
        if (state.inThinking) sink.content(part);
        else list.push(state.list, { text: part, tokenId: part === piece.text ? piece.tokenId : null }, sink);
        state.seen = at === -1 ? text.slice(1 - marker.length) : '';
        if (at !== -1) state.inThinking = !state.inThinking;
        rest = rest.slice(end);
      }
    },
    finish: (state: HunyuanState, sink: EventSink) => list.finish(state.list, sink),
  };
}

export const hunyuanA13b: ToolFormat<HunyuanState> = {
  kind: 'tool',
  name: 'hunyuan_a13b',
  aliases: ['hunyuan'],
  models: 'Hunyuan A13B',
  sample: '<tool_calls>[{"name": "get_weather", "arguments": {"city": "Oslo"}}]</tool_calls>',
  stateVersion: 1,
  stateSchema,
  create,
  forcedChoice: 'json',
  whenNone: 'content',
  callDeltas: 'merged',
  complete: dropBlankContent,
};

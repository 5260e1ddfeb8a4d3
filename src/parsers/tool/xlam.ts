import { z } from 'zod';
import type { EventSink, ParserContext, StreamParser, ToolFormat } from '../../core/stream-parser.ts';
import { objectCall, randomHex } from '../family/held-call.ts';
import { heldListState } from '../family/held-list-state.ts';
import type { HeldList, ListOpener } from '../family/held-list-state.ts';
import { createHeldList } from '../family/held-list.ts';
import { strip } from '../family/white-space.ts';

/*
 * [{"name": "get_weather", "arguments": {"city": "Oslo"}}]
 *
 * Written by Salesforce's xLAM, also behind `</think>`, in a code block, behind `[TOOL_CALLS]` or in <tool_call>. Specified by the models'
 * cards.
 *
 * As in the reference: a list behind other text is content, what is no call is left out of a list with calls, a call is given out in three
 * chunks (its name; once the object is complete a brace; the rest). On purpose unlike it: all calls of a list are given out, each with its
 * own arguments, whatever the chunks; arguments written as a string come in streams too; a code block's beginning is no content.
 */

const OPENERS: readonly ListOpener[] = [
  { text: '', begins: '[' },
  { text: '```', word: 'json', begins: '[', close: '```' },
  { text: '[TOOL_CALLS]', begins: '[' },
  { text: '<tool_call>', begins: '[', close: '</tool_call>' },
  { text: '</think>', begins: '[', shown: true },
];

/** A call on its way out; `json` is null while its arguments are not complete. */
interface Queued {
  name: string;
  json: string | null;
  given: 'nothing' | 'name' | 'brace';
}

interface XlamState {
  list: HeldList;
  queue: Queued[];
  /** How many calls were given out whole. */
  given: number;
  /** The first queued call's name was given out in this chunk. */
  fresh: boolean;
}

const stateSchema: z.ZodType<XlamState> = z.object({
  list: heldListState,
  queue: z.array(z.object({ name: z.string(), json: z.string().nullable(), given: z.enum(['nothing', 'name', 'brace']) })),
  given: z.int().min(0),
  fresh: z.boolean(),
});

/** Puts calls in line. */
function queueSink(state: XlamState, sink: EventSink): EventSink {
  return {
    content: (text) => sink.content(text),
    reasoning: (text) => sink.reasoning(text),
    toolStart(_index, name) {
      state.queue.push({ name, json: null, given: 'nothing' });
    },
    toolArguments(_index, text) {
      const last = state.queue.at(-1);
      if (last) last.json = (last.json ?? '') + text;
    },
    toolEnd() {
      const last = state.queue.at(-1);
      if (last) last.json ??= '';
    },
  };
}

/** Gives out the next part of the first call in line; false where there is none yet. */
function giveStep(state: XlamState, sink: EventSink): boolean {
  const [call] = state.queue;
  if (!call) return false;
  if (call.given === 'nothing') {
    sink.toolStart(state.given, call.name, `call_${state.given}_${randomHex()}`);
    call.given = 'name';
    state.fresh = true;
    return true;
  }
  if (call.json === null) return false;
  if (call.given === 'name' && call.json.startsWith('{') && call.json !== '{}') {
    sink.toolArguments(state.given, '{');
    call.given = 'brace';
    return true;
  }
  sink.toolArguments(state.given, call.given === 'brace' ? call.json.slice(1) : call.json);
  sink.toolEnd(state.given);
  state.given += 1;
  state.queue.shift();
  return true;
}

function create(context: ParserContext): StreamParser<XlamState> {
  const list = createHeldList(
    { openers: OPENERS, toCall: objectCall, skipsOthers: true, keepsText: true, announces: true, tellsEmpty: true },
    context,
  );
  return {
    init: (promptTokenIds) => ({ list: list.init(promptTokenIds), queue: [], given: 0, fresh: false }),
    push(state: XlamState, piece, sink): void {
      list.push(state.list, piece, queueSink(state, sink));
    },
    endChunk(state: XlamState, sink): void {
      state.fresh = false;
      giveStep(state, sink);
    },
    finish(state: XlamState, sink): void {
      list.finish(state.list, queueSink(state, sink));
      while (giveStep(state, sink));
      // A call that was cut off in the chunk that began it has empty arguments, as in the reference.
      if (state.fresh && state.queue.length > 0) sink.toolArguments(state.given, '');
    },
  };
}

export const xlam: ToolFormat<XlamState> = {
  kind: 'tool',
  name: 'xlam',
  aliases: [],
  models: 'xLAM',
  sample: '[{"name": "get_weather", "arguments": {"city": "Oslo"}}]',
  stateVersion: 1,
  stateSchema,
  create,
  forcedChoice: 'json',
  whenNone: 'content',
  callDeltas: 'merged',
  complete(answer) {
    if (answer.toolCalls.length > 0) answer.content = strip(answer.content ?? '') || null;
  },
};

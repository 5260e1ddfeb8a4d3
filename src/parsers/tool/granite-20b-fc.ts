import type { ToolFormat } from '../../core/stream-parser.ts';
import { heldCall } from '../family/held-call.ts';
import { heldListState } from '../family/held-list-state.ts';
import type { HeldList } from '../family/held-list-state.ts';
import { createHeldList } from '../family/held-list.ts';

/*
 * <function_call> {"name": "get_weather", "arguments": {"city": "Oslo"}}
 * <function_call> {"name": "get_time", "arguments": {}}
 *
 * Written by IBM's granite-20b-functioncalling. Specified by the model card.
 *
 * As in the reference's complete answers: arguments are serialised again, text behind a call is dropped. On purpose unlike it: each call is
 * given out as a whole once its object is complete, also behind text; markers inside strings are text; what is no call is content.
 */
export const granite20bFc: ToolFormat<HeldList> = {
  kind: 'tool',
  name: 'granite-20b-fc',
  aliases: ['granite_20b_fc'],
  models: 'Granite 20B function calling',
  sample: '<function_call> {"name": "get_weather", "arguments": {"city": "Oslo"}}',
  stateVersion: 1,
  stateSchema: heldListState,
  create: (context) =>
    createHeldList(
      {
        openers: [{ text: '<function_call>', begins: '{' }],
        toCall: (json) => heldCall(json, ['arguments']),
        skipsOthers: false,
        keepsText: false,
        announces: false,
        tellsEmpty: true,
      },
      context,
    ),
  forcedChoice: 'json',
  whenNone: 'content',
  callDeltas: 'merged',
};

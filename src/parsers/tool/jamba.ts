import type { ToolFormat } from '../../core/stream-parser.ts';
import { dropBlankContent } from '../family/complete-answer.ts';
import { heldCall } from '../family/held-call.ts';
import { heldListState } from '../family/held-list-state.ts';
import type { HeldList } from '../family/held-list-state.ts';
import { createHeldList } from '../family/held-list.ts';

/*
 * <tool_calls>[
 *     {"name": "get_weather", "arguments": {"city": "Oslo"}}
 * ]</tool_calls>
 *
 * Written by AI21's Jamba 1.5 and later. Specified by the chat template.
 *
 * As in the reference's complete answers: arguments are serialised again, text behind the calls is dropped, an empty list is nothing. On
 * purpose unlike it: each call is given out as a whole once its object is complete, markers inside strings are text, a missing closing
 * marker loses nothing.
 */

const OPEN = '<tool_calls>';
const CLOSE = '</tool_calls>';

export const jamba: ToolFormat<HeldList> = {
  kind: 'tool',
  name: 'jamba',
  aliases: [],
  models: 'Jamba 1.5 and later',
  sample: '<tool_calls>[\n    {"name": "get_weather", "arguments": {"city": "Oslo"}}\n]</tool_calls>',
  stateVersion: 1,
  stateSchema: heldListState,
  requiredTokens: [OPEN, CLOSE],
  create: (context) =>
    createHeldList(
      {
        openers: [{ text: OPEN, begins: '[', close: CLOSE }],
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
  complete: dropBlankContent,
};

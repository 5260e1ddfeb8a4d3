import type { ToolFormat } from '../../core/stream-parser.ts';
import { dropBlankContent } from '../family/complete-answer.ts';
import { heldCall } from '../family/held-call.ts';
import { heldListState } from '../family/held-list-state.ts';
import type { HeldList } from '../family/held-list-state.ts';
import { createHeldList } from '../family/held-list.ts';

/*
 * functools[{"name": "get_weather", "arguments": {"city": "Oslo"}}]
 *
 * Written by Phi-4-mini. Specified by the model card.
 *
 * As in the reference's complete answers: `parameters` stands for `arguments` too, arguments are serialised again, an empty list is
 * nothing. On purpose unlike it: streams have calls and text at all, brackets inside the calls end nothing, text around the calls is kept.
 */
export const phi4MiniJson: ToolFormat<HeldList> = {
  kind: 'tool',
  name: 'phi4_mini_json',
  aliases: ['phi4', 'phi4_mini'],
  models: 'Phi-4-mini',
  sample: 'functools[{"name": "get_weather", "arguments": {"city": "Oslo"}}]',
  stateVersion: 1,
  stateSchema: heldListState,
  create: (context) =>
    createHeldList(
      {
        openers: [{ text: 'functools', begins: '[', tight: true }],
        toCall: (json) => heldCall(json, ['arguments', 'parameters']),
        skipsOthers: false,
        keepsText: true,
        announces: false,
        tellsEmpty: false,
      },
      context,
    ),
  forcedChoice: 'json',
  whenNone: 'content',
  callDeltas: 'merged',
  complete: dropBlankContent,
};

import type { ToolFormat } from '../../core/stream-parser.ts';
import { dropBlankContent } from '../family/complete-answer.ts';
import { createPythonicList, pythonicListState } from '../family/pythonic-list.ts';
import type { PythonicList } from '../family/pythonic-list.ts';

/*
 * <|python_start|>[get_weather(city='Oslo', days=2), ping()]<|python_end|>
 *
 * Written by Llama 4; both tokens may be missing. Specified by Meta's prompt format page and the chat template.
 *
 * As `pythonic`; text and control tokens behind the list are dropped, as in the reference's streams.
 */

export const llama4Pythonic: ToolFormat<PythonicList> = {
  kind: 'tool',
  name: 'llama4_pythonic',
  aliases: ['llama4'],
  models: 'Llama 4 Scout and Maverick',
  sample: "<|python_start|>[get_weather(city='Oslo', days=2)]<|python_end|>",
  stateVersion: 1,
  stateSchema: pythonicListState,
  create: (context) => createPythonicList({ open: '<|python_start|>', close: '<|python_end|>', keepsText: false }, context),
  forcedChoice: 'json',
  whenNone: 'content',
  callDeltas: 'merged',
  complete: dropBlankContent,
};

import type { ToolFormat } from '../../core/stream-parser.ts';
import { dropBlankContent } from '../family/complete-answer.ts';
import { createPythonicList, pythonicListState } from '../family/pythonic-list.ts';
import type { PythonicList } from '../family/pythonic-list.ts';

/*
 * [get_weather(city='Oslo', days=2), ping()]
 *
 * Written by Llama 3.2 (small), ToolACE and others; the output is nothing but the list. Specified by Meta's prompt format pages and the
 * chat templates.
 *
 * As in the reference: a call behind text is text, and what streams give out comes at the reference's points; a name that is cut off is
 * not shown. On purpose unlike it:
 * a list over several lines and dotted names are calls in complete answers too, a positional argument makes the list text rather than being
 * lost, parameters may be named as Python's keywords, text behind the list is content.
 */

export const pythonic: ToolFormat<PythonicList> = {
  kind: 'tool',
  name: 'pythonic',
  aliases: [],
  models: 'Llama 3.2 1B and 3B, ToolACE',
  sample: "[get_weather(city='Oslo', days=2)]",
  stateVersion: 1,
  stateSchema: pythonicListState,
  create: (context) => createPythonicList({ open: null, close: null, keepsText: true }, context),
  forcedChoice: 'json',
  whenNone: 'content',
  callDeltas: 'merged',
  complete: dropBlankContent,
};

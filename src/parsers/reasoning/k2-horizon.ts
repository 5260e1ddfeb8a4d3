import { z } from 'zod';
import { badRequest } from '../../core/errors.ts';
import type { ParserContext, Piece, ReasoningFormat, ReasoningSink } from '../../core/stream-parser.ts';
import { firstMarker, heldTailOf } from '../family/marker-scan.ts';

/*
 * <ifm|think>Let me see.</ifm|think>The answer.
 *
 * Written by K2 Horizon; the template argument `reasoning_effort` chooses the markers: think (`high`, the default), think_fast (`medium`) or
 * think_faster (`low`); anything else is refused with a 400. Specified by the chat template.
 *
 * As in the reference: a tool section ends reasoning that was not closed. On purpose unlike it: reasoning that is never closed is reasoning in
 * complete answers too, and a prompt that has closed it counts for them.
 */

const TOOLS = '<ifm|tool_calls>';
const MARKERS = new Map<unknown, { start: string; end: string }>([
  ['high', { start: '<ifm|think>', end: '</ifm|think>' }],
  ['medium', { start: '<ifm|think_fast>', end: '</ifm|think_fast>' }],
  ['low', { start: '<ifm|think_faster>', end: '</ifm|think_faster>' }],
]);

interface K2HorizonState {
  /** `start`: the opening marker may still come. */
  mode: 'start' | 'reasoning' | 'ended';
  held: string;
}

const stateSchema: z.ZodType<K2HorizonState> = z.object({ mode: z.enum(['start', 'reasoning', 'ended']), held: z.string() });

/** @throws ApiError 400 for an effort that the template does not know */
function markersOf({ chatTemplateKwargs }: ParserContext): { start: string; end: string } {
  const effort = chatTemplateKwargs['reasoning_effort'];
  const markers = MARKERS.get(effort === undefined ? 'high' : effort);
  if (!markers) throw badRequest('Template argument "reasoning_effort" must be one of high, medium, low.');
  return markers;
}

function promptEnded(promptTokenIds: readonly number[], context: ParserContext): boolean {
  const { start, end } = markersOf(context);
  const { vocabulary } = context;
  for (let at = promptTokenIds.length - 1; at >= 0; at -= 1) {
    const id = promptTokenIds[at];
    if (id === vocabulary.tokenToId(start)) return false;
    if (id === vocabulary.tokenToId(end) || id === vocabulary.tokenToId(TOOLS)) return true;
  }
  return false;
}

export const k2HorizonReasoning: ReasoningFormat<K2HorizonState> = {
  kind: 'reasoning',
  name: 'k2_horizon',
  aliases: [],
  models: 'K2 Horizon',
  sample: '<ifm|think>Let me see.</ifm|think>The answer.',
  stateVersion: 1,
  stateSchema,
  requiredTokens: ['<ifm|think>', '</ifm|think>'],
  create(context) {
    const { start, end } = markersOf(context);
    return {
      init: (promptTokenIds) => ({ mode: promptEnded(promptTokenIds, context) ? 'ended' : 'start', held: '' }),
      push(state: K2HorizonState, piece: Piece, sink: ReasoningSink): void {
        let text = state.held + piece.text;
        state.held = '';
        if (state.mode === 'start') {
          if (text !== start && start.startsWith(text)) {
            state.held = text;
            return;
          }
          if (text.startsWith(start)) text = text.slice(start.length);
          state.mode = 'reasoning';
        }
        const hit = firstMarker(text, [end, TOOLS]);
        const kept = hit ? hit.at : text.length - heldTailOf(text, [end, TOOLS]);
        if (kept > 0) sink.reasoning(text.slice(0, kept));
        if (!hit) {
          state.held = text.slice(kept);
          return;
        }
        state.mode = 'ended';
        if (!context.hasToolParser) {
          sink.reasoning('');
          sink.closed();
        }
        const rest = text.slice(hit.marker === end ? kept + end.length : kept);
        if (rest !== '') sink.pass({ text: rest, tokenId: hit.marker === TOOLS && rest === TOOLS ? piece.tokenId : null });
      },
      finish(state: K2HorizonState, sink: ReasoningSink): void {
        if (state.held !== '') sink.reasoning(state.held);
      },
      ended: (state) => state.mode === 'ended',
    };
  },
  promptEnded,
  complete(answer) {
    answer.reasoning ??= '';
  },
};

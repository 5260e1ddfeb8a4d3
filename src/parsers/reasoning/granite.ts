import { z } from 'zod';
import type { ParserContext, ReasoningFormat, ReasoningParser } from '../../core/stream-parser.ts';
import { firstMarker, heldTailOf } from '../family/marker-scan.ts';

interface GraniteState {
  mode: 'start' | 'reasoning' | 'response' | 'content';
  held: string;
}

const THOUGHTS = ['Here is my thought process:', "Here's my thought process:"];
const RESPONSES = ['Here is my response:', "Here's my response:"];

function createParser(context: ParserContext): ReasoningParser<GraniteState> {
  return {
    init: () => ({ mode: 'start', held: '' }),
    push(state, piece, sink): void {
      const { tokenId } = piece;
      const isSpecial = tokenId !== null && context.specialIds.has(tokenId);
      if (piece.text === '' || (state.mode === 'response' && isSpecial)) return;
      let text = state.held + piece.text;
      state.held = '';
      if (state.mode === 'start') {
        const thought = THOUGHTS.find((phrase) => text.startsWith(phrase));
        if (thought === undefined && THOUGHTS.some((phrase) => phrase.startsWith(text))) {
          state.held = text;
          return;
        }
        state.mode = thought === undefined ? 'content' : 'reasoning';
        text = text.slice(thought?.length ?? 0);
      }
      if (state.mode === 'reasoning') {
        const response = firstMarker(text, RESPONSES);
        const end = response ? response.at : text.length - heldTailOf(text, RESPONSES);
        if (end > 0) sink.reasoning(text.slice(0, end));
        if (response) state.mode = 'response';
        else state.held = text.slice(end);
        text = response ? text.slice(end + response.marker.length) : '';
      }
      if (text === piece.text) sink.pass(piece);
      else if (text !== '') sink.pass({ text, tokenId: null });
    },
    finish(state, sink): void {
      if (state.held === '') return;
      if (state.mode === 'reasoning') sink.reasoning(state.held);
      else sink.pass({ text: state.held, tokenId: null });
      state.held = '';
    },
    // Without a tool parser behind it, this one shows content, so that tokens without text add nothing.
    ended: (state) => context.hasToolParser && (state.mode === 'content' || state.mode === 'response'),
  };
}

/**
 * IBM Granite 3.2 and 3.3: two phrases part reasoning from the answer.
 *
 *     Here is my thought process: Let me see. Here is my response: It is 4.
 *
 * Specified by the models' chat template. Other than the reference: no part of a phrase is left in streams, nor a
 * special token in a response, reasoning that no response
 * follows is reasoning in complete answers too, text in front of the first phrase makes all content, and calls are read in streams too.
 */
export const graniteReasoning: ReasoningFormat<GraniteState> = {
  kind: 'reasoning',
  name: 'granite',
  aliases: [],
  models: 'Granite 3.2, Granite 3.3',
  sample: 'Here is my thought process: Let me see. Here is my response: It is 4.',
  stateVersion: 1,
  stateSchema: z.object({ mode: z.enum(['start', 'reasoning', 'response', 'content']), held: z.string() }),
  create: createParser,
  promptEnded: () => false,
};

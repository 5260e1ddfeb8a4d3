import { z } from 'zod';
import type { ParserContext, Piece, ReasoningFormat, ReasoningSink } from '../../core/stream-parser.ts';
import { firstMarker, heldTailOf } from '../family/marker-scan.ts';

/*
 * <think>Let me see.</think>The answer.
 *
 * Written by Olmo 3 Think; the markers are plain text, not tokens, and the first stands in the prompt. Specified by the chat template.
 *
 * As in the reference's streams: without markers all is reasoning. On purpose unlike it: nothing behind the closing marker is lost, a call
 * behind it is found however the marker was cut into tokens, and complete answers are read in the same way.
 */

const START = '<think>';
const END = '</think>';

interface Olmo3State {
  /** `content`: behind a closing marker that shares its last token with text. */
  mode: 'reasoning' | 'content' | 'ended';
  /** A tail that may begin a marker. */
  held: string;
}

const stateSchema: z.ZodType<Olmo3State> = z.object({ mode: z.enum(['reasoning', 'content', 'ended']), held: z.string() });

/** Whether the closing marker stands anywhere in the prompt, in the tokens that the tokenizer cuts it into. */
function promptEnded(promptTokenIds: readonly number[], { vocabulary }: ParserContext): boolean {
  const first = [vocabulary.tokenToId('</'), vocabulary.tokenToId('Ġ</')];
  const word = vocabulary.tokenToId('think');
  const last = vocabulary.tokenToId('>');
  return promptTokenIds.some((id, at) => first.includes(id) && promptTokenIds[at + 1] === word && promptTokenIds[at + 2] === last);
}

function readReasoning(state: Olmo3State, piece: Piece, sink: ReasoningSink): void {
  let text = state.held + piece.text;
  state.held = '';
  for (;;) {
    const hit = firstMarker(text, [START, END]);
    const kept = hit ? hit.at : text.length - heldTailOf(text, [START, END]);
    if (kept > 0) sink.reasoning(text.slice(0, kept));
    if (!hit) {
      state.held = text.slice(kept);
      return;
    }
    text = text.slice(hit.at + hit.marker.length);
    if (hit.marker === START) continue;
    state.mode = piece.text === '>' ? 'ended' : 'content';
    sink.pass({ text, tokenId: null });
    return;
  }
}

export const olmo3Reasoning: ReasoningFormat<Olmo3State> = {
  kind: 'reasoning',
  name: 'olmo3',
  aliases: [],
  models: 'Olmo 3 Think',
  sample: '<think>Let me see.</think>The answer.',
  stateVersion: 1,
  stateSchema,
  create: (context) => ({
    init: (promptTokenIds) => ({ mode: promptEnded(promptTokenIds, context) ? 'ended' : 'reasoning', held: '' }),
    push(state: Olmo3State, piece: Piece, sink: ReasoningSink): void {
      if (state.mode === 'reasoning') readReasoning(state, piece, sink);
      else if (piece.text !== '') sink.pass(piece);
    },
    finish(state: Olmo3State, sink: ReasoningSink): void {
      if (state.held !== '') sink.reasoning(state.held);
    },
    ended: (state) => state.mode === 'ended',
  }),
  promptEnded,
  hidesEndToken: 'always',
};

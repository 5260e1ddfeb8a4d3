import { z } from 'zod';
import type { Piece, ReasoningFormat, ReasoningSink } from '../../core/stream-parser.ts';
import { firstMarker, heldTailOf } from '../family/marker-scan.ts';
import { stripStart } from '../family/white-space.ts';

/*
 * <think>
 * Let me see.
 * </think>
 * <answer>
 * The answer.
 * </answer>
 *
 * Written by Hunyuan A13B; the markers are plain text, not tokens. Specified by the chat template and the model's card.
 *
 * As in the reference: without <think> all is content. On purpose unlike it: streams are read by text, so their chunks may be of any size;
 * reasoning may be open in the prompt or be cut off; the newlines beside markers belong to them; markers are never shown.
 */

const THINK = '<think>';
const THINK_END = '</think>';
const ANSWER = '<answer>';
const ENDS = ['\n</think>', '\n</answer>'];
/** The ids of `<think>` with one and with two newlines in the model's own tokenizer. */
const OPEN_IDS = ['14023,771,397', '14023,771,1363'];

interface HunyuanReasoning {
  /** `start`: only white space so far; `opened`: right behind an opening marker; `closed`: behind `</think>`. */
  mode: 'start' | 'opened' | 'thinking' | 'closed' | 'answering' | 'answer';
  /** Text that may belong to a marker. */
  held: string;
}

const stateSchema: z.ZodType<HunyuanReasoning> = z.object({
  mode: z.enum(['start', 'opened', 'thinking', 'closed', 'answering', 'answer']),
  held: z.string(),
});

function pass(text: string, sink: ReasoningSink): void {
  if (text !== '') sink.pass({ text, tokenId: null });
}

function hold(state: HunyuanReasoning, text: string): '' {
  state.held = text;
  return '';
}

/** Behind an opening marker one newline is left out; then `next` goes on. */
function skipNewline(state: HunyuanReasoning, text: string, next: HunyuanReasoning['mode']): string {
  state.mode = next;
  return text.startsWith('\n') ? text.slice(1) : text;
}

function readStart(state: HunyuanReasoning, text: string, sink: ReasoningSink): string {
  const next = stripStart(text);
  if (THINK.startsWith(next) || ANSWER.startsWith(next)) {
    if (next !== THINK && next !== ANSWER) return hold(state, text);
  }
  const marker = [THINK, ANSWER].find((candidate) => next.startsWith(candidate));
  if (marker === undefined) {
    state.mode = 'answer';
    return text;
  }
  pass(text.slice(0, text.length - next.length), sink);
  state.mode = marker === THINK ? 'opened' : 'answering';
  return next.slice(marker.length);
}

function readThinking(state: HunyuanReasoning, text: string, sink: ReasoningSink): string {
  const at = text.indexOf(THINK_END);
  const kept = at === -1 ? text.length - heldTailOf(text, [THINK_END, `\n${THINK_END}`]) : at;
  const reasoning = text.slice(0, kept);
  const shown = at !== -1 && reasoning.endsWith('\n') ? reasoning.slice(0, -1) : reasoning;
  if (shown !== '') sink.reasoning(shown);
  if (at === -1) return hold(state, text.slice(kept));
  state.mode = 'closed';
  return text.slice(at + THINK_END.length);
}

function readClosed(state: HunyuanReasoning, text: string): string {
  const next = stripStart(text);
  if (ANSWER.startsWith(next) && next !== ANSWER) return hold(state, text);
  state.mode = next.startsWith(ANSWER) ? 'answering' : 'answer';
  return next.startsWith(ANSWER) ? next.slice(ANSWER.length) : next;
}

function readAnswer(state: HunyuanReasoning, text: string, piece: Piece, sink: ReasoningSink): string {
  const hit = firstMarker(text, ENDS);
  if (hit === null && text === piece.text && heldTailOf(text, ENDS) === 0) {
    sink.pass(piece);
    return '';
  }
  const kept = hit ? hit.at : text.length - heldTailOf(text, ENDS);
  pass(text.slice(0, kept), sink);
  if (!hit) return hold(state, text.slice(kept));
  if (hit.marker.endsWith(THINK_END)) state.mode = 'closed';
  return text.slice(hit.at + hit.marker.length);
}

function read(state: HunyuanReasoning, text: string, piece: Piece, sink: ReasoningSink): string {
  if (state.mode === 'start') return readStart(state, text, sink);
  if (state.mode === 'opened') return skipNewline(state, text, 'thinking');
  if (state.mode === 'thinking') return readThinking(state, text, sink);
  if (state.mode === 'closed') return readClosed(state, text);
  return state.mode === 'answering' ? skipNewline(state, text, 'answer') : readAnswer(state, text, piece, sink);
}

export const hunyuanA13bReasoning: ReasoningFormat<HunyuanReasoning> = {
  kind: 'reasoning',
  name: 'hunyuan_a13b',
  aliases: ['hunyuan'],
  models: 'Hunyuan A13B',
  sample: '<think>\nLet me see.\n</think>\n<answer>\nThe answer.\n</answer>',
  stateVersion: 1,
  stateSchema,
  create: () => ({
    init: (promptTokenIds) => ({ mode: OPEN_IDS.includes(promptTokenIds.slice(-3).join()) ? 'thinking' : 'start', held: '' }),
    push(state: HunyuanReasoning, piece: Piece, sink: ReasoningSink): void {
      if (piece.text === '') {
        if (state.mode === 'answer') sink.pass(piece);
        return;
      }
      let text = state.held + piece.text;
      state.held = '';
      while (text !== '') text = read(state, text, piece, sink);
    },
    finish(state: HunyuanReasoning, sink: ReasoningSink): void {
      const { mode, held } = state;
      if (mode === 'thinking' && held !== '') sink.reasoning(held);
      else if (mode !== 'closed' || stripStart(held) !== '') pass(held, sink);
    },
    ended: () => false,
  }),
  promptEnded: () => false,
};

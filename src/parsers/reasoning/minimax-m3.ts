import { z } from 'zod';
import type { ParserContext, ReasoningFormat, ReasoningParser, ReasoningSink } from '../../core/stream-parser.ts';
import { heldTail } from '../family/marker-scan.ts';

interface MinimaxM3State {
  /** `start`: nothing has come but what may begin a marker; `content`: there was content, and reasoning may follow. */
  mode: 'start' | 'reasoning' | 'content' | 'ended';
  held: string;
}

const START = '<mm:think>';
const END = '</mm:think>';

function promptEnded(promptTokenIds: readonly number[], { vocabulary }: ParserContext): boolean {
  const start = vocabulary.tokenToId(START);
  const end = vocabulary.tokenToId(END);
  return end !== undefined && promptTokenIds.findLast((id) => id === start || id === end) === end;
}

function pass(text: string, sink: ReasoningSink): void {
  if (text !== '') sink.pass({ text, tokenId: null });
}

/** Reads what is held with the new text; answers what is left to read, or null where the rest is held. */
function step(state: MinimaxM3State, text: string, opened: boolean, seeksLater: boolean, sink: ReasoningSink): string | null {
  if (state.mode === 'start') {
    const first = opened ? [START] : [START, END];
    const marker = first.find((candidate) => text.startsWith(candidate));
    if (marker === undefined && first.some((candidate) => candidate.startsWith(text))) {
      state.held = text;
      return null;
    }
    if (opened || marker === START) state.mode = 'reasoning';
    else state.mode = seeksLater && marker === undefined ? 'content' : 'ended';
    return text.slice(marker?.length ?? 0);
  }
  if (state.mode === 'ended') {
    pass(text, sink);
    return null;
  }
  const marker = state.mode === 'reasoning' ? END : START;
  const at = text.indexOf(marker);
  const end = at === -1 ? text.length - heldTail(text, marker) : at;
  if (state.mode === 'content') pass(text.slice(0, end), sink);
  else if (end > 0) sink.reasoning(text.slice(0, end));
  if (at === -1) {
    state.held = text.slice(end);
    return null;
  }
  state.mode = state.mode === 'reasoning' ? 'ended' : 'reasoning';
  return text.slice(at + marker.length);
}

function createParser(context: ParserContext): ReasoningParser<MinimaxM3State> {
  const opened = context.chatTemplateKwargs['thinking_mode'] === 'enabled';
  const seeksLater = context.mode === 'one-shot';
  return {
    init: (promptTokenIds) => ({ mode: promptEnded(promptTokenIds, context) ? 'ended' : 'start', held: '' }),
    push(state, piece, sink): void {
      let rest: string | null = state.held + piece.text;
      state.held = '';
      while (rest !== null && rest !== '') rest = step(state, rest, opened, seeksLater, sink);
    },
    finish(state, sink): void {
      const reasons = state.mode === 'reasoning' || (state.mode === 'start' && opened);
      if (!reasons) pass(state.held, sink);
      else if (state.held !== '') sink.reasoning(state.held);
      state.held = '';
    },
    ended: (state) => state.mode === 'ended',
  };
}

/**
 * MiniMax M3: reasoning between `<mm:think>` and `</mm:think>`, by text, only at the beginning of the output. It is open from the start
 * where the request sets `thinking_mode` to `enabled`.
 *
 *     <mm:think>Let me see.</mm:think>It is 4.
 *
 * Specified by the model's chat template. As in the reference, complete answers find reasoning behind other text, and a closing marker at
 * the very beginning is dropped. Other than it: text that began like a marker is not lost.
 */
export const minimaxM3Reasoning: ReasoningFormat<MinimaxM3State> = {
  kind: 'reasoning',
  name: 'minimax_m3',
  aliases: ['minimax-m3'],
  models: 'MiniMax M3',
  sample: '<mm:think>Let me see.</mm:think>It is 4.',
  stateVersion: 1,
  stateSchema: z.object({ mode: z.enum(['start', 'reasoning', 'content', 'ended']), held: z.string() }),
  requiredTokens: [START, END],
  create: createParser,
  promptEnded,
};

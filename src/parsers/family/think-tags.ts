import { z } from 'zod';
import type { ParserContext, Piece, ReasoningParser, ReasoningSink } from '../../core/stream-parser.ts';

/** Reasoning between two added tokens, the first of which may stand in the prompt or be missing. */
export interface ThinkTags {
  /** Null where it is a part of the reasoning. */
  start: string | null;
  end: string;
}

export interface ThinkState {
  ended: boolean;
}

export const thinkState: z.ZodType<ThinkState> = z.object({ ended: z.boolean() });

/**
 * How the last of the two tokens in a prompt leaves reasoning: `open`, `closed`, or `none` where neither is there.
 * @param turnStart a token behind the last of which they must stand
 */
export function promptReasoning(
  promptTokenIds: readonly number[],
  tags: ThinkTags,
  context: ParserContext,
  turnStart?: string,
): 'open' | 'closed' | 'none' {
  const turn = turnStart === undefined ? undefined : context.vocabulary.tokenToId(turnStart);
  const start = tags.start === null ? undefined : context.vocabulary.tokenToId(tags.start);
  const end = context.vocabulary.tokenToId(tags.end);
  for (let at = promptTokenIds.length - 1; at >= 0; at -= 1) {
    if (promptTokenIds[at] === start) return 'open';
    if (promptTokenIds[at] === end) return 'closed';
    if (turn !== undefined && promptTokenIds[at] === turn) return 'none';
  }
  return 'none';
}

/**
 * Everything up to the closing token is reasoning; opening tokens are left out.
 * @param ended whether reasoning is over before the output begins
 */
export function createThinkParser(
  tags: ThinkTags,
  context: ParserContext,
  ended: (promptTokenIds: readonly number[]) => boolean,
): ReasoningParser<ThinkState> {
  const start = tags.start === null ? undefined : context.vocabulary.tokenToId(tags.start);
  const end = context.vocabulary.tokenToId(tags.end);
  return {
    init: (promptTokenIds) => ({ ended: ended(promptTokenIds) }),
    push(state: ThinkState, piece: Piece, sink: ReasoningSink): void {
      if (piece.tokenId !== null && piece.tokenId === end) {
        state.ended = true;
        if (!context.hasToolParser) sink.closed();
        else sink.pass({ text: '', tokenId: null });
      } else if (piece.tokenId === null || piece.tokenId !== start) {
        sink.reasoning(piece.text);
      }
    },
    finish() {
      // Nothing is held.
    },
    ended: (state) => state.ended,
  };
}

/** Truth as Python sees it, of a value from JSON. */
export function truthy(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (value !== null && typeof value === 'object') return Object.keys(value).length > 0;
  return Boolean(value);
}

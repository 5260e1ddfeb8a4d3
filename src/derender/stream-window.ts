import { emptyStreamState } from '../protocol/stream-state.ts';
import type { StreamState } from '../protocol/stream-state.ts';
import { seedWindow } from '../tokenizer/incremental-detokenizer.ts';
import type { DetokenizerWindow } from '../tokenizer/incremental-detokenizer.ts';
import type { Tokenizer } from '../tokenizer/tokenizer.ts';

/** The decoding window that a state carries. */
export function windowOf(state: StreamState): DetokenizerWindow {
  return { prevTokens: [...state.prev_tokens], prefixOffset: state.prefix_offset, readOffset: state.read_offset };
}

/** Puts a decoding window into a state. */
export function withWindow(state: StreamState, window: DetokenizerWindow): void {
  state.prev_tokens = window.prevTokens;
  state.prefix_offset = window.prefixOffset;
  state.read_offset = window.readOffset;
}

/** The state before the first chunk: the window stands on the prompt's last tokens. */
export function seededState(tokenizer: Tokenizer, promptIds: readonly number[], skipSpecialTokens: boolean): StreamState {
  const state = emptyStreamState();
  withWindow(state, seedWindow(tokenizer, promptIds, skipSpecialTokens));
  return state;
}

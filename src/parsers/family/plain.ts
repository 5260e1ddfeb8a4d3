import type { StreamParser } from '../../core/stream-parser.ts';

/** No format at all: what the model wrote is content. */
export function createPlainParser(): StreamParser<unknown> {
  return {
    init: () => null,
    push(_state, piece, sink) {
      if (piece.text !== '') sink.content(piece.text);
    },
    finish() {
      // Nothing is held.
    },
  };
}

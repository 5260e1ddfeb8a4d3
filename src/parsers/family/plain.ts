import type { StreamParser } from '../../core/stream-parser.ts';

/**
 * No format at all: what the model wrote is content.
 * @param keepsEmpty whether a token that adds no text still gives (empty) content
 */
export function createPlainParser(keepsEmpty: boolean): StreamParser<unknown> {
  return {
    init: () => null,
    push(_state, piece, sink) {
      if (keepsEmpty || piece.text !== '') sink.content(piece.text);
    },
    finish() {
      // Nothing is held.
    },
  };
}

import type { Piece } from '../../core/stream-parser.ts';

/** Ernie 4.5 may put its answer between these tokens. */
const RESPONSE_TAGS: readonly string[] = ['<response>', '</response>'];

export function isResponseTag({ text }: Piece): boolean {
  return RESPONSE_TAGS.includes(text);
}

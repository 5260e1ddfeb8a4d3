import { StartupError } from '../../core/errors.ts';
import type { Tokenizer } from '../../tokenizer/tokenizer.ts';

/** A part of a prompt: a special token by its name, or text that is tokenized by itself. */
export type PromptPiece = { readonly token: string } | { readonly text: string };

/**
 * The ids of the special tokens that an encoder needs.
 * @param spellings the names that the tokenizer may have for each token, in order of preference
 * @throws StartupError where the tokenizer has none of them
 */
export function specialTokenIds(
  tokenizer: Tokenizer,
  encoder: string,
  spellings: Readonly<Record<string, readonly string[]>>,
): Map<string, number> {
  const ids = new Map<string, number>();
  const missing: string[] = [];
  for (const [token, names] of Object.entries(spellings)) {
    const id = names.map((name) => tokenizer.tokenToId(name)).find((found) => found !== undefined);
    if (id === undefined) missing.push(token);
    else ids.set(token, id);
  }
  if (missing.length === 0) return ids;
  throw new StartupError(`The ${encoder} prompt needs tokens that this model's tokenizer does not have: ${missing.join(', ')}.`);
}

/**
 * Token ids of a prompt.
 * @param ids of the special tokens that occur in it
 * @param encode token ids of one text
 */
export async function encodePieces(
  pieces: readonly PromptPiece[],
  ids: ReadonlyMap<string, number>,
  encode: (text: string) => Promise<number[]>,
): Promise<number[]> {
  const parts = await Promise.all(pieces.map(async (piece) => ('token' in piece ? specialId(ids, piece.token) : encode(piece.text))));
  return parts.flat();
}

function specialId(ids: ReadonlyMap<string, number>, token: string): number[] {
  const id = ids.get(token);
  if (id === undefined) throw new Error(`No id for the special token ${token}`);
  return [id];
}

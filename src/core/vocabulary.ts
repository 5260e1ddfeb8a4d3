/**
 * The part of a tokenizer that parsers and detokenization need: names and ids of tokens. Ids are the tokenizer's own, 0-based.
 */
export interface Vocabulary {
  /** One more than the highest id, added tokens included. */
  readonly size: number;
  /** The id of a token given by its exact text, added tokens included; undefined where the tokenizer has no such token. */
  tokenToId(token: string): number | undefined;
  /** The raw token of an id (byte-level or SentencePiece spelling, not decoded text); undefined beyond the vocabulary. */
  idToToken(id: number): string | undefined;
  /** Whether the id is an added token (special or not): its text is the token itself, and it is never split when encoding. */
  isAdded(id: number): boolean;
  /** Whether the id is an added token flagged special: hidden when a whole sequence is decoded with skip_special_tokens. */
  isSpecial(id: number): boolean;
}

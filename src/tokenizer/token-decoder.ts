/** Joins raw tokens to text, as the tokenizer's decoder does. */
export interface TokenDecoder {
  /** @param fromVocabulary whether all are tokens of the vocabulary, whose texts are worth remembering */
  decode(tokens: readonly string[], fromVocabulary?: boolean): string;
}

/**
 * A decoder whose text is that of its tokens put together, but for characters that are spread over several of them. It lets the
 * incremental window decide most tokens without decoding the tokens before.
 */
export interface JoiningDecoder extends TokenDecoder {
  /**
   * Text of a token that is the same whatever stands around it; null for tokens that may hold a part of a character.
   * @param fromVocabulary remember the answer: only for tokens of the vocabulary, of which there are only so many
   */
  wholeText(token: string, fromVocabulary: boolean): string | null;
  /** Whether the text of the tokens ends with U+FFFD, the last one having a text. Flat cost. */
  endsBroken(tokens: readonly string[]): boolean;
  /** Whether a space at the very beginning is cut, which hides where the first token ends as long as no text came before. */
  readonly cutsFirstSpace: boolean;
}

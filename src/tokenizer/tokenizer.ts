import type { Vocabulary } from '../core/vocabulary.ts';
import type { JoiningDecoder } from './token-decoder.ts';

/** Token ids with the range of the text that each came from. */
export interface EncodingWithOffsets {
  ids: number[];
  /** `[start, end)` of each id in Unicode code points, as Python counts. */
  offsets: [number, number][];
}

/** Text to token ids and back, as the reference's tokenizer classes do it for the model. */
export interface Tokenizer extends Vocabulary {
  /** Ids that `skip_special_tokens` hides in the incremental window: the named special tokens and the extra ones. */
  readonly allSpecialIds: ReadonlySet<number>;
  /** Named special tokens (`bos_token`, `eos_token`, `pad_token`, ...) and `additional_special_tokens`, as templates get them. */
  readonly specialTokens: Readonly<Record<string, string | string[]>>;
  readonly eosTokenId: number | undefined;
  readonly bosTokenId: number | undefined;
  /** The character that stands for a space in front of words (`▁`) where the tokenizer has a Metaspace pre-tokenizer, else null. */
  readonly leadingSpaceMarker: string | null;
  /** Side from which `truncate_prompt_tokens` cuts, `tokenizer_config.json`'s `truncation_side`. */
  readonly truncationSide: 'left' | 'right';
  /**
   * Token ids of a text; off the event loop for long texts.
   * @throws ApiError (400) for lone surrogates.
   */
  encode(text: string, addSpecialTokens: boolean): Promise<number[]>;
  encodeWithOffsets(text: string, addSpecialTokens: boolean): Promise<EncodingWithOffsets>;
  /** Text of a whole sequence. Ids beyond the vocabulary give nothing. */
  decode(ids: readonly number[], skipSpecialTokens: boolean): string;
  /**
   * Number of tokens, added ones included; absent where it is `size`. Smaller than that where the ids have holes, and then the
   * incremental window hides the ids from here on, as in the reference.
   */
  readonly tokenCount?: number;
  /** The decoder where it puts the texts of tokens together; absent where a token's text depends on its neighbours. */
  readonly joiningDecoder?: JoiningDecoder;
  /** Whether `decode` gives the texts of a sequence's parts put together, where it is parted behind tokens that hold no part of a character. */
  readonly decodesPiecewise: boolean;
  /** Joins raw tokens to text, as Python's `convert_tokens_to_string`. Flat cost for short windows; synchronous. */
  tokensToString(tokens: readonly string[]): string;
}

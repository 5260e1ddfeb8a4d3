import type { AddedTokenDraft } from '../added-tokens.ts';
import type { TokenSetting } from '../tokenizer-settings.ts';
import type { Part, TemplateToken } from '../pipeline-parts.ts';

/** What a class reads when it builds its pipeline. */
export interface ClassInput {
  /** A member of the tokenizer's settings, or the class's default where it is not given; a given null stays null. */
  value(name: string, otherwise: unknown): unknown;
  /** The same as a truth value. */
  flag(name: string, otherwise: boolean): boolean;
  /** Text of a named special token; `None` where it is set to null, which is what Python makes of it. */
  text(tokenName: string): string;
  /** SentencePiece's normalization rules of the file, base64. */
  readonly charsmap: string | null;
  /** Position of a token in a Unigram vocabulary; `score` must match where given. */
  position(token: string, options?: { score?: number; from?: number }): number | undefined;
}

/** What a class reads when all tokens have their ids. */
export interface ClassTokens extends ClassInput {
  /** A token with its id; that of the unknown token where it is not in the vocabulary. */
  token(text: string): TemplateToken;
  /** The token that a name stands for now. */
  named(tokenName: string): TemplateToken;
  hasName(tokenName: string): boolean;
  readonly fileHasPostProcessor: boolean;
}

export interface Pipeline {
  /** The model without vocabulary and merges. */
  model: Part;
  normalizer: Part | null;
  preTokenizer: Part | null;
  decoder: Part;
}

/** What the files give as further special tokens: `undefined` where the member is missing. */
export interface GivenExtras {
  extra: readonly TokenSetting[] | null | undefined;
  additional: readonly TokenSetting[] | null | undefined;
}

/**
 * One tokenizer class of transformers that builds its own pipeline. Of `tokenizer.json` it takes vocabulary, merges,
 * post-processor and added tokens, and none of the rest.
 */
export interface TokenizerClass {
  model: 'BPE' | 'Unigram' | 'WordPiece';
  /** Named special tokens where the files say nothing. */
  tokens: Readonly<Record<string, string | null>>;
  /** Model-specific named tokens where the files say nothing. */
  modelTokens?: Readonly<Record<string, string>>;
  /** Flags of `mask_token` where it is given as plain text. */
  maskToken?: Partial<AddedTokenDraft>;
  /** Further special tokens; without it those that are given. */
  extras?: (given: GivenExtras, input: ClassInput) => readonly TokenSetting[];
  /** Tokens that count as special once all is built, without being added. */
  alsoSpecial?: readonly string[];
  /** `add_bos_token` where the class sets it. */
  addBosToken?: boolean;
  pipeline: (input: ClassInput) => Pipeline;
  /** Adds all special tokens once more at the end: as plain special ones, or with the flags they are named with. */
  addsSpecialTokensAgain?: 'plain' | 'as named';
  /** Post-processor where the file has none. */
  defaultPostProcessor?: (tokens: ClassTokens) => Part;
  /** Post-processor whatever the file says. */
  postProcessor?: (tokens: ClassTokens) => Part;
  /** Whether BPE text is cleaned up too (`clean_up_tokenization_spaces`). */
  cleansUpBpe?: boolean;
  /** Rewrites the text of a whole decoded sequence. */
  finishText?: (text: string) => string;
  /** The ids of a SentencePiece model are not the class's: it puts its own tokens between them. */
  renumbersSentencePiece?: boolean;
  /** The pipeline of the file stays; only names and post-processor come from the class. */
  keepsPipeline?: boolean;
}

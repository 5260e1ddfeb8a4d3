import { byteLevelToken } from './byte-level.ts';
import { TokenPairFinder } from './token-pair-finder.ts';
import type { Part } from './pipeline-parts.ts';

/** A byte-level BPE vocabulary as tiktoken keeps it: the bytes of each token, its rank being its place in the merging order. */
export type RankedToken = readonly [bytes: Buffer, rank: number];

/** What a ranked vocabulary leaves open. */
export interface RankedTokenizer {
  tokens: readonly RankedToken[];
  /** Added to each rank to give the token's id. */
  firstId: number;
  /** Regular expression that cuts a text into words. */
  pattern: string;
  normalizer?: Part;
  /** Tokens that are matched before all others, with the ids that they have in front of the vocabulary or behind it. */
  specialTokens: readonly (readonly [token: string, id: number])[];
}

/**
 * A `tokenizer.json` for a ranked vocabulary. Ranks are written as merges: a token can come from every pair of tokens that make
 * it up, in the order of its rank.
 */
export function rankedTokenizerJson({ tokens, firstId, pattern, normalizer, specialTokens }: RankedTokenizer): Buffer {
  const sorted = tokens.toSorted(([, a], [, b]) => a - b);
  const quoted = sorted.map(([bytes]) => JSON.stringify(byteLevelToken(bytes)));
  // Tokens in front of the vocabulary must be part of it: the library numbers the others from its end on.
  const inFront = new Map(specialTokens.filter(([, id]) => id < firstId).map(([token, id]) => [JSON.stringify(token), id]));
  const vocab = [...inFront].map(([token, id]) => `${token}:${id}`);
  for (const [place, [, rank]] of sorted.entries()) {
    const token = quoted[place] ?? '';
    if (!inFront.has(token)) vocab.push(`${token}:${rank + firstId}`);
  }
  const finder = new TokenPairFinder(sorted.map(([bytes]) => bytes));
  const merges: string[] = [];
  for (const [bytes] of sorted) {
    const pairs = finder.pairs(bytes);
    if (pairs.length > 1) pairs.sort(([a, c], [b, d]) => a - b || c - d);
    for (const [left, right] of pairs) merges.push(`[${quoted[left] ?? ''},${quoted[right] ?? ''}]`);
  }
  const { model, ...rest } = emptyTokenizer(pattern, normalizer ?? null, specialTokens);
  const head = `${JSON.stringify(rest).slice(0, -1)},"model":${JSON.stringify(model).slice(0, -1)}`;
  return Buffer.from(`${head},"vocab":{${vocab.join(',')}},"merges":[${merges.join(',')}]}}`);
}

function emptyTokenizer(
  pattern: string,
  normalizer: Part | null,
  specialTokens: RankedTokenizer['specialTokens'],
): Record<string, unknown> {
  return {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: specialTokens.map(([content, id]) => ({
      id,
      content,
      single_word: false,
      lstrip: false,
      rstrip: false,
      normalized: false,
      special: true,
    })),
    normalizer,
    pre_tokenizer: {
      type: 'Sequence',
      pretokenizers: [
        { type: 'Split', pattern: { Regex: pattern }, behavior: 'Isolated', invert: false },
        { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: false },
      ],
    },
    post_processor: { type: 'ByteLevel', add_prefix_space: true, trim_offsets: false, use_regex: true },
    decoder: { type: 'ByteLevel', add_prefix_space: true, trim_offsets: true, use_regex: true },
    model: {
      type: 'BPE',
      dropout: null,
      unk_token: null,
      continuing_subword_prefix: null,
      end_of_word_suffix: null,
      fuse_unk: false,
      byte_fallback: false,
      ignore_merges: true,
    },
  };
}

import { rankedTokenizerJson, type RankedToken } from './bpe-ranks.ts';
import { QWEN2_WORDS } from './classes/byte-level-classes.ts';
import { plain, type Part } from './pipeline-parts.ts';
import { CL100K_WORDS } from './tiktoken.ts';

const CONTRACTIONS = "(?i:'s|'t|'re|'ve|'m|'ll|'d)?";
const UPPER = '[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}&&[^\\p{Han}]]';
const LOWER = '[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}&&[^\\p{Han}]]';

/** How Kimi models cut a text into words: runs of Chinese characters by themselves. */
const KIMI_WORDS = [
  '[\\p{Han}]+',
  `[^\\r\\n\\p{L}\\p{N}]?${UPPER}*${LOWER}+${CONTRACTIONS}`,
  `[^\\r\\n\\p{L}\\p{N}]?${UPPER}+${LOWER}*${CONTRACTIONS}`,
  '\\p{N}{1,3}',
  ' ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*',
  '\\s*[\\r\\n]+',
  '\\s+(?!\\S)',
  '\\s+',
].join('|');

/** Ids that a Kimi tokenizer keeps for special tokens behind its vocabulary. */
const KIMI_RESERVED = 256;

/** What the configuration says about tokens behind the vocabulary. */
export interface TiktokenTokens {
  /** Texts by id. */
  listed: ReadonlyMap<number, string>;
  /** Further ones, without ids. */
  extra: readonly string[];
}

interface TiktokenFormat {
  pattern: string;
  normalizer?: Part;
  /** The tokens behind the vocabulary, from id `size` on. */
  specialTokens: (size: number, tokens: TiktokenTokens) => string[];
}

function filledUp(size: number, end: number, listed: ReadonlyMap<number, string>): string[] {
  return Array.from({ length: Math.max(end - size, 0) }, (_, index) => listed.get(size + index) ?? `<|reserved_token_${size + index}|>`);
}

/** By the class that the configuration names. Their code comes with the models; what it does is written down here. */
const FORMATS: Readonly<Record<string, TiktokenFormat>> = {
  TikTokenTokenizer: { pattern: KIMI_WORDS, specialTokens: (size, { listed }) => filledUp(size, size + KIMI_RESERVED, listed) },
  QWenTokenizer: {
    pattern: QWEN2_WORDS,
    normalizer: plain('NFC'),
    specialTokens: () => [
      '<|endoftext|>',
      '<|im_start|>',
      '<|im_end|>',
      ...Array.from({ length: 205 }, (_, index) => `<|extra_${index}|>`),
    ],
  },
};

/** What transformers makes of every other tiktoken file. */
const OTHERS: TiktokenFormat = {
  pattern: CL100K_WORDS,
  specialTokens: (size, { listed, extra }) => {
    const end = Math.max(-1, ...listed.keys()) + 1;
    const tokens = end > size ? filledUp(size, end, listed) : [];
    const known = new Set(tokens);
    return [...tokens, ...extra.filter((token) => !known.has(token))];
  },
};

/** A `tokenizer.json` for the tokens of a tiktoken file. @param className `tokenizer_class` of the configuration */
export function tiktokenTokenizerJson(ranked: readonly RankedToken[], className: unknown, tokens: TiktokenTokens): Buffer {
  const format = (typeof className === 'string' ? FORMATS[className] : undefined) ?? OTHERS;
  const size = ranked.length;
  return rankedTokenizerJson({
    tokens: ranked,
    firstId: 0,
    pattern: format.pattern,
    ...(format.normalizer === undefined ? {} : { normalizer: format.normalizer }),
    specialTokens: format.specialTokens(size, tokens).map((token, index): [string, number] => [token, size + index]),
  });
}

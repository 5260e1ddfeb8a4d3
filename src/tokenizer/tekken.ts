import { rankedTokenizerJson, type RankedToken } from './bpe-ranks.ts';

/** Special tokens of tekken files that list none (before version 11), by rank. */
const OLD_SPECIAL_TOKENS = [
  '<unk>',
  '<s>',
  '</s>',
  '[INST]',
  '[/INST]',
  '[AVAILABLE_TOOLS]',
  '[/AVAILABLE_TOOLS]',
  '[TOOL_RESULTS]',
  '[/TOOL_RESULTS]',
  '[TOOL_CALLS]',
  '[IMG]',
  '<pad>',
  '[IMG_BREAK]',
  '[IMG_END]',
  '[PREFIX]',
  '[MIDDLE]',
  '[SUFFIX]',
  '[SYSTEM_PROMPT]',
  '[/SYSTEM_PROMPT]',
  '[TOOL_CONTENT]',
];

/** What a `tekken.json` (Mistral) says. */
export interface Tekken {
  /** Bytes of the ordinary tokens; the rank of each is its place, its id that plus the number of special tokens. */
  tokens: Buffer[];
  /** Special tokens; the id of each is its place. */
  specialTokens: string[];
  /** Regular expression that cuts a text into words. */
  pattern: string;
  /** `v3`, `v7`, `v11`, ...: what prompts look like. */
  version: string;
}

/**
 * Reads a `tekken.json`: the vocabulary is cut to the size that the file names, special tokens are filled up to their number.
 * @throws SyntaxError where a member is missing or wrong.
 */
export function readTekken(json: Buffer): Tekken {
  const file = JSON.parse(json.toString('utf8')) as Record<string, unknown>;
  const config = (file['config'] ?? {}) as Record<string, unknown>;
  const { pattern, version } = config;
  const vocab = file['vocab'];
  if (typeof pattern !== 'string' || !Array.isArray(vocab)) throw new SyntaxError('config.pattern or vocab is missing');
  const specialTokens = specialTokenList(file['special_tokens']);
  const specialCount = Number(config['default_num_special_tokens'] ?? specialTokens.length);
  for (let id = specialTokens.length; id < specialCount; id += 1) specialTokens.push(`<SPECIAL_${id}>`);
  const size = config['default_vocab_size'];
  const kept = size === undefined || size === null ? vocab : vocab.slice(0, Number(size) - specialCount);
  const tokens = (kept as { token_bytes?: unknown }[]).map(({ token_bytes: bytes }, rank) => {
    if (typeof bytes !== 'string') throw new SyntaxError(`vocab entry ${rank} has no token_bytes`);
    return Buffer.from(bytes, 'base64');
  });
  return { tokens, specialTokens, pattern, version: typeof version === 'string' ? version : '' };
}

function specialTokenList(value: unknown): string[] {
  if (value === undefined || value === null) return [...OLD_SPECIAL_TOKENS];
  if (!Array.isArray(value)) throw new SyntaxError('special_tokens is no list');
  const entries = value as { rank?: unknown; token_str?: unknown }[];
  return entries
    .toSorted((a, b) => Number(a.rank) - Number(b.rank))
    .map(({ token_str: text }, rank) => {
      if (typeof text !== 'string') throw new SyntaxError(`special token ${rank} has no token_str`);
      return text;
    });
}

/**
 * The same vocabulary as a `tokenizer.json`.
 * @param matchSpecialTokens whether special tokens in a text count as such (transformers' conversion) or are plain text
 *   (mistral-common, which puts them in by id)
 */
export function tekkenTokenizerJson({ tokens, specialTokens, pattern }: Tekken, matchSpecialTokens: boolean): Buffer {
  return rankedTokenizerJson({
    tokens: tokens.map((bytes, rank): RankedToken => [bytes, rank]),
    firstId: specialTokens.length,
    pattern,
    specialTokens: matchSpecialTokens ? specialTokens.map((token, id): [string, number] => [token, id]) : [],
  });
}

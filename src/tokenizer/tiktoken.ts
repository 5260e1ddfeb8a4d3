import type { RankedToken } from './bpe-ranks.ts';

/** How GPT-4's vocabulary cuts a text into words; the default of transformers' conversion. */
export const CL100K_WORDS =
  "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";

/**
 * Reads a tiktoken file: a line for each token, its bytes in base64 and its rank.
 * @throws SyntaxError where a line is something else.
 */
export function readTiktoken(file: Buffer): RankedToken[] {
  const tokens: RankedToken[] = [];
  for (const [index, line] of file.toString('latin1').split('\n').entries()) {
    const text = line.trim();
    if (text === '') continue;
    const [bytes, rank, ...rest] = text.split(/\s+/);
    if (bytes === undefined || rank === undefined || rest.length > 0 || !/^\d+$/.test(rank)) {
      throw new SyntaxError(`line ${index + 1} is not a token and its rank`);
    }
    tokens.push([Buffer.from(bytes, 'base64'), Number(rank)]);
  }
  if (tokens.length === 0) throw new SyntaxError('no tokens');
  return tokens;
}

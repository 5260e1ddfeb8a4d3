import { byteLevel, preTokenizers, split, type Part } from './pipeline-parts.ts';

/** How Mistral's tekken vocabularies cut a text into words. Files converted before transformers 5 have another expression. */
const TEKKEN_WORDS =
  '[^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]*[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]+|' +
  '[^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]+[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]*|' +
  '\\p{N}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n/]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+';

const MISTRAL_TYPES = new Set(['mistral', 'mistral3', 'voxtral', 'ministral', 'pixtral']);

/** Vocabularies up to this size are none of those in question. */
const SMALL_VOCABULARY = 100_000;

/**
 * The pre-tokenizer with the right expression, where `tokenizer_config.json` asks for it (`fix_mistral_regex`) and the model is an
 * older one of Mistral's; otherwise the pre-tokenizer as it is.
 * @param size number of tokens
 */
export function withMistralWords(preTokenizer: unknown, wanted: unknown, config: Readonly<Record<string, unknown>>, size: number): unknown {
  if (wanted !== true || size <= SMALL_VOCABULARY || typeof preTokenizer !== 'object' || preTokenizer === null) return preTokenizer;
  if (!isOlderMistral(config)) return preTokenizer;
  const words = split({ regex: TEKKEN_WORDS }, 'Isolated');
  const part = preTokenizer as Part;
  if (part['type'] !== 'Sequence') return preTokenizers(words, part['type'] === 'Metaspace' ? byteLevel(false, false) : part);
  return preTokenizers(words, ...(part['pretokenizers'] as Part[]).slice(1));
}

function isOlderMistral(config: Readonly<Record<string, unknown>>): boolean {
  const { transformers_version: version, model_type: type } = config;
  if (typeof version !== 'string' || version === '') return true;
  return Number.parseInt(version, 10) < 5 && (typeof type !== 'string' || MISTRAL_TYPES.has(type));
}

import { ByteFallbackDecoder } from './byte-fallback-decoder.ts';
import { byteLevelBytes } from './byte-level.ts';
import { BytesDecoder } from './bytes-decoder.ts';
import type { JoiningDecoder } from './token-decoder.ts';

type Step = Readonly<Record<string, unknown>>;

/**
 * The decoder that a tokenizer file describes, where it is one of the two that nearly all language models have: byte-level, or
 * SentencePiece with byte tokens. Undefined for every other one.
 * @param decoder `decoder` of `tokenizer.json`
 */
export function joiningDecoder(decoder: unknown): JoiningDecoder | undefined {
  const steps = flatten(decoder);
  if (steps.length === 1 && steps[0]?.['type'] === 'ByteLevel') return new BytesDecoder(byteLevelBytes);
  return byteFallback(steps);
}

function flatten(decoder: unknown): Step[] {
  if (typeof decoder !== 'object' || decoder === null) return [];
  const step = decoder as Step;
  return step['type'] === 'Sequence' ? ((step['decoders'] ?? []) as unknown[]).flatMap(flatten) : [step];
}

/** `Replace` of plain texts, `ByteFallback`, `Fuse`, and at most the strip of one space in front: anything else is another decoder. */
function byteFallback(steps: readonly Step[]): JoiningDecoder | undefined {
  const replacements: [string, string][] = [];
  let index = 0;
  for (; steps[index]?.['type'] === 'Replace'; index += 1) {
    const { pattern, content } = steps[index] as { pattern?: { String?: unknown }; content?: unknown };
    if (typeof pattern?.String !== 'string' || pattern.String === '' || typeof content !== 'string') return undefined;
    replacements.push([pattern.String, content]);
  }
  if (steps[index]?.['type'] !== 'ByteFallback' || steps[index + 1]?.['type'] !== 'Fuse') return undefined;
  const strip = steps[index + 2];
  if (strip === undefined) return new ByteFallbackDecoder(replacements, false);
  const plain = strip['type'] === 'Strip' && strip['content'] === ' ' && strip['start'] === 1 && strip['stop'] === 0;
  return plain && steps.length === index + 3 ? new ByteFallbackDecoder(replacements, true) : undefined;
}

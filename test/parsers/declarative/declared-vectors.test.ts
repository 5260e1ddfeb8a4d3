import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { declaredFormats } from '../../../src/parsers/declarative/declared-formats.ts';
import { combineFormats, reasoningFormatNamed, toolFormatNamed } from '../../../src/parsers/registry.ts';
import type { SessionFormats } from '../../../src/parsers/session.ts';
import { runComplete, runStream } from '../run-vector.ts';
import { formatsOf, readVectors } from '../vectors.ts';
import type { Vector } from '../vectors.ts';

/** Files, and the formats in code that they declare once more. */
const FILES: readonly { file: string; tool?: string; reasoning?: string }[] = [
  { file: 'hermes', tool: 'hermes' },
  { file: 'longcat', tool: 'longcat' },
  { file: 'granite4', tool: 'granite4' },
  { file: 'jamba', tool: 'jamba' },
  { file: 'phi4_mini_json', tool: 'phi4_mini_json' },
  { file: 'deepseek_v31', tool: 'deepseek_v31', reasoning: 'deepseek_v3' },
  { file: 'kimi_k2', tool: 'kimi_k2', reasoning: 'kimi_k2' },
  { file: 'qwen3_coder', tool: 'qwen3_coder', reasoning: 'qwen3' },
  { file: 'seed_oss', tool: 'seed_oss', reasoning: 'seed_oss' },
  { file: 'step3p5', tool: 'step3p5', reasoning: 'step3p5' },
  { file: 'step5', tool: 'step5', reasoning: 'deepseek_r1' },
  { file: 'mimo', tool: 'mimo', reasoning: 'qwen3' },
  { file: 'glm47', tool: 'glm47', reasoning: 'glm47' },
  { file: 'minimax_m2', tool: 'minimax_m2', reasoning: 'minimax_m2' },
  { file: 'pythonic', tool: 'pythonic' },
  { file: 'llama4_pythonic', tool: 'llama4_pythonic' },
  { file: 'lfm2', tool: 'lfm2' },
  { file: 'deepseek_r1', reasoning: 'deepseek_r1' },
  { file: 'holo2', reasoning: 'holo2' },
  { file: 'poolside_v1', reasoning: 'poolside_v1' },
  { file: 'response_template', tool: 'hf', reasoning: 'hf' },
];

const vectors = readVectors();

/** The formats of a vector's server with the declared ones in place of those that they declare; null where none is. */
function declaredInPlace(vector: Vector, { file, tool, reasoning }: (typeof FILES)[number]): SessionFormats | null {
  const { tool_parser: toolName, reasoning_parser: reasoningName, tokenizer } = vector.server;
  if (tool === 'hf' && tokenizer !== 'combined_hf') return null;
  const text = readFileSync(new URL(`../../../fixtures/parsers/declarative/${file}.yaml`, import.meta.url), 'utf8');
  const declared = declaredFormats(text, `${file}.yaml`);
  const inCode = {
    tool: toolName === undefined ? null : (toolFormatNamed(toolName) ?? null),
    reasoning: reasoningName === undefined ? null : (reasoningFormatNamed(reasoningName) ?? null),
  };
  const isTool = tool !== undefined && inCode.tool?.name === tool;
  const isReasoning = reasoning !== undefined && inCode.reasoning?.name === reasoning;
  if (!isTool && !isReasoning) return null;
  return combineFormats(isTool ? declared.tool : inCode.tool, isReasoning ? declared.reasoning : inCode.reasoning);
}

describe.each(FILES)('$file', (declared) => {
  const pairs = vectors.flatMap((vector) => {
    const formats = declaredInPlace(vector, declared);
    return formats ? [{ vector, formats }] : [];
  });

  it('gives the answers of the format in code, whole and in every chunk', () => {
    expect(pairs.length).toBeGreaterThan(3);
    const wrong = pairs.filter(({ vector, formats }) => {
      const inCode = formatsOf(vector);
      const runs = Object.values(vector.streams).map(({ chunk_lens: lengths, finish_apart: apart }) => [
        runStream(vector, lengths, apart, formats),
        runStream(vector, lengths, apart, inCode),
      ]);
      runs.push([[runComplete(vector, formats)], [runComplete(vector, inCode)]]);
      return runs.some(([own, wanted]) => JSON.stringify(own) !== JSON.stringify(wanted));
    });
    expect(wrong.map(({ vector }) => vector.id)).toEqual([]);
  });
});

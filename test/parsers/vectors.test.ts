import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { reasoningParserNames, toolParserNames } from '../../src/parsers/registry.ts';
import { checkVector } from './check-vector.ts';
import { runStream, sumOfStream } from './run-vector.ts';
import { readVectors } from './vectors.ts';
import type { Vector } from './vectors.ts';

/** Share of the settled vectors of a configuration whose every delta must be the recorded one. */
const EXACT_SHARE = 0.95;

const tools = new Set(toolParserNames());
const reasonings = new Set(reasoningParserNames());
const groups = new Map<string, Vector[]>();
for (const vector of readVectors()) {
  const { tool_parser: tool, reasoning_parser: reasoning, tokenizer } = vector.server;
  if ((tool !== undefined && !tools.has(tool)) || (reasoning !== undefined && !reasonings.has(reasoning))) continue;
  const name = `tool ${tool ?? '-'}, reasoning ${reasoning ?? '-'}, ${tokenizer}`;
  groups.set(name, [...(groups.get(name) ?? []), vector]);
}

describe.each([...groups])('%s', (_name, vectors) => {
  it('answers as recorded, one-shot and streamed', () => {
    const verdicts = vectors.map(checkVector);
    const wrong = verdicts.filter(({ oneShot, stream }) => !oneShot || !stream);
    expect(wrong.map(({ id, detail }) => [id, ...detail].join('\n'))).toEqual([]);
  });

  it('streams the recorded deltas', () => {
    const settled = vectors.map(checkVector).filter((verdict) => verdict.settled);
    const exact = settled.filter((verdict) => verdict.exact);
    expect(exact.length).toBeGreaterThanOrEqual(Math.floor(settled.length * EXACT_SHARE));
  });

  it('adds up to the same under any chunking, with the state through JSON at each chunk', () => {
    for (const vector of vectors) {
      const length = vector.output_token_ids.length;
      const whole = JSON.stringify({ ...sumOfStream(runStream(vector, [length], false)), roles: 1 });
      fc.assert(
        fc.property(fc.array(fc.integer({ min: 1, max: 7 }), { minLength: length, maxLength: length }), (lengths) => {
          const chunks: number[] = [];
          for (let left = length, at = 0; left > 0; at += 1) {
            chunks.push(Math.min(lengths[at] ?? 1, left));
            left -= chunks.at(-1) ?? 1;
          }
          expect(JSON.stringify(sumOfStream(runStream(vector, chunks, false)))).toBe(whole);
        }),
        { numRuns: 5 },
      );
    }
  });
});

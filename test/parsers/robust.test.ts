import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Piece } from '../../src/core/stream-parser.ts';
import { allFormats } from '../../src/parsers/registry.ts';
import { createSession } from '../../src/parsers/session.ts';
import { outputGroups, outputPieces, tellComplete, tellStream } from './output-groups.ts';
import { chunked, wildOutput } from './soup.ts';
import { brokenMarkers, lostWords } from './told-words.ts';
import { contextOf, formatsOf, toolChoiceOf } from './vectors.ts';
import type { Vector } from './vectors.ts';

/** The inputs are the same in every run, unless asked otherwise. */
const seed = Number(process.env['FUZZ_SEED'] ?? 1);
const numRuns = Number(process.env['FUZZ_RUNS'] ?? 40);

/** How much a state may grow over a long text, in bytes: counters have more digits then. */
const STATE_GROWTH = 200;

const groups = outputGroups();

/** Bytes of the state as it travels, after pieces and so many words of text. */
function stateSizes(vector: Vector, pieces: readonly Piece[], counts: readonly number[]): number[] {
  const session = createSession(formatsOf(vector), contextOf(vector, 'stream'));
  const state = session.init(vector.prompt_token_ids);
  session.push(state, pieces, false);
  const words = [' plain', ' words', ' of', ' prose', ',', ' and', ' more', '.', '\n', 'A'];
  const sizes: number[] = [];
  for (let count = 1; count <= Math.max(...counts); count += 1) {
    session.push(state, [{ text: words[count % words.length] ?? '', tokenId: null }], false);
    if (counts.includes(count)) sizes.push(Buffer.byteLength(JSON.stringify(state)));
  }
  return sizes;
}

function isForced(vector: Vector): boolean {
  const choice = toolChoiceOf(vector);
  return choice === 'required' || (choice !== null && typeof choice === 'object');
}

/** A response template may drop what stands outside its regions. */
function isRegional({ server: { tokenizer } }: Vector): boolean {
  return tokenizer === 'combined_hf_xml' || tokenizer === 'combined_beam';
}

/** The output may end inside a call: values of open calls may be held. */
function endsOpen({ id, finish_reason: finish }: Vector): boolean {
  return finish !== 'stop' || /unclosed|malformed|broken/.test(id);
}

it('has outputs of every format', () => {
  const seen = new Set(groups.flatMap(({ vectors: [vector] }) => (vector ? Object.values(formatsOf(vector)) : [])));
  expect(
    allFormats()
      .filter((format) => !seen.has(format))
      .map(({ kind, name }) => `${kind} ${name}`),
  ).toEqual([]);
});

describe.each(groups)('$name', ({ vectors }) => {
  it('throws for no output, and adds up to the same under any chunking', () => {
    const lengths = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 5, maxLength: 5 });
    fc.assert(
      fc.property(fc.constantFrom(...vectors), wildOutput(vectors), lengths, (vector, pieces, chunkLengths) => {
        const whole = tellStream(vector, [pieces]);
        expect(tellStream(vector, chunked(pieces, [1]))).toEqual(whole);
        expect(tellStream(vector, [...chunked(pieces, chunkLengths), []])).toEqual(whole);
        expect(whole.calls.map(({ starts }) => starts)).toEqual(whole.calls.map(() => 1));
        tellComplete(vector, pieces);
      }),
      { numRuns, seed },
    );
  });

  it('tells all text, wherever the output is cut', () => {
    const cuts = fc.sample(fc.nat(), { numRuns: 3, seed });
    expect(vectors.flatMap((vector) => lostWords(vector, cuts))).toEqual([]);
  });

  it('tells text that only looks like markers as it stands', () => {
    const plain = vectors.filter((vector) => !isForced(vector) && !isRegional(vector));
    if (plain.length === 0) return;
    fc.assert(
      fc.property(fc.constantFrom(...plain), brokenMarkers(vectors), (vector, parts) => {
        const text = parts.join('');
        const pieces = parts.map((part) => ({ text: part, tokenId: null }));
        for (const { content, reasoning, calls } of [tellStream(vector, [pieces]), tellComplete(vector, pieces)]) {
          expect(calls).toEqual([]);
          // Some formats put the opening marker of reasoning in front, some give lone reasoning as content too.
          expect([text, `<think>${text}`, text + text]).toContain(reasoning + content);
        }
      }),
      { numRuns, seed },
    );
  });

  it('keeps a state that does not grow with text', () => {
    for (const [index, vector] of vectors.entries()) {
      if (index % 3 > 0) continue;
      // Reasoning that may have to be given as content too is kept, where a request asks for that.
      if (vector.chat_request.chat_template_kwargs?.['force_nonempty_content'] === true) continue;
      for (const pieces of endsOpen(vector) ? [[]] : [[], outputPieces(vector)]) {
        const [early = 0, late = 0] = stateSizes(vector, pieces, [50, 2000]);
        expect(late, vector.id).toBeLessThan(early + STATE_GROWTH);
      }
    }
  });
});

import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadModel } from '../../src/model/load-model.ts';
import { createTokenizer } from '../../src/tokenizer/create-tokenizer.ts';
import { pushToken, seedWindow, type DetokenizerWindow } from '../../src/tokenizer/incremental-detokenizer.ts';
import type { Tokenizer } from '../../src/tokenizer/tokenizer.ts';
import { fixture, modelDirectory, type FileContent } from './model-directory.ts';

const VOCABULARIES: Record<string, { files: Record<string, FileContent>; mode: string }> = {
  'byte-level': {
    files: {
      'tokenizer.json': vocabulary('byte-level.json'),
      'tokenizer_config.json': { tokenizer_class: 'GPT2Tokenizer', additional_special_tokens: ['<s>', '</s>'] },
    },
    mode: 'hf',
  },
  'byte fallback': {
    files: { 'tokenizer.json': vocabulary('sentencepiece-bpe.json'), 'tokenizer_config.json': { tokenizer_class: 'LlamaTokenizer' } },
    mode: 'hf',
  },
  'byte fallback without a space in front': {
    files: { 'tokenizer.json': vocabulary('sentencepiece-bpe.json'), 'tokenizer_config.json': { tokenizer_class: 'GemmaTokenizer' } },
    mode: 'hf',
  },
  'word pieces': { files: { 'tokenizer.json': vocabulary('word-piece.json') }, mode: 'hf' },
  tekken: { files: { 'tekken.json': vocabulary('tekken.json') }, mode: 'mistral' },
  'SentencePiece in the form of Mistral': { files: { 'tokenizer.model.v3': vocabulary('bpe-bytes.model') }, mode: 'mistral' },
};

function vocabulary(name: string): Buffer {
  return readFileSync(fixture('tokenizer', 'vocabularies', name));
}

/** The same tokenizer without what lets the window decide quickly. */
function plainly(tokenizer: Tokenizer): Tokenizer {
  return new Proxy(tokenizer, {
    get: (target, name) => {
      const value: unknown = name === 'joiningDecoder' ? undefined : Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

describe.each(Object.entries(VOCABULARIES))('the incremental window over %s', (_, { files, mode }) => {
  let tokenizer: Tokenizer;
  let plain: Tokenizer;
  let ids: fc.Arbitrary<number[]>;

  beforeAll(async () => {
    const model = modelDirectory({ ...files, 'config.json': { model_type: 'llama' } });
    tokenizer = await createTokenizer((await loadModel({ model })).tokenizer, { mode, decodeOnly: true });
    plain = plainly(tokenizer);
    const bytes = Array.from({ length: tokenizer.size }, (_, id) => id).filter((id) => tokenizer.decode([id], false).includes('\ufffd'));
    const id = fc.oneof(
      { weight: 3, arbitrary: fc.nat(tokenizer.size - 1) },
      { weight: 3, arbitrary: bytes.length > 0 ? fc.constantFrom(...bytes) : fc.nat(tokenizer.size - 1) },
      { weight: 1, arbitrary: fc.constantFrom(-1, tokenizer.size, 2 ** 32, 2 ** 53) },
      { weight: 1, arbitrary: tokenizer.allSpecialIds.size > 0 ? fc.constantFrom(...tokenizer.allSpecialIds) : fc.nat(3) },
    );
    ids = fc.array(id, { maxLength: 40 });
  });

  it('gives the text and the state of the plain window', () => {
    fc.assert(
      fc.property(ids, ids, fc.boolean(), (prompt, output, skip) => {
        const quick = seedWindow(tokenizer, prompt, skip);
        const slow = seedWindow(plain, prompt, skip);
        for (const id of output) {
          expect(pushToken(tokenizer, quick, id, skip)).toBe(pushToken(plain, slow, id, skip));
          expect(quick).toEqual(slow);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('goes on from any state, also one that a client made up', () => {
    const state = fc.tuple(ids, fc.nat(6), fc.nat(8));
    fc.assert(
      fc.property(state, ids, fc.boolean(), ([tokens, prefixOffset, readOffset], output, skip) => {
        const start = { prevTokens: tokens.map((id) => tokenizer.idToToken(id) ?? ''), prefixOffset, readOffset };
        const quick = structuredClone(start);
        const slow = structuredClone(start);
        for (const id of output) {
          expect(pushToken(tokenizer, quick, id, skip)).toBe(pushToken(plain, slow, id, skip));
          expect(quick).toEqual(slow);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('adds up to the same in any chunks, with the state through JSON after each', () => {
    fc.assert(
      fc.property(ids, fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1 }), fc.boolean(), (output, sizes, skip) => {
        const whole = seedWindow(tokenizer, [], skip);
        const text = output.map((id) => pushToken(tokenizer, whole, id, skip)).join('');
        let carried = JSON.stringify(seedWindow(tokenizer, [], skip));
        let parts = '';
        for (let at = 0, chunk = 0; at < output.length; chunk += 1) {
          const size = sizes[chunk % sizes.length] ?? 1;
          const window = JSON.parse(carried) as DetokenizerWindow;
          for (const id of output.slice(at, at + size)) parts += pushToken(tokenizer, window, id, skip);
          carried = JSON.stringify(window);
          at += size;
        }
        expect(parts).toBe(text);
        expect(JSON.parse(carried)).toEqual(whole);
      }),
      { numRuns: 200 },
    );
  });

  it('stays flat where no text ever comes out', () => {
    for (const id of [tokenizer.size, tokenizer.tokenToId('<0xFF>') ?? tokenizer.tokenToId('ÿ') ?? tokenizer.size]) {
      const window = seedWindow(tokenizer, [], false);
      const start = performance.now();
      for (let count = 0; count < 60_000; count += 1) pushToken(tokenizer, window, id, false);
      // Decoding the whole window for each token would take minutes.
      expect(performance.now() - start).toBeLessThan(20_000);
    }
  });
});

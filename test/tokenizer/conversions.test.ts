import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { loadModel } from '../../src/model/load-model.ts';
import { createTokenizer } from '../../src/tokenizer/create-tokenizer.ts';
import { fixture, modelDirectory, readRecorded, type FileContent } from './model-directory.ts';

/** A tokenizer that does not come as tokenizer.json, and what transformers makes of it. */
interface Conversion {
  name: string;
  /** Name in the model directory to name of the vocabulary. */
  files: Record<string, string>;
  tokenizerConfig: Record<string, unknown> | null;
  config: Record<string, unknown>;
  allSpecialIds: number[];
  specialTokens: Record<string, string>;
  eos: number | null;
  bos: number | null;
  length: number;
  added: { id: number; content: string; special: boolean }[];
  encode: [string, number[], number[]][];
  decode: [number[], string, string][];
  join: [string[], string];
}

describe('vocabularies in other files', () => {
  it.each(readRecorded('tokenizer', 'conversions.json.gz') as Conversion[])('$name', async (recorded) => {
    const files: Record<string, FileContent> = { 'config.json': recorded.config };
    if (recorded.tokenizerConfig !== null) files['tokenizer_config.json'] = recorded.tokenizerConfig;
    for (const [name, vocabulary] of Object.entries(recorded.files))
      files[name] = readFileSync(fixture('tokenizer', 'vocabularies', vocabulary));
    const tokenizer = await createTokenizer((await loadModel({ model: modelDirectory(files) })).tokenizer, { mode: 'hf' });
    expect({
      special: tokenizer.specialTokens,
      specialIds: [...tokenizer.allSpecialIds].sort((a, b) => a - b),
      eos: tokenizer.eosTokenId ?? null,
      bos: tokenizer.bosTokenId ?? null,
      length: tokenizer.tokenCount,
    }).toEqual({
      special: recorded.specialTokens,
      specialIds: [...new Set(recorded.allSpecialIds)].sort((a, b) => a - b),
      eos: recorded.eos,
      bos: recorded.bos,
      length: recorded.length,
    });
    for (const { id, content, special } of recorded.added) {
      expect([tokenizer.idToToken(id), tokenizer.isAdded(id), tokenizer.isSpecial(id)]).toEqual([content, true, special]);
    }
    for (const [text, bare, full] of recorded.encode) {
      expect([text, await tokenizer.encode(text, false), await tokenizer.encode(text, true)]).toEqual([text, bare, full]);
    }
    for (const [ids, all, hidden] of recorded.decode) {
      expect([ids, tokenizer.decode(ids, false), tokenizer.decode(ids, true)]).toEqual([ids, all, hidden]);
    }
    expect(tokenizer.tokensToString(recorded.join[0])).toBe(recorded.join[1]);
  });
});

describe('tiktoken files of models with their own code', () => {
  const vocabulary = readFileSync(fixture('tokenizer', 'vocabularies', 'tiktoken.model'));
  const size = vocabulary.toString('latin1').trim().split('\n').length;

  it('Kimi: Chinese characters by themselves, 256 reserved ids', async () => {
    const model = modelDirectory({
      'tiktoken.model': vocabulary,
      'config.json': { model_type: 'kimi_k2' },
      'tokenizer_config.json': {
        tokenizer_class: 'TikTokenTokenizer',
        auto_map: { AutoTokenizer: ['tokenization_kimi.TikTokenTokenizer', null] },
        eos_token: '<|im_end|>',
        added_tokens_decoder: { [size + 2]: { content: '<|im_end|>', special: true, lstrip: false, rstrip: false, normalized: false } },
      },
    });
    const tokenizer = await createTokenizer((await loadModel({ model })).tokenizer);
    expect(tokenizer.size).toBe(size + 256);
    expect(tokenizer.eosTokenId).toBe(size + 2);
    expect(tokenizer.idToToken(size)).toBe(`<|reserved_token_${size}|>`);
    const text = "we'll read 世界1234 and <|im_end|>";
    const ids = await tokenizer.encode(text, true);
    expect(tokenizer.decode(ids, false)).toBe(text);
    expect(ids.at(-1)).toBe(size + 2);
  });

  it('Qwen 1: its own tokens behind the vocabulary, NFC', async () => {
    const model = modelDirectory({
      'qwen.tiktoken': vocabulary,
      'config.json': { model_type: 'qwen' },
      'tokenizer_config.json': { tokenizer_class: 'QWenTokenizer', auto_map: { AutoTokenizer: ['tokenization_qwen.QWenTokenizer', null] } },
    });
    const tokenizer = await createTokenizer((await loadModel({ model })).tokenizer);
    expect([0, 1, 2, 3, 207].map((offset) => tokenizer.idToToken(size + offset))).toEqual([
      '<|endoftext|>',
      '<|im_start|>',
      '<|im_end|>',
      '<|extra_0|>',
      '<|extra_204|>',
    ]);
    expect(tokenizer.decode(await tokenizer.encode('e\u0301<|im_end|>', false), false)).toBe('\u00e9<|im_end|>');
  });
});

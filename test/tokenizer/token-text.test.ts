import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadModel } from '../../src/model/load-model.ts';
import { createTokenizer } from '../../src/tokenizer/create-tokenizer.ts';
import { repairedText, tokenText } from '../../src/tokenizer/token-text.ts';
import type { Tokenizer } from '../../src/tokenizer/tokenizer.ts';
import { fixture, modelDirectory } from './model-directory.ts';

async function tokenizerOf(vocabulary: string, tokenizerClass: string): Promise<Tokenizer> {
  const model = modelDirectory({
    'tokenizer.json': readFileSync(fixture('tokenizer', 'vocabularies', vocabulary)),
    'tokenizer_config.json': { tokenizer_class: tokenizerClass },
    'config.json': { model_type: 'llama' },
  });
  return createTokenizer((await loadModel({ model })).tokenizer, { decodeOnly: true });
}

describe('the text of single tokens', () => {
  let byteLevel: Tokenizer;
  let marked: Tokenizer;
  const id = (tokenizer: Tokenizer, token: string): number => tokenizer.tokenToId(token) ?? -1;

  beforeAll(async () => {
    byteLevel = await tokenizerOf('byte-level.json', 'GPT2Tokenizer');
    marked = await tokenizerOf('sentencepiece-bpe.json', 'LlamaTokenizer');
  });

  it('keeps the space in front that decoding would cut', () => {
    expect(tokenText(marked, id(marked, '▁the'))).toEqual({ text: ' the', bytes: [32, 116, 104, 101] });
    expect(tokenText(marked, id(marked, 'er'))).toEqual({ text: 'er', bytes: [101, 114] });
    expect(tokenText(marked, id(marked, '▁')).text).toBe(' ');
    expect(tokenText(byteLevel, id(byteLevel, 'Ġthe')).text).toBe(' the');
  });

  it('has nothing for ids beyond the vocabulary', () => {
    for (const unknown of [byteLevel.size, -1, 2 ** 40, 1.5]) expect(tokenText(byteLevel, unknown)).toEqual({ text: '', bytes: null });
  });

  it('gives the character to the token that completes it', () => {
    const parts = ['ð', 'Ł', 'ĺ', 'Ģ'].map((token) => id(byteLevel, token));
    const the = id(byteLevel, 'Ġthe');
    const texts = parts.map((part, at) => repairedText(byteLevel, part, [the, the, ...parts.slice(0, at)].slice(-4)));
    expect(texts).toEqual(['', '', '', '😀']);
    expect(tokenText(byteLevel, parts[0] ?? -1)).toEqual({ text: '\ufffd', bytes: [0xef, 0xbf, 0xbd] });
  });

  it('does so with tokens for single bytes too', () => {
    const bytes = ['<0xE2>', '<0x82>', '<0xAC>'].map((token) => id(marked, token));
    expect(repairedText(marked, bytes[2] ?? -1, [id(marked, '▁the'), bytes[0] ?? -1, bytes[1] ?? -1])).toBe('€');
    expect(repairedText(marked, bytes[2] ?? -1, [bytes[1] ?? -1])).toBe('');
    expect(repairedText(marked, bytes[2] ?? -1, [])).toBe('');
  });
});

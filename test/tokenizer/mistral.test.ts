import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { loadModel } from '../../src/model/load-model.ts';
import { createTokenizer } from '../../src/tokenizer/create-tokenizer.ts';
import { pushToken, seedWindow } from '../../src/tokenizer/incremental-detokenizer.ts';
import { hasMistralFiles } from '../../src/tokenizer/mistral-tokenizer.ts';
import { fixture, modelDirectory, readRecorded } from './model-directory.ts';

/** What mistral-common and vLLM make of a tokenizer in Mistral's form. */
interface Recorded {
  source: string;
  file: string;
  size: number;
  eos: number;
  bos: number;
  encode: [string, number[], number[]][];
  decode: [number[], string, string][];
  incremental: [number[], boolean, string[]][];
}

async function expectRecorded(recorded: Recorded, content: Buffer): Promise<void> {
  const model = modelDirectory({ [recorded.file]: content, 'config.json': { model_type: 'mistral' } });
  const tokenizer = await createTokenizer((await loadModel({ model })).tokenizer, { mode: 'mistral' });
  expect([tokenizer.size, tokenizer.eosTokenId, tokenizer.bosTokenId]).toEqual([recorded.size, recorded.eos, recorded.bos]);
  for (const [text, bare, full] of recorded.encode) {
    expect([text, await tokenizer.encode(text, false), await tokenizer.encode(text, true)]).toEqual([text, bare, full]);
  }
  for (const [ids, all, hidden] of recorded.decode) {
    expect([ids, tokenizer.decode(ids, false), tokenizer.decode(ids, true)]).toEqual([ids, all, hidden]);
  }
  for (const [ids, skip, texts] of recorded.incremental) {
    const window = seedWindow(tokenizer, [], skip);
    expect([ids, ids.map((id) => pushToken(tokenizer, window, id, skip))]).toEqual([ids, texts]);
  }
}

describe("Mistral's own tokenizer", () => {
  it.each(readRecorded('tokenizer', 'mistral.json.gz') as Recorded[])('$source as recorded', async (recorded) => {
    await expectRecorded(recorded, readFileSync(fixture('tokenizer', 'vocabularies', recorded.source)));
  });

  const tekken = process.env['TEKKEN_FILE'] ?? fixture('..', '..', 'shared', 'conformance', 'tekken', 'tekken_240911.json.gz');
  it.skipIf(!existsSync(tekken))('a real tekken.json as recorded', async () => {
    const file = readFileSync(tekken);
    const [recorded] = readRecorded('tokenizer', 'mistral-tekken.json.gz') as Recorded[];
    if (recorded !== undefined) await expectRecorded(recorded, tekken.endsWith('.gz') ? gunzipSync(file) : file);
  });

  it('writes parts of characters as bytes, which no other token looks like', async () => {
    const model = modelDirectory({
      'tekken.json': readFileSync(fixture('tokenizer', 'vocabularies', 'tekken.json')),
      'config.json': { model_type: 'mistral' },
    });
    const tokenizer = await createTokenizer((await loadModel({ model })).tokenizer, { mode: 'mistral', decodeOnly: true });
    const tokens = Array.from({ length: tokenizer.size }, (_, id) => tokenizer.idToToken(id) ?? '');
    expect(new Set(tokens).size).toBe(tokens.length);
    const window = seedWindow(tokenizer, [], false);
    const bytes = [0xf0, 0x9f, 0x98, 0x80].map((byte) => tokenizer.tokenToId(`<0x${byte.toString(16).toUpperCase()}>`) ?? -1);
    expect(bytes.map((id) => pushToken(tokenizer, window, id, false))).toEqual(['', '', '', '😀']);
    expect(pushToken(tokenizer, window, tokenizer.tokenToId('[TOOL_CALLS]') ?? -1, false)).toBe('[TOOL_CALLS]');
    expect(pushToken(tokenizer, window, tokenizer.eosTokenId ?? -1, false)).toBe('');
    await expect(tokenizer.encode('x', false)).rejects.toThrow('decoding only');
  });

  it('is chosen for repositories in their form', () => {
    expect(hasMistralFiles({ fileNames: ['consolidated-00001-of-00002.safetensors', 'tekken.json'] })).toBe(true);
    expect(hasMistralFiles({ fileNames: ['consolidated.safetensors', 'tokenizer.model.v3', 'tokenizer.json'] })).toBe(true);
    expect(hasMistralFiles({ fileNames: ['model.safetensors', 'tekken.json'] })).toBe(false);
    expect(hasMistralFiles({ fileNames: ['consolidated.safetensors', 'tokenizer.json'] })).toBe(false);
  });
});

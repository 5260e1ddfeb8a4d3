import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadModel } from '../../src/model/load-model.ts';
import { createTokenizer } from '../../src/tokenizer/create-tokenizer.ts';
import { decodeInSlices } from '../../src/tokenizer/decode-in-slices.ts';
import { pushToken, seedWindow } from '../../src/tokenizer/incremental-detokenizer.ts';
import { modelDirectory, packagedTokenizer, readRecorded } from './model-directory.ts';

/** What the reference makes of a real tokenizer. */
interface Recorded {
  config: Record<string, unknown>;
  /** Text, ids without special tokens, ids with them. */
  encode: [string, number[], number[]][];
  /** Ids, text, text without special tokens. */
  decode: [number[], string, string][];
  /** Ids, whether special tokens are hidden, the text after each id. */
  incremental: [number[], boolean, string[]][];
}

const MODELS = ['deepseek_v3', 'gemma3', 'gptoss', 'internlm2', 'llama2', 'llama3_2', 'mistral_nemo', 'qwen2_5', 'qwen3'];

describe.each(MODELS)('the tokenizer of %s', (name) => {
  const recorded = readRecorded('tokenizer', 'recorded', `${name}.json.gz`) as Recorded;
  const files = packagedTokenizer(name);
  const directory = modelDirectory({
    'tokenizer.json': { from: join(files, 'tokenizer.json') },
    'tokenizer_config.json': { from: join(files, 'tokenizer_config.json') },
    'config.json': recorded.config,
  });

  it('encodes, decodes and streams as recorded', async () => {
    const tokenizer = await createTokenizer((await loadModel({ model: directory })).tokenizer);
    const wrong: unknown[] = [];
    for (const [text, bare, full] of recorded.encode) {
      const ids = [await tokenizer.encode(text, false), await tokenizer.encode(text, true)];
      if (JSON.stringify(ids) !== JSON.stringify([bare, full])) wrong.push({ text, ids, wanted: [bare, full] });
    }
    for (const [ids, all, hidden] of recorded.decode) {
      const texts = [tokenizer.decode(ids, false), tokenizer.decode(ids, true)];
      if (texts[0] !== all || texts[1] !== hidden) wrong.push({ ids, texts, wanted: [all, hidden] });
    }
    for (const [ids, skip, wanted] of recorded.incremental) {
      const window = seedWindow(tokenizer, [], skip);
      const texts = ids.map((id) => pushToken(tokenizer, window, id, skip));
      if (JSON.stringify(texts) !== JSON.stringify(wanted)) wrong.push({ ids, skip, texts, wanted });
    }
    expect(wrong).toEqual([]);
  });

  it('decodes long sequences in slices to the same text', async () => {
    const tokenizer = await createTokenizer((await loadModel({ model: directory })).tokenizer);
    const once = recorded.decode.flatMap(([ids]) => ids);
    const long = Array.from({ length: Math.ceil(10_000 / once.length) }, () => once).flat();
    expect(tokenizer.decodesPiecewise).toBe(true);
    expect(await decodeInSlices(tokenizer, long)).toBe(tokenizer.decode(long, false));
  });
});

import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadModel } from '../../src/model/load-model.ts';
import { AddedTokens, draftToken, settle } from '../../src/tokenizer/added-tokens.ts';
import { byteLevelBytes, byteLevelToken } from '../../src/tokenizer/byte-level.ts';
import { TokenPairFinder } from '../../src/tokenizer/token-pair-finder.ts';
import { createTokenizer } from '../../src/tokenizer/create-tokenizer.ts';
import { tokenizerFileSections, sectionValue } from '../../src/tokenizer/json-sections.ts';
import { withMistralWords } from '../../src/tokenizer/mistral-words.ts';
import { decodeUtf8, endsWithWholeCharacter } from '../../src/tokenizer/utf8.ts';
import { VocabularyTable } from '../../src/tokenizer/vocabulary-table.ts';
import { fixture, modelDirectory } from './model-directory.ts';

describe('the places of members in a file', () => {
  it('are those that JSON.parse reads', () => {
    const json = fc.json({ maxDepth: 3 });
    fc.assert(
      fc.property(fc.dictionary(fc.string(), json), fc.dictionary(fc.string(), json, { minKeys: 1 }), (file, model) => {
        const member = ([name, value]: [string, string]): string => ` ${JSON.stringify(name)}\n:\t${value} `;
        const inner = `{${Object.entries(model).map(member).join(',')}}`;
        const entries = Object.entries(file).filter(([name]) => name !== 'model');
        const text = `{${[...entries.map(member), `"model": ${inner}`].join(',')}}`;
        const bytes = Buffer.from(text);
        const sections = tokenizerFileSections(bytes);
        const read = (part: typeof sections.file): unknown => [...part].map(([name, section]) => [name, sectionValue(bytes, section)]);
        const parsed = JSON.parse(text) as Record<string, Record<string, unknown>>;
        const sorted = (pairs: unknown): string => JSON.stringify((pairs as [string, unknown][]).sort(([a], [b]) => (a < b ? -1 : 1)));
        expect(sorted(read(sections.file))).toBe(sorted(Object.entries(parsed)));
        expect(sorted(read(sections.model))).toBe(sorted(Object.entries(parsed['model'] ?? {})));
      }),
    );
  });

  it('are refused for what is no such file', () => {
    for (const text of ['', '[]', '{', '{}', '{"model":{}}', '{"model":7}', '{"a" 1}', '{"a":1 "b":2}', '{"a":"', '{"model":{"a":[}']) {
      expect(() => tokenizerFileSections(Buffer.from(text))).toThrow(SyntaxError);
    }
  });
});

describe('the table of a vocabulary', () => {
  it('finds tokens by id and ids by token, escapes and holes included', () => {
    const tokens = { 'a"b': 0, '\\': 1, Ġx: 2, '😀': 5, '\n': 7, '': 9 };
    const table = new VocabularyTable(Buffer.from(JSON.stringify(tokens, null, 2)));
    expect([table.count, table.size]).toEqual([6, 10]);
    for (const [token, id] of Object.entries(tokens)) expect([table.token(id), table.tokenToId(token)]).toEqual([token, id]);
    for (const id of [3, 10, -1, 1.5, Number.NaN]) expect(table.token(id)).toBeUndefined();
    expect(table.tokenToId('nothing')).toBeUndefined();
    const escaped = new VocabularyTable(Buffer.from(String.raw`{"\u0120x": 0}`));
    expect([escaped.token(0), escaped.tokenToId('Ġx')]).toEqual(['Ġx', 0]);
  });

  it('reads scored vocabularies, whose ids are places', () => {
    const table = new VocabularyTable(Buffer.from('[["<unk>", 0.0], ["a", -1.5], ["a", 0]]'));
    expect([0, 1, 2].map((id) => table.token(id))).toEqual(['<unk>', 'a', 'a']);
    expect(table.position('a')).toBe(1);
    expect(table.position('a', { score: 0 })).toBe(2);
    expect(table.position('<unk>', { from: 1 })).toBeUndefined();
  });

  it('refuses ids that no table can hold', () => {
    for (const json of ['{"a":-1}', '{"a":1.5}', '{"a":99999999999}', '7'])
      expect(() => new VocabularyTable(Buffer.from(json))).toThrow(SyntaxError);
  });
});

describe('ids of added tokens', () => {
  const vocabulary = new Map([
    ['a', 0],
    ['b', 1],
    ['c', 5],
  ]);
  const base = { count: vocabulary.size, tokenToId: (token: string) => vocabulary.get(token) };
  const plain = (content: string) => settle(draftToken(content));

  it('follow the vocabulary, whatever the file says, unless the vocabulary has the token', () => {
    const added = new AddedTokens(base);
    added.add([plain('X'), plain('a')]);
    added.add([plain('Y')]);
    expect(added.entries().map(({ id, content }) => [id, content])).toEqual([
      [0, 'a'],
      [3, 'X'],
      [4, 'Y'],
    ]);
    expect(added.countOutside()).toBe(2);
    expect([added.tokenToId('c'), added.tokenToId('X'), added.tokenToId('Z')]).toEqual([5, 3, undefined]);
  });

  it('stay when a token is added again with other flags; once special, its text is hidden for good', () => {
    const added = new AddedTokens(base);
    added.add([settle(draftToken('X', { special: true }))]);
    added.add([settle(draftToken('X', { lstrip: true }))]);
    expect(added.entries()).toMatchObject([{ id: 3, content: 'X', special: false, lstrip: true, normalized: true }]);
    expect([added.isSpecialText('X'), added.isSpecialText('a')]).toEqual([true, false]);
  });
});

describe('bytes', () => {
  it('have a character each, and come back', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 20 }), (bytes) => {
        expect([...byteLevelBytes(byteLevelToken(bytes))]).toEqual([...bytes]);
      }),
    );
    expect([...byteLevelBytes('a b')]).toEqual([97, 32, 98]);
  });

  it('end with a whole character where the text does not end with U+FFFD', () => {
    const byte = fc.oneof(fc.constantFrom(0x41, 0x80, 0xa0, 0xbf, 0xc2, 0xe0, 0xed, 0xef, 0xf0, 0xf4), fc.nat(255));
    fc.assert(
      fc.property(fc.array(byte, { minLength: 1, maxLength: 8 }), (bytes) => {
        fc.pre(bytes.slice(-3).join() !== '239,191,189');
        expect(endsWithWholeCharacter(bytes)).toBe(!decodeUtf8(bytes).endsWith('\ufffd'));
      }),
      { numRuns: 2000 },
    );
  });

  it('are found as pairs of tokens', () => {
    const token = fc.array(fc.constantFrom(97, 98, 0), { minLength: 1, maxLength: 5 }).map((bytes) => Buffer.from(bytes));
    fc.assert(
      fc.property(fc.uniqueArray(token, { selector: (bytes) => bytes.toString('hex'), maxLength: 30 }), (tokens) => {
        const finder = new TokenPairFinder(tokens);
        const places = new Map(tokens.map((bytes, place) => [bytes.toString('hex'), place]));
        for (const bytes of tokens) {
          const pairs: [number, number][] = [];
          for (let cut = 1; cut < bytes.length; cut += 1) {
            const [left, right] = [bytes.subarray(0, cut), bytes.subarray(cut)].map((part) => places.get(part.toString('hex')));
            if (left !== undefined && right !== undefined) pairs.push([left, right]);
          }
          expect(finder.pairs(bytes)).toEqual(pairs);
        }
      }),
    );
  });
});

describe('the words of older Mistral models', () => {
  const split = { type: 'Split', pattern: { Regex: 'x' }, behavior: 'Isolated', invert: false };
  const bytes = { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: false };
  const sequence = { type: 'Sequence', pretokenizers: [split, bytes] };
  const big = 131_072;

  it('are put right where the configuration asks for it', () => {
    const right = withMistralWords(sequence, true, { model_type: 'mistral' }, big) as typeof sequence;
    expect(right.pretokenizers).toEqual([{ ...split, pattern: { Regex: expect.stringContaining('\\p{Lu}') as string } }, bytes]);
    const alone = withMistralWords({ type: 'Metaspace' }, true, { model_type: 'ministral', transformers_version: '4.50.0' }, big);
    expect((alone as typeof sequence).pretokenizers[1]).toEqual(bytes);
  });

  it('stay as they are otherwise', () => {
    expect(withMistralWords(sequence, undefined, { model_type: 'mistral' }, big)).toBe(sequence);
    expect(withMistralWords(sequence, true, { model_type: 'mistral' }, 32_000)).toBe(sequence);
    expect(withMistralWords(sequence, true, { model_type: 'mistral', transformers_version: '5.1.0' }, big)).toBe(sequence);
    expect(withMistralWords(sequence, true, { model_type: 'llama', transformers_version: '4.50.0' }, big)).toBe(sequence);
    expect(withMistralWords(null, true, { model_type: 'mistral' }, big)).toBeNull();
  });
});

describe('a tokenizer', () => {
  const json = JSON.parse(readFileSync(fixture('tokenizer', 'vocabularies', 'byte-level.json'), 'utf8')) as object;
  const model = modelDirectory({
    'tokenizer.json': JSON.stringify(json, null, 2),
    'config.json': { model_type: 'llama' },
    'tokenizer_config.json': { eos_token: '</s>', bos_token: '<s>', extra_special_tokens: { image_token: '<image>' } },
  });

  it('reads a file that is laid out for people, and loads without a writable folder', async () => {
    const { withScratchFile, ...files } = (await loadModel({ model })).tokenizer;
    expect(withScratchFile).toBeDefined();
    const tokenizer = await createTokenizer(files);
    expect(tokenizer.decode(await tokenizer.encode('Hello <image> world', false), false)).toBe('Hello <image> world');
    expect(tokenizer.specialTokens).toMatchObject({ bos_token: '<s>', eos_token: '</s>', image_token: '<image>' });
    expect(tokenizer.truncationSide).toBe('left');
  });

  it('gives places in code points', async () => {
    const tokenizer = await createTokenizer((await loadModel({ model })).tokenizer);
    const { ids, offsets } = await tokenizer.encodeWithOffsets('😀 is', false);
    expect(ids).toEqual(await tokenizer.encode('😀 is', false));
    expect(offsets.slice(0, 4)).toEqual(Array.from({ length: 4 }, () => [0, 1]));
    expect(offsets.at(-1)?.[1]).toBe(4);
  });

  it('refuses half surrogate pairs and ignores ids that it does not have', async () => {
    const tokenizer = await createTokenizer((await loadModel({ model })).tokenizer);
    for (const text of ['\ud83d', 'a\udc00b']) await expect(tokenizer.encode(text, true)).rejects.toMatchObject({ status: 400 });
    const [id = 0] = await tokenizer.encode('H', false);
    expect(tokenizer.decode([-1, id, tokenizer.size, 2 ** 32, 1.5, Number.NaN], false)).toBe('H');
    expect([-1, tokenizer.size, 0.5].map((each) => tokenizer.idToToken(each))).toEqual([undefined, undefined, undefined]);
  });
});

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { loadModel } from '../../src/model/load-model.ts';
import { chooseClassName, rebuildingClassNames, tokenizerClass } from '../../src/tokenizer/classes/choose-class.ts';
import { createTokenizer } from '../../src/tokenizer/create-tokenizer.ts';
import { effectiveTokenizer } from '../../src/tokenizer/effective-tokenizer.ts';
import { tokenText } from '../../src/tokenizer/tokenizer-settings.ts';
import type { Tokenizer } from '../../src/tokenizer/tokenizer.ts';
import { fixture, modelDirectory, readRecorded } from './model-directory.ts';

type JsonObject = Record<string, unknown>;

/** A configuration of a tokenizer class over a small vocabulary, and what transformers makes of it. */
interface ClassCase {
  name: string;
  base: string;
  without: string[];
  tokenizerConfig: JsonObject;
  config: JsonObject;
  files: Record<string, JsonObject>;
  class: string;
  effective: JsonObject & { post_processor: JsonObject | null };
  allSpecialIds: number[];
  specialTokens: Record<string, string>;
  eos: number | null;
  bos: number | null;
  length: number;
  encode?: [string, number[], number[]][];
  decode?: [number[], string, string][];
  join?: [string[], string];
}

const cases = readRecorded('tokenizer', 'classes.json.gz') as ClassCase[];

function tokenizerJson({ base, without }: ClassCase): string {
  const file = JSON.parse(readFileSync(fixture('tokenizer', 'vocabularies', `${base}.json`), 'utf8')) as JsonObject;
  for (const member of without) file[member] = member === 'added_tokens' ? [] : null;
  return JSON.stringify(file);
}

/** Ids that a post-processor puts around a text (null); types of segments and pairs of texts play no part here. */
function idsAround(processor: JsonObject | null): unknown {
  if (processor?.['type'] !== 'TemplateProcessing') return processor;
  const tokens = processor['special_tokens'] as Record<string, { ids: number[] }>;
  return (processor['single'] as { SpecialToken?: { id: string } }[]).map(({ SpecialToken: token }) => token && tokens[token.id]?.ids);
}

describe('tokenizer classes', () => {
  it.each(cases)('$name: class and parts', (recorded) => {
    const className = chooseClassName(recorded.tokenizerConfig, recorded.config);
    expect(className).toBe(recorded.class);
    const effective = effectiveTokenizer(
      { json: Buffer.from(tokenizerJson(recorded)), converted: false, keepsPipeline: false },
      {
        tokenizerConfig: recorded.tokenizerConfig,
        config: recorded.config,
        specialTokensMap: recorded.files['special_tokens_map.json'],
        addedTokensJson: recorded.files['added_tokens.json'],
      },
      tokenizerClass(className),
    );
    const { parts, added, special } = effective;
    const { post_processor: processor, ...wanted } = recorded.effective;
    expect({
      added_tokens: added.entries(),
      normalizer: parts.normalizer,
      pre_tokenizer: parts.pre_tokenizer,
      decoder: parts.decoder,
      model: parts.model,
    }).toEqual(wanted);
    expect(idsAround(parts.post_processor as JsonObject | null)).toEqual(idsAround(processor));
    expect(Object.fromEntries([...special.named].map(([name, token]) => [name, tokenText(token)]))).toEqual(recorded.specialTokens);
  });

  it('covers every class that builds its own pipeline', () => {
    const seen = new Set(cases.map((recorded) => recorded.class));
    expect(rebuildingClassNames().filter((name) => !seen.has(name))).toEqual([]);
  });

  // MarkupLM takes documents instead of texts; LASR joins repeated sounds when it decodes speech.
  const takesTexts = cases.filter((recorded) => recorded.join !== undefined && !/^(?:MarkupLM|Lasr)Tokenizer$/.test(recorded.class));

  it.each(takesTexts)('$name: encoding and decoding', async (recorded) => {
    const model = modelDirectory({
      'tokenizer.json': tokenizerJson(recorded),
      'tokenizer_config.json': recorded.tokenizerConfig,
      'config.json': recorded.config,
      ...recorded.files,
    });
    await expectRecorded(await createTokenizer((await loadModel({ model })).tokenizer), recorded);
  });
});

async function expectRecorded(tokenizer: Tokenizer, recorded: ClassCase): Promise<void> {
  expect({
    specialIds: [...tokenizer.allSpecialIds].sort((a, b) => a - b),
    eos: tokenizer.eosTokenId ?? null,
    bos: tokenizer.bosTokenId ?? null,
    length: tokenizer.tokenCount,
  }).toEqual({
    specialIds: [...new Set(recorded.allSpecialIds)].sort((a, b) => a - b),
    eos: recorded.eos,
    bos: recorded.bos,
    length: recorded.length,
  });
  for (const [text, bare, full] of recorded.encode ?? []) {
    expect([text, await tokenizer.encode(text, false), await tokenizer.encode(text, true)]).toEqual([text, bare, full]);
  }
  for (const [ids, all, hidden] of recorded.decode ?? []) {
    expect([ids, tokenizer.decode(ids, false), tokenizer.decode(ids, true)]).toEqual([ids, all, hidden]);
  }
  const [tokens, text] = recorded.join ?? [[], ''];
  expect(tokenizer.tokensToString(tokens)).toBe(text);
}

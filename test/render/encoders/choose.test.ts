import { describe, expect, it } from 'vitest';
import { StartupError } from '../../../src/core/errors.ts';
import type { TokenizerFiles } from '../../../src/model/tokenizer-files.ts';
import { chooseEncoder, resolveTokenizerMode, type TokenizerMode } from '../../../src/render/encoders/choose.ts';
import { readMistralFacts } from '../../../src/render/encoders/mistral/tokenizer-facts.ts';
import { createByteTokenizer } from './byte-tokenizer.ts';

function filesOf(contents: Readonly<Record<string, unknown>>): TokenizerFiles {
  return {
    name: 'model',
    tokenizerConfig: {},
    config: {},
    fileNames: Object.keys(contents),
    readFile: (name) => (name in contents ? Buffer.from(JSON.stringify(contents[name])) : undefined),
  };
}

const tekken = (version: string, more: Readonly<Record<string, unknown>> = {}): TokenizerFiles =>
  filesOf({
    'tekken.json': { vocab: [{ token_bytes: 'AA==' }], config: { pattern: '.', version }, ...more },
    'consolidated.safetensors': null,
  });

describe('resolveTokenizerMode', () => {
  it.each([
    ['DeepseekV32ForCausalLM', 'deepseek_v32'],
    ['DeepseekV4ForCausalLM', 'deepseek_v4'],
    ['DeepseekV41ForCausalLM', 'deepseek_v41'],
    ['InklingForConditionalGeneration', 'inkling'],
    ['KimiK3ForConditionalGeneration', 'kimi_k3'],
    ['Cohere2ForCausalLM', 'hf'],
    ['Qwen3ForCausalLM', 'hf'],
  ])('takes %s as %s', (architecture, mode) => {
    expect(resolveTokenizerMode('auto', { architectures: [architecture], tokenizer: filesOf({}) })).toBe(mode);
  });

  it("knows Mistral's own repositories by their files", () => {
    expect(resolveTokenizerMode('auto', { architectures: [], tokenizer: tekken('v7') })).toBe('mistral');
    expect(resolveTokenizerMode('auto', { architectures: [], tokenizer: filesOf({ 'tekken.json': {} }) })).toBe('hf');
  });

  it('does as it is told, in any case of letters', () => {
    expect(resolveTokenizerMode('HF', { architectures: ['DeepseekV32ForCausalLM'], tokenizer: tekken('v7') })).toBe('hf');
    expect(() => resolveTokenizerMode('slow', { architectures: [], tokenizer: filesOf({}) })).toThrow(StartupError);
  });
});

describe('chooseEncoder', () => {
  const names = (mode: TokenizerMode, modelType: string, tokenizer = filesOf({}), specials: string[] = []): string | undefined =>
    chooseEncoder({ mode, model: { modelType, tokenizer }, tokenizer: createByteTokenizer(specials), now: () => new Date() })?.name;

  it('takes none where a template writes the prompt', () => {
    expect(names('hf', 'qwen3')).toBeUndefined();
  });

  it.each(['deepseek_v32', 'deepseek_v4', 'deepseek_v41', 'cohere'] as const)('takes the one that the mode names: %s', (mode) => {
    expect(names(mode, 'llama')).toBe(mode);
  });

  it('takes Harmony for gpt-oss in every mode', () => {
    const specials = ['<|start|>', '<|message|>', '<|channel|>', '<|constrain|>', '<|end|>', '<|call|>'];
    expect(names('hf', 'gpt_oss', filesOf({}), specials)).toBe('harmony');
    expect(() => names('hf', 'gpt_oss')).toThrow(StartupError);
  });

  it.each(['inkling', 'kimi_k3'] as const)('refuses %s without its tokens', (mode) => {
    expect(() => names(mode, 'llama')).toThrow(StartupError);
  });

  it('takes the version from tekken.json', () => {
    const specials = '<s> </s> [INST] [/INST] [AVAILABLE_TOOLS] [/AVAILABLE_TOOLS] [TOOL_RESULTS] [/TOOL_RESULTS] [TOOL_CALLS]'.split(' ');
    expect(names('mistral', 'mistral', tekken('v3'), specials)).toBe('mistral');
    expect(() => names('mistral', 'mistral', tekken('v7'), specials)).toThrow(/SYSTEM_PROMPT/);
  });
});

describe('readMistralFacts', () => {
  it('reads version and settings of a tekken.json', () => {
    const builder = { reasoning_effort: { type: 'enum', accepts_none: true, default: 'high', values: ['none', 'high'] } };
    expect(readMistralFacts(tekken('v11'))).toEqual({ version: 11, isTekken: true, settings: null });
    expect(readMistralFacts(tekken('v15', { model_settings_builder: builder })).settings).toEqual({
      reasoningEffort: { values: ['none', 'high'], preset: 'high' },
    });
  });

  it('reads the version from the name of a SentencePiece model', () => {
    expect(readMistralFacts(filesOf({ 'tokenizer.model.v7m1': 0, 'tokenizer.model.v3': 0 }))).toEqual({
      version: 7,
      isTekken: false,
      settings: null,
    });
  });

  it.each([
    filesOf({}),
    tekken('v4'),
    filesOf({ 'tekken.json': {} }),
    tekken('v13', { model_settings_builder: {} }),
    tekken('v15', { model_settings_builder: { reasoning_effort: { values: [] } } }),
  ])('refuses files that say nothing usable', (files) => {
    expect(() => readMistralFacts(files)).toThrow(StartupError);
  });
});

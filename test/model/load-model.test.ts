import { describe, expect, it } from 'vitest';
import { StartupError } from '../../src/core/errors.ts';
import { chatTemplates } from '../../src/model/chat-templates.ts';
import { endTokenIds } from '../../src/model/end-tokens.ts';
import { loadModel } from '../../src/model/load-model.ts';
import { maxModelLen } from '../../src/model/max-model-len.ts';
import { neededFiles } from '../../src/model/model-file-names.ts';
import { createTokenizer } from '../../src/tokenizer/create-tokenizer.ts';
import { fixture, modelDirectory, readRecorded, type FileContent } from '../tokenizer/model-directory.ts';

interface LengthCase {
  config: Record<string, unknown>;
  generationConfig: Record<string, unknown> | null;
  maxModelLen: number;
  endTokens: number[];
}

describe('what config.json says', () => {
  it.each((readRecorded('model', 'lengths.json.gz') as LengthCase[]).map((recorded, index) => ({ ...recorded, index })))(
    'length and end tokens of $config.model_type ($index)',
    ({ config, generationConfig, ...wanted }) => {
      expect(maxModelLen(config, null)).toBe(wanted.maxModelLen);
      expect(endTokenIds(config, generationConfig)).toEqual(wanted.endTokens);
    },
  );

  it('gives way to a length that was asked for, upwards as well', () => {
    const config = { model_type: 'llama', max_position_embeddings: 4096 };
    expect([100, 100_000, -1, 0].map((override) => maxModelLen(config, override))).toEqual([100, 100_000, 4096, 4096]);
  });
});

describe('chat templates', () => {
  const none = { templateFile: undefined, additional: {}, processorTemplate: undefined };

  it('come from a text, a list of named ones, or files', () => {
    expect(chatTemplates({ ...none, tokenizerConfig: {} })).toEqual({ default: null, named: {} });
    expect(chatTemplates({ ...none, tokenizerConfig: { chat_template: 'a' } })).toEqual({ default: 'a', named: { default: 'a' } });
    const list = [
      { name: 'default', template: 'a' },
      { name: 'tool_use', template: 'b' },
    ];
    const named = { default: 'a', tool_use: 'b' };
    expect(chatTemplates({ ...none, tokenizerConfig: { chat_template: list } })).toEqual({ default: 'a', named });
  });

  it('prefer files to the configuration, and that to the processor', () => {
    const tokenizerConfig = { chat_template: 'configuration' };
    expect(chatTemplates({ ...none, tokenizerConfig, templateFile: 'file' }).default).toBe('file');
    expect(chatTemplates({ ...none, tokenizerConfig, additional: { rag: 'r' } })).toEqual({ default: null, named: { rag: 'r' } });
    const processorTemplate = { chat_template: 'processor' };
    expect(chatTemplates({ ...none, tokenizerConfig, processorTemplate }).default).toBe('configuration');
    expect(chatTemplates({ ...none, tokenizerConfig: {}, processorTemplate }).default).toBe('processor');
  });
});

describe('loading a model', () => {
  const whole: Record<string, FileContent> = {
    'config.json': { model_type: 'llama', architectures: ['LlamaForCausalLM'], max_position_embeddings: 4096, eos_token_id: 2 },
    'tokenizer.json': { from: fixture('tokenizer', 'vocabularies', 'sentencepiece-bpe.json') },
    'tokenizer_config.json': { tokenizer_class: 'LlamaTokenizer', chat_template: 'in the configuration' },
  };

  async function fault(files: Record<string, FileContent | undefined>): Promise<string> {
    const load = async (): Promise<void> => {
      await createTokenizer((await loadModel({ model: modelDirectory(files), environment: {} })).tokenizer);
    };
    const error: unknown = await load().then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(StartupError);
    return (error as StartupError).message;
  }

  it('reads all that describes it', async () => {
    const model = await loadModel({
      model: modelDirectory({
        ...whole,
        'generation_config.json': { eos_token_id: [2, 3], temperature: 0.7 },
        'chat_template.jinja': 'in a file',
        'additional_chat_templates/rag.jinja': 'for documents',
      }),
    });
    expect(model).toMatchObject({
      modelType: 'llama',
      architectures: ['LlamaForCausalLM'],
      maxModelLen: 4096,
      eosTokenIds: [2, 3],
      generationConfig: { temperature: 0.7 },
      chatTemplates: { default: 'in a file', named: { rag: 'for documents' } },
    });
    const tokenizer = await createTokenizer(model.tokenizer);
    expect([tokenizer.bosTokenId, tokenizer.eosTokenId]).toEqual([1, 2]);
  });

  it('takes the tokenizer and its templates from elsewhere where asked to', async () => {
    const model = await loadModel({
      model: modelDirectory({ 'config.json': { model_type: 'qwen3', max_position_embeddings: 100 } }),
      tokenizer: modelDirectory(whole),
      maxModelLen: 50,
    });
    expect(model).toMatchObject({ modelType: 'qwen3', maxModelLen: 50, chatTemplates: { default: 'in the configuration' } });
    expect(model.tokenizer.config).toMatchObject({ model_type: 'llama' });
  });

  it('knows what repositories of Mistral have in place of config.json', async () => {
    const model = await loadModel({ model: modelDirectory({ 'params.json': { dim: 64, max_seq_len: 32768 } }) });
    expect(model).toMatchObject({ modelType: 'mistral', maxModelLen: 32768 });
  });

  it('tells in one sentence which file is missing or broken', async () => {
    expect(await fault({ ...whole, 'config.json': undefined })).toMatch(/has no config\.json, so it is no model\.$/);
    expect(await fault({ ...whole, 'config.json': '{' })).toMatch(/config\.json cannot be used: it is not JSON/);
    expect(await fault({ ...whole, 'generation_config.json': '[]' })).toMatch(
      /generation_config\.json cannot be used: it holds no JSON object\.$/,
    );
    expect(await fault({ ...whole, 'tokenizer.json': undefined })).toMatch(/has no tokenizer: none of tokenizer\.json, tekken\.json/);
    for (const broken of [
      '',
      '{}',
      '{"model":',
      '{"model":{"type":"BPE","vocab":7}}',
      '{"model":{"type":"BPE","vocab":{"a":-1},"merges":[]}}',
    ]) {
      expect(await fault({ ...whole, 'tokenizer.json': broken })).toMatch(/^tokenizer\.json of .* cannot be read as a tokenizer: /);
    }
    const wrongMerges = '{"model":{"type":"BPE","vocab":{"a":0},"merges":[["a","b"]]}}';
    expect(await fault({ ...whole, 'tokenizer.json': wrongMerges })).toMatch(/^tokenizer\.json of .* cannot be read as a tokenizer: /);
    const without = { ...whole, 'tokenizer.json': undefined };
    expect(await fault({ ...without, 'tekken.json': '{"vocab":[]}' })).toMatch(/^tekken\.json of .*config\.pattern or vocab is missing\.$/);
    expect(await fault({ ...without, 'tokenizer.model': 'no model' })).toMatch(/^tokenizer\.model of .* cannot be read as a tokenizer: /);
    expect(await fault({ ...without, 'tiktoken.model': 'IQ== 0\nIg==\n' })).toMatch(/line 2 is not a token and its rank\.$/);
    expect(await fault({ ...whole, 'special_tokens_map.json': '7' })).toMatch(/^special_tokens_map\.json of /);
  });
});

describe('the files that are fetched', () => {
  it('are never weights, and one vocabulary is enough', () => {
    const names = [
      'config.json',
      'model-00001-of-00002.safetensors',
      'tokenizer.json',
      'tokenizer.model',
      'vocab.json',
      'merges.txt',
      'pytorch_model.bin',
    ];
    expect(neededFiles(names)).toEqual(['config.json', 'tokenizer.json']);
    expect(neededFiles(['consolidated.safetensors', 'params.json', 'tekken.json'])).toEqual(['params.json', 'tekken.json']);
    expect(neededFiles(['tokenizer.model', 'tokenizer.model.v3', 'qwen.tiktoken', 'vocab.txt', 'sub/tokenizer.json'])).toEqual([
      'tokenizer.model',
      'tokenizer.model.v3',
      'qwen.tiktoken',
      'vocab.txt',
    ]);
  });
});

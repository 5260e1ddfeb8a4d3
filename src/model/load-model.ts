import { StartupError } from '../core/errors.ts';
import { chatTemplates, type ChatTemplates } from './chat-templates.ts';
import { endTokenIds } from './end-tokens.ts';
import { findModel } from './find-model.ts';
import { hubSettings, type Environment } from './hub-settings.ts';
import { maxModelLen } from './max-model-len.ts';
import { additionalTemplateName } from './model-file-names.ts';
import { ModelFiles } from './model-files.ts';
import { canWriteScratchFiles, withScratchFile } from './scratch-file.ts';
import { modelTypeOf, type ModelConfig } from './text-config.ts';
import type { TokenizerFiles } from './tokenizer-files.ts';

export interface LoadModelOptions {
  /** `--model`: a directory, or a name on the hub. */
  model: string;
  /** `--tokenizer`: where the tokenizer comes from, if not from the model. */
  tokenizer?: string | null;
  revision?: string | null;
  hfToken?: string | null;
  /** `--max-model-len` */
  maxModelLen?: number | null;
  /** Environment variables of the Hugging Face tools; the process's own by default. */
  environment?: Environment;
}

/** All that a server needs to know of a model. */
export interface LoadedModel {
  /** As it was asked for. */
  readonly name: string;
  /** Where its files are. */
  readonly directory: string;
  /** `config.json` */
  readonly config: ModelConfig;
  /** `generation_config.json`, null where there is none. */
  readonly generationConfig: ModelConfig | null;
  /** `tokenizer_config.json`, `{}` where there is none. */
  readonly tokenizerConfig: ModelConfig;
  readonly tokenizer: TokenizerFiles;
  readonly chatTemplates: ChatTemplates;
  /** Most tokens of prompt and output together. */
  readonly maxModelLen: number;
  /** Ids that end generation, without the tokenizer's own. */
  readonly eosTokenIds: readonly number[];
  /** `model_type`, or an empty text. */
  readonly modelType: string;
  readonly architectures: readonly string[];
}

/**
 * Finds a model and reads what describes it. Weights are never touched.
 * @throws StartupError: one sentence that names what is missing or broken.
 */
export async function loadModel(options: LoadModelOptions): Promise<LoadedModel> {
  const settings = hubSettings(options.environment ?? process.env, options.hfToken ?? null);
  const revision = options.revision ?? null;
  const files = new ModelFiles(await findModel(options.model, revision, settings));
  const other = options.tokenizer ?? null;
  const tokenizerFiles = other === null || other === options.model ? files : new ModelFiles(await findModel(other, revision, settings));
  const config = readConfig(files);
  if (config === undefined) throw new StartupError(`${options.model} has no config.json, so it is no model.`);
  const generationConfig = files.readObject('generation_config.json') ?? null;
  const tokenizer = readTokenizerFiles(tokenizerFiles, tokenizerFiles === files ? config : (readConfig(tokenizerFiles) ?? {}));
  const { architectures } = config;
  return {
    name: options.model,
    directory: files.directory,
    config,
    generationConfig,
    tokenizerConfig: tokenizer.tokenizerConfig,
    tokenizer,
    chatTemplates: readTemplates(tokenizerFiles, tokenizer.tokenizerConfig),
    maxModelLen: maxModelLen(config, options.maxModelLen ?? null),
    eosTokenIds: endTokenIds(config, generationConfig),
    modelType: modelTypeOf(config),
    architectures: Array.isArray(architectures) ? architectures.filter((name) => typeof name === 'string') : [],
  };
}

/** `config.json`, or what Mistral's own repositories have in its place. */
function readConfig(files: ModelFiles): ModelConfig | undefined {
  const config = files.readObject('config.json');
  if (config !== undefined) return config;
  const params = files.readObject('params.json');
  if (params === undefined) return undefined;
  const length = params['max_position_embeddings'] ?? params['max_seq_len'] ?? 128_000;
  return { model_type: 'mistral', architectures: ['MistralForCausalLM'], ...params, max_position_embeddings: length, max_seq_len: length };
}

function readTokenizerFiles(files: ModelFiles, config: ModelConfig): TokenizerFiles {
  return {
    name: files.name,
    tokenizerConfig: files.readObject('tokenizer_config.json') ?? {},
    config,
    fileNames: files.fileNames,
    readFile: (name) => files.read(name),
    ...(canWriteScratchFiles() ? { withScratchFile } : {}),
  };
}

function readTemplates(files: ModelFiles, tokenizerConfig: ModelConfig): ChatTemplates {
  const additional: Record<string, string> = {};
  for (const fileName of files.fileNames) {
    const name = additionalTemplateName(fileName);
    const text = name === undefined ? undefined : files.readText(fileName);
    if (name !== undefined && text !== undefined) additional[name] = text;
  }
  return chatTemplates({
    tokenizerConfig,
    templateFile: files.readText('chat_template.jinja'),
    additional,
    processorTemplate: files.readObject('chat_template.json'),
  });
}

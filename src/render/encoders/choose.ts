import { StartupError } from '../../core/errors.ts';
import type { LoadedModel } from '../../model/load-model.ts';
import { hasMistralFiles } from '../../tokenizer/mistral-tokenizer.ts';
import type { Tokenizer } from '../../tokenizer/tokenizer.ts';
import type { ChatEncoder } from '../chat-encoder.ts';
import { createCohereEncoder } from './cohere/cohere.ts';
import { createDeepseekV32Encoder } from './deepseek/v32.ts';
import { createDeepseekV41Encoder } from './deepseek/v41.ts';
import { createDeepseekV4Encoder } from './deepseek/v4.ts';
import { createHarmonyEncoder } from './harmony/harmony.ts';
import { createInklingEncoder } from './inkling/inkling.ts';
import { createKimiK3Encoder } from './kimi-k3/kimi-k3.ts';
import { createMistralEncoder } from './mistral/mistral.ts';
import { readMistralFacts } from './mistral/tokenizer-facts.ts';

/** Values of `--tokenizer-mode` but `auto`. */
export type TokenizerMode = 'hf' | 'mistral' | 'deepseek_v32' | 'deepseek_v4' | 'deepseek_v41' | 'inkling' | 'kimi_k3' | 'cohere';

/** Architectures whose prompts no template writes. Cohere's models have templates, too: their encoder is only used when asked for. */
const MODE_BY_ARCHITECTURE = new Map<string, TokenizerMode>([
  ['DeepseekV32ForCausalLM', 'deepseek_v32'],
  ['DeepseekV4ForCausalLM', 'deepseek_v4'],
  ['DeepseekV4ForConditionalGeneration', 'deepseek_v4'],
  ['DeepseekV41ForCausalLM', 'deepseek_v41'],
  ['InklingForCausalLM', 'inkling'],
  ['InklingForConditionalGeneration', 'inkling'],
  ['KimiK3ForConditionalGeneration', 'kimi_k3'],
]);

function isMode(name: string): name is TokenizerMode {
  return Object.hasOwn(FACTORIES, name);
}

/**
 * The mode in force: the one asked for, or for `auto` the one that the model's architecture or files call for.
 * @throws StartupError for a mode that is not known
 */
export function resolveTokenizerMode(mode: string, model: Pick<LoadedModel, 'architectures' | 'tokenizer'>): TokenizerMode {
  const asked = mode.toLowerCase();
  if (asked !== 'auto') {
    if (isMode(asked)) return asked;
    throw new StartupError(`There is no tokenizer mode ${mode}; there are auto, ${MODES.join(', ')}.`);
  }
  const [fromArchitecture] = model.architectures.flatMap((name) => MODE_BY_ARCHITECTURE.get(name) ?? []);
  return fromArchitecture ?? (hasMistralFiles(model.tokenizer) ? 'mistral' : 'hf');
}

export interface EncoderOptions {
  readonly mode: TokenizerMode;
  readonly model: Pick<LoadedModel, 'modelType' | 'tokenizer'>;
  readonly tokenizer: Tokenizer;
  /** The time that prompts with a date show. */
  readonly now: () => Date;
}

const FACTORIES: Readonly<Record<TokenizerMode, (options: EncoderOptions) => ChatEncoder | null>> = {
  hf: () => null,
  mistral: ({ tokenizer, model }) => createMistralEncoder(tokenizer, readMistralFacts(model.tokenizer)),
  deepseek_v32: ({ tokenizer }) => createDeepseekV32Encoder(tokenizer),
  deepseek_v4: ({ tokenizer }) => createDeepseekV4Encoder(tokenizer),
  deepseek_v41: ({ tokenizer }) => createDeepseekV41Encoder(tokenizer),
  inkling: ({ tokenizer }) => createInklingEncoder(tokenizer),
  kimi_k3: ({ tokenizer }) => createKimiK3Encoder(tokenizer),
  cohere: createCohereEncoder,
};

const MODES = Object.keys(FACTORIES);

/**
 * The encoder that writes a model's prompts, or null where a chat template does. gpt-oss has its own in every mode.
 * @throws StartupError where the model's files do not have what the mode needs
 */
export function chooseEncoder(options: EncoderOptions): ChatEncoder | null {
  const { mode, model, tokenizer, now } = options;
  return model.modelType === 'gpt_oss' ? createHarmonyEncoder(tokenizer, now) : FACTORIES[mode](options);
}

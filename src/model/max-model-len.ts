import { defaultLength } from './model-defaults.ts';
import { modelTypeOf, textConfig, type ModelConfig } from './text-config.ts';

/** Names that configurations use for the length that a model was made for. The smallest counts. */
const LENGTH_NAMES: readonly string[] = [
  'max_position_embeddings',
  'n_positions',
  'max_seq_len',
  'seq_length',
  'model_max_length',
  'max_target_positions',
  'max_sequence_length',
  'max_seq_length',
  'seq_len',
];

/** Those that a model type's own default stands for. */
const MAIN_NAMES: readonly string[] = ['max_position_embeddings', 'n_positions', 'max_seq_len', 'max_target_positions'];

/** Length of a model that says nothing about it. */
const FALLBACK = 2048;

/** Kinds of rotary scaling whose factor is in the named length already, or does not lengthen the model. */
const WITHOUT_FACTOR = new Set(['su', 'longrope', 'llama3', 'yarn', 'deepseek_yarn', 'deepseek_llama_scaling']);

/**
 * The most tokens that prompt and output may have together, as vLLM derives it from `config.json`.
 * @param override `--max-model-len`: counts whatever the configuration says, upwards as well
 */
export function maxModelLen(config: ModelConfig, override: number | null): number {
  if (override !== null && override > 0) return override;
  const text = textConfig(config);
  const rope = ropeParameters(text);
  const longRope = rope.some((parameters) => ropeType(parameters) === 'longrope');
  const original = text['original_max_position_embeddings'];
  if (longRope && typeof original === 'number') return Math.floor(original);
  const named = namedLength(text, config);
  const factor = modelTypeOf(text).includes('gemma3') ? 1 : scalingFactor(rope);
  return Math.floor((named ?? FALLBACK) * factor);
}

function namedLength(text: ModelConfig, config: ModelConfig): number | undefined {
  const own = text['model_max_length'];
  if (typeof own === 'number' && own !== 0) return own;
  const lengths = LENGTH_NAMES.map((name) => text[name]).filter((length) => typeof length === 'number');
  if (!MAIN_NAMES.some((name) => typeof text[name] === 'number')) {
    const assumed = defaultLength(modelTypeOf(text)) ?? defaultLength(modelTypeOf(config));
    if (assumed !== undefined) lengths.push(assumed);
  }
  return lengths.length > 0 ? Math.min(...lengths) : undefined;
}

/** The rotary embedding's parameters: one set, or one for each type of layer. */
function ropeParameters(text: ModelConfig): ModelConfig[] {
  const parameters = text['rope_parameters'] ?? text['rope_scaling'];
  if (typeof parameters !== 'object' || parameters === null) return [];
  const sets = Object.values(parameters as ModelConfig);
  const nested = sets.length > 0 && sets.every((set) => typeof set === 'object' && set !== null && !Array.isArray(set));
  return nested ? (sets as ModelConfig[]) : [parameters as ModelConfig];
}

function ropeType(parameters: ModelConfig): unknown {
  const type = parameters['rope_type'] ?? parameters['type'];
  return type === 'su' ? 'longrope' : type;
}

function scalingFactor(rope: readonly ModelConfig[]): number {
  let factor = 1;
  for (const parameters of rope) {
    const type = ropeType(parameters);
    const named = parameters['factor'];
    if (!(typeof type === 'string' && WITHOUT_FACTOR.has(type)) && typeof named === 'number') factor = named;
  }
  return factor;
}

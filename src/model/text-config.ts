/** A parsed `config.json`, or a part of it. */
export type ModelConfig = Readonly<Record<string, unknown>>;

/** Where configurations of models with several parts keep the part that writes text, innermost last. */
const TEXT_PARTS: readonly (readonly string[])[] = [
  ['text_config'],
  ['llm_config'],
  ['language_config'],
  ['thinker_config', 'text_config'],
  ['thinker_config'],
  ['decoder_config'],
  ['decoder'],
  ['generator'],
  ['text_encoder'],
];

/** The part of a configuration that describes the language model: the whole of it, or what models with several parts nest. */
export function textConfig(config: ModelConfig): ModelConfig {
  for (const path of TEXT_PARTS) {
    let part: unknown = config;
    for (const name of path) part = isObject(part) ? part[name] : undefined;
    if (isObject(part)) return part;
  }
  return config;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `model_type`, or an empty text. */
export function modelTypeOf(config: ModelConfig): string {
  const type = config['model_type'];
  return typeof type === 'string' ? type : '';
}

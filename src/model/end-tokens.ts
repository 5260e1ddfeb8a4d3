import { defaultEndTokens } from './model-defaults.ts';
import { modelTypeOf, textConfig, type ModelConfig } from './text-config.ts';

/**
 * Ids of the tokens that end generation, as `generation_config.json` names them, or `config.json` where that file is missing. The
 * tokenizer's own end token is not among them.
 */
export function endTokenIds(config: ModelConfig, generationConfig: ModelConfig | null): number[] {
  if (generationConfig !== null) return idList(generationConfig['eos_token_id']);
  for (const part of [config, textConfig(config)]) {
    if ('eos_token_id' in part) {
      const ids = idList(part['eos_token_id']);
      if (ids.length > 0) return ids;
    }
  }
  return 'eos_token_id' in config ? [] : defaultEndTokens(modelTypeOf(config));
}

function idList(value: unknown): number[] {
  const list: unknown[] = Array.isArray(value) ? value : [value];
  return list.filter((id): id is number => typeof id === 'number' && Number.isInteger(id) && id >= 0);
}

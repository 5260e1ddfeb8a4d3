import { isAbsolute } from 'node:path';
import type { Settings } from '../core/settings.ts';
import type { LoadedModel } from '../model/load-model.ts';
import { isJsonObject } from './option-value.ts';

/** Files and switches of the configuration that the reference does not show. */
const HIDDEN = new Set(['vocab_file', 'merges_file', 'add_bos_token', 'add_eos_token', 'additional_special_tokens', 'tokenizer_class']);

/** Added tokens as their text, at any depth. */
function plainTokens(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plainTokens);
  if (!isJsonObject(value)) return value;
  if (typeof value['content'] === 'string') return value['content'];
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, plainTokens(item)]));
}

/** What `/tokenizer_info` shows: `tokenizer_config.json` as the reference's tokenizer object remembers it. */
export function tokenizerInfo(model: LoadedModel, settings: Settings): Record<string, unknown> {
  const config = Object.entries(model.tokenizerConfig).filter(([name]) => !HIDDEN.has(name));
  const className = model.tokenizerConfig['tokenizer_class'];
  const extra = model.tokenizerConfig['extra_special_tokens'] ?? model.tokenizerConfig['additional_special_tokens'];
  const isLocal = model.directory === model.tokenizer.name || isAbsolute(settings.model);
  const chatTemplate = settings.chatTemplate ?? model.chatTemplates.default;
  return {
    tokenizer_class: `TokenizerPoolCached${typeof className === 'string' ? className : 'TokenizersBackend'}`,
    ...(plainTokens(Object.fromEntries(config)) as Record<string, unknown>),
    ...(extra === undefined ? {} : { extra_special_tokens: plainTokens(extra) }),
    ...(chatTemplate === null ? {} : { chat_template: chatTemplate }),
    truncation_side: 'left',
    name_or_path: model.tokenizer.name,
    is_local: isLocal,
    local_files_only: isLocal,
    backend: 'tokenizers',
  };
}

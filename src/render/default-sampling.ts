import { badRequest } from '../core/errors.ts';

/**
 * Sampling parameters of requests that leave them out: those of the model's `generation_config.json` (or of a folder's), with the
 * server's overrides.
 */
export interface DefaultSampling {
  readonly repetition_penalty?: number;
  readonly presence_penalty?: number;
  readonly frequency_penalty?: number;
  readonly temperature?: number;
  readonly top_k?: number;
  readonly top_p?: number;
  readonly min_p?: number;
  readonly skip_special_tokens?: boolean;
  /** `max_new_tokens`: the limit of a request that gives none. */
  readonly max_tokens?: number;
}

export interface SamplingDefaults {
  readonly values: DefaultSampling;
  /** A limit that no request may exceed, or null. */
  readonly maxTokensCap: number | null;
}

const NAMES = [
  'repetition_penalty',
  'presence_penalty',
  'frequency_penalty',
  'temperature',
  'top_k',
  'top_p',
  'min_p',
  'max_new_tokens',
  'skip_special_tokens',
] as const;

/**
 * @param source `vllm`: nothing of the model's; `auto`: the model's own; else the folder that `generationConfig` was read from
 * @param generationConfig members of generation_config.json
 * @param overrides `--override-generation-config`
 */
export function samplingDefaults(
  source: string,
  generationConfig: Readonly<Record<string, unknown>>,
  overrides: Readonly<Record<string, unknown>>,
): SamplingDefaults {
  const config = { ...(source === 'vllm' ? {} : generationConfig), ...overrides };
  const values: Record<string, unknown> = {};
  for (const name of NAMES) {
    const value = config[name] ?? null;
    if (typeof value === 'number' || typeof value === 'boolean') values[name === 'max_new_tokens' ? 'max_tokens' : name] = value;
  }
  // A folder that the operator chose binds requests; the model's own recommendation does not.
  const cap = source === 'auto' || source === 'vllm' ? overrides['max_new_tokens'] : values['max_tokens'];
  return { values, maxTokensCap: typeof cap === 'number' ? cap : null };
}

/** Bounds that a request's limit on output tokens is cut to. */
export interface OutputLimits {
  /** The model's context length in tokens, prompt and output. */
  readonly maxModelLen: number;
  readonly defaults: SamplingDefaults;
}

/**
 * The number of tokens that may be generated: what the request asks for, else what the server's defaults say, within the context.
 * @param asked the request's own limit, or null
 * @param promptLength in tokens
 * @param truncateTo the request's `truncate_prompt_tokens`: an engine that gets a longer prompt cuts it to that
 * @throws ApiError 400 for a prompt that is longer than the context
 */
export function outputTokenLimit(limits: OutputLimits, asked: number | null, promptLength: number, truncateTo: number | null): number {
  const { maxModelLen } = limits;
  const kept = truncateTo === null ? promptLength : Math.min(promptLength, truncateTo === -1 ? maxModelLen : truncateTo);
  const room = maxModelLen - kept;
  if (room < 0) throw badRequest(`The prompt has ${kept} tokens, which is more than the model's context of ${maxModelLen} tokens.`);
  const wanted = asked ?? limits.defaults.values.max_tokens ?? room;
  return Math.min(room, wanted, limits.defaults.maxTokensCap ?? room);
}

import { codePointLength } from '../core/code-points.ts';
import { badRequest } from '../core/errors.ts';
import { PythonNumber } from '../core/python-json.ts';
import type { SamplingParams } from '../protocol/generate-request.ts';
import type { SamplingMembers } from '../protocol/sampling-members.ts';
import type { RepetitionDetection } from '../protocol/sampling-members.ts';
import type { StructuredOutputs } from '../protocol/structured-outputs.ts';
import type { DefaultSampling } from './default-sampling.ts';
import type { ExtraArgument } from '../protocol/extra-arguments.ts';

/** What sampling parameters are made of: a request's members, those that differ between the endpoints already worked out. */
export interface SamplingInput extends Pick<
  SamplingMembers,
  | 'frequency_penalty'
  | 'presence_penalty'
  | 'repetition_penalty'
  | 'temperature'
  | 'top_p'
  | 'top_k'
  | 'min_p'
  | 'watermarking'
  | 'seed'
  | 'stop'
  | 'stop_token_ids'
  | 'ignore_eos'
  | 'min_tokens'
  | 'skip_special_tokens'
  | 'spaces_between_special_tokens'
  | 'include_stop_str_in_output'
  | 'stream'
  | 'logit_bias'
  | 'bad_words'
  | 'allowed_token_ids'
> {
  readonly n: number | null;
  readonly max_tokens: number;
  readonly logprobs: number | null;
  readonly prompt_logprobs: number | null;
  readonly logprob_token_ids: number[] | null;
  readonly stream_interval: number | null;
  readonly structured_outputs: StructuredOutputs | null;
  readonly thinking_token_budget: number | null;
  readonly extra_args: Readonly<Record<string, ExtraArgument>> | null;
  readonly repetition_detection: RepetitionDetection | null;
  readonly routed_experts_prompt_start: number;
}

/** Lower temperatures make infinities in the engine's tensors. */
const LOWEST_TEMPERATURE = 0.01;
const GREEDY_BELOW = 1e-5;
const MAX_SEQUENCES = 16384;
const MAX_BIAS = 100;

/** Engine defaults: members with these values are left out. */
const DEFAULT_MAX_TOKENS = 16;

function tokenBiases(biases: Readonly<Record<string, number>>): Record<string, number> {
  const result: Record<string, number> = {};
  const wrong: string[] = [];
  for (const [token, bias] of Object.entries(biases)) {
    if (!/^\s*[+-]?\d+(?:_\d+)*\s*$/.test(token)) wrong.push(token);
    else result[BigInt(token.trim().replaceAll('_', '').replace(/^\+/, '')).toString()] = Math.min(MAX_BIAS, Math.max(-MAX_BIAS, bias));
  }
  if (wrong.length > 0) throw badRequest(`Keys of \`logit_bias\` must be token ids; these are not: ${wrong.join(', ')}.`, 'logit_bias');
  return result;
}

function unique<T>(items: readonly T[]): T[] {
  return [...new Set(items)];
}

const LARGEST_EXTRA = 2n ** 64n - 1n;
const SMALLEST_EXTRA = -(2n ** 63n);

/** What is handed to the engine travels as MessagePack, whose integers have 64 bits. */
function checkExtraArguments(extra: Readonly<Record<string, ExtraArgument>> | null): void {
  for (const value of Object.values(extra ?? {}).flat()) {
    if (typeof value === 'string' || (typeof value === 'number' && !Number.isInteger(value))) continue;
    if (value instanceof PythonNumber && value.isFloat) continue;
    const integer = BigInt(value instanceof PythonNumber ? value.text : value);
    if (integer < SMALLEST_EXTRA || integer > LARGEST_EXTRA)
      throw badRequest('Integers in extra_args must have at most 64 bits.', 'extra_args');
  }
}

type Checked = SamplingParams & { n: number; top_p: number; top_k: number; min_p: number; max_tokens: number; min_tokens: number };

function checkCounts(params: Checked): void {
  const { n, max_tokens: max, min_tokens: min } = params;
  if (n < 1) throw badRequest(`n must be at least 1, got ${n}.`);
  if (n > MAX_SEQUENCES) throw badRequest(`n must be at most ${MAX_SEQUENCES}, got ${n}.`);
  checkExtraArguments(params.extra_args ?? null);
  checkPenalties(params);
  checkCandidates(params);
  if (max < 1) throw badRequest(`max_tokens must be at least 1, got ${max}.`, 'max_tokens');
  if (min < 0) throw badRequest(`min_tokens must be at least 0, got ${min}.`);
  if (min > max) throw badRequest(`min_tokens must be at most max_tokens, which is ${max}, got ${min}.`);
}

function checkPenalties(params: Checked): void {
  for (const name of ['presence_penalty', 'frequency_penalty'] as const) {
    if (!(params[name] >= -2 && params[name] <= 2)) throw badRequest(`${name} must be between -2 and 2, got ${params[name]}.`);
  }
  const { repetition_penalty: repetition, temperature } = params;
  if (!Number.isFinite(repetition)) throw badRequest(`repetition_penalty must be a finite number, got ${repetition}.`);
  if (repetition <= 0) throw badRequest(`repetition_penalty must be greater than 0, got ${repetition}.`);
  if (!Number.isFinite(temperature)) throw badRequest(`temperature must be a finite number, got ${temperature}.`, 'temperature');
  if (temperature < 0 || temperature > 2) throw badRequest(`temperature must be between 0 and 2, got ${temperature}.`, 'temperature');
}

function checkCandidates(params: Checked): void {
  const { top_p: topP, top_k: topK, min_p: minP } = params;
  if (!(topP > 0 && topP <= 1)) throw badRequest(`top_p must be greater than 0 and at most 1, got ${topP}.`, 'top_p');
  if (topK < -1) throw badRequest(`top_k must be at least 1, or 0 for no limit, got ${topK}.`);
  if (!Number.isInteger(topK)) throw badRequest(`top_k must be an integer, got ${topK}.`);
  if (!(minP >= 0 && minP <= 1)) throw badRequest(`min_p must be between 0 and 1, got ${minP}.`);
}

function checkTexts(params: Checked): void {
  for (const name of ['logprobs', 'prompt_logprobs'] as const) {
    const count = params[name];
    if (count !== undefined && count < -1) throw badRequest(`${name} must be at least 0, or -1 for all, got ${count}.`, name);
  }
  if (params.stop.includes('')) throw badRequest('stop must not hold an empty text.');
  if (params.bad_words.includes('')) throw badRequest('bad_words must not hold an empty text.');
}

function set<K extends keyof SamplingParams>(
  params: SamplingParams,
  name: K,
  value: SamplingParams[K] | null,
  engineDefault?: SamplingParams[K],
): void {
  if (value !== null && value !== undefined && value !== engineDefault) params[name] = value;
}

function seedOf(seed: number | PythonNumber | null): number | PythonNumber | null {
  return seed === -1 ? null : seed;
}

/** Members that are left out where they have the engine's default. */
function addOptional(params: SamplingParams, input: SamplingInput, skipSpecialTokens: boolean): void {
  set(params, 'n', input.n ?? 1, 1);
  set(params, 'watermarking', input.watermarking);
  set(params, 'seed', seedOf(input.seed));
  set(params, 'ignore_eos', input.ignore_eos, false);
  set(params, 'max_tokens', input.max_tokens, DEFAULT_MAX_TOKENS);
  set(params, 'min_tokens', input.min_tokens, 0);
  set(params, 'logprobs', input.logprobs);
  set(params, 'prompt_logprobs', input.prompt_logprobs);
  set(params, 'logprob_token_ids', input.logprob_token_ids);
  set(params, 'skip_special_tokens', skipSpecialTokens, true);
  set(params, 'spaces_between_special_tokens', input.spaces_between_special_tokens, true);
  set(params, 'include_stop_str_in_output', input.include_stop_str_in_output, false);
  set(params, 'stream_interval', input.stream_interval);
  if (!input.include_stop_str_in_output && params.stop.length > 0) {
    set(params, 'output_text_buffer_length', Math.max(...params.stop.map(codePointLength)) - 1, 0);
  }
  set(params, 'structured_outputs', input.structured_outputs);
  set(params, 'logit_bias', input.logit_bias === null ? null : tokenBiases(input.logit_bias));
  set(params, 'allowed_token_ids', input.allowed_token_ids);
  set(params, 'thinking_token_budget', input.thinking_token_budget);
  set(params, 'extra_args', input.extra_args);
  set(params, 'repetition_detection', input.repetition_detection);
  set(params, 'routed_experts_prompt_start', input.routed_experts_prompt_start, 0);
}

/**
 * The engine's sampling parameters for a request.
 * @param defaults for members that the request leaves out
 * @throws ApiError 400 for values that the engine would refuse
 */
export function samplingParams(input: SamplingInput, defaults: DefaultSampling): SamplingParams {
  const biased = input.temperature ?? defaults.temperature ?? 1;
  const temperature = biased > 0 && biased < LOWEST_TEMPERATURE ? LOWEST_TEMPERATURE : biased;
  const topP = input.top_p ?? defaults.top_p ?? 1;
  const topK = input.top_k ?? defaults.top_k ?? 0;
  const minP = input.min_p ?? defaults.min_p ?? 0;
  const params: SamplingParams = {
    presence_penalty: input.presence_penalty ?? defaults.presence_penalty ?? 0,
    frequency_penalty: input.frequency_penalty ?? defaults.frequency_penalty ?? 0,
    repetition_penalty: input.repetition_penalty ?? defaults.repetition_penalty ?? 1,
    temperature,
    stop: typeof input.stop === 'string' ? [input.stop] : [...(input.stop ?? [])],
    stop_token_ids: unique(input.stop_token_ids ?? []),
    output_kind: input.stream ? 1 : 2,
    skip_clone: true,
    bad_words: unique(input.bad_words),
    skip_reading_prefix_cache: input.prompt_logprobs !== null,
  };
  addOptional(params, input, input.skip_special_tokens ?? defaults.skip_special_tokens ?? true);
  const checked = {
    ...params,
    n: input.n ?? 1,
    top_p: topP,
    top_k: topK,
    min_p: minP,
    max_tokens: input.max_tokens,
    min_tokens: input.min_tokens,
  };
  checkCounts(checked);
  checkTexts(checked);
  // Greedy sampling looks at one candidate only.
  if (temperature < GREEDY_BELOW) {
    if (checked.n > 1) throw badRequest(`n must be 1 where temperature is 0, got ${checked.n}.`);
    return params;
  }
  set(params, 'top_k', topK, 0);
  return { ...params, top_p: topP, min_p: minP };
}

import { badRequest, StartupError } from '../../../core/errors.ts';
import { dumps } from '../../../core/python-json.ts';
import { isObject, items, member, textOf } from '../json-value.ts';

/** The settings that models with tokenizer v15 read in the prompt, as `model_settings_builder` in tekken.json describes them. */
export interface ModelSettings {
  /** Efforts that the model knows and the one it gets where none is asked for; null where it has no such setting. */
  readonly reasoningEffort: { readonly values: readonly string[]; readonly preset: string } | null;
}

const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'];

/** Whether any Mistral model may know the effort. */
export function isMistralEffort(effort: string): boolean {
  return EFFORTS.includes(effort);
}

/**
 * @param builder the member of tekken.json
 * @throws StartupError where its form is not known
 */
export function readModelSettings(builder: unknown): ModelSettings {
  const effort = member(builder, 'reasoning_effort') ?? null;
  if (effort === null) return { reasoningEffort: null };
  const preset = member(effort, 'default');
  const values = items(member(effort, 'values'));
  if (!isObject(effort) || typeof preset !== 'string' || !values.includes(preset)) {
    throw new StartupError('tekken.json: model_settings_builder.reasoning_effort must have a default that is one of its values.');
  }
  return { reasoningEffort: { values: values.map(textOf), preset } };
}

/**
 * The settings as JSON; null where there are none to write.
 * @throws ApiError (400) for an effort that the model does not know
 */
export function settingsJson(settings: ModelSettings | null, effort: unknown): string | null {
  if (settings === null) throw badRequest("This model's tekken.json does not say which settings its prompt has.");
  if (effort !== null && effort !== undefined && (typeof effort !== 'string' || !isMistralEffort(effort))) {
    throw badRequest(`There is no reasoning effort ${JSON.stringify(effort)}.`);
  }
  const known = settings.reasoningEffort;
  if (known === null) return null;
  const chosen = typeof effort === 'string' ? effort : known.preset;
  if (!known.values.includes(chosen)) throw badRequest(`This model's reasoning effort must be one of ${known.values.join(', ')}.`);
  return dumps(new Map([['reasoning_effort', chosen]]));
}

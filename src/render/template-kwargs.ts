import { isObject } from './encoders/json-value.ts';

/** Values that stand for "not given" where one set of template arguments is laid over another. */
function isUnset(value: unknown): boolean {
  return value === null || value === undefined || value === 'auto';
}

/** Arguments over others: those that are null or "auto" do not count. */
export function overlaid(below: Readonly<Record<string, unknown>>, above: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return { ...below, ...Object.fromEntries(Object.entries(above).filter(([, value]) => !isUnset(value))) };
}

/** What decides a template's arguments, besides messages and tools. */
export interface KwargsInput {
  /** `chat_template_kwargs` of the request. */
  readonly requested: Readonly<Record<string, unknown>> | null;
  readonly addGenerationPrompt: boolean;
  readonly continueFinalMessage: boolean;
  readonly documents: readonly unknown[] | null;
  /** After the server's map. */
  readonly reasoningEffort: string | null;
}

/**
 * The arguments that the template is rendered with, and the parsers are told of: the server's defaults, the request's over them, and
 * those that have members of their own in the request over all.
 */
export function effectiveKwargs(input: KwargsInput, defaults: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const requested = input.requested ?? {};
  const own: Record<string, unknown> = {
    add_generation_prompt: input.addGenerationPrompt,
    continue_final_message: input.continueFinalMessage,
    documents: input.documents,
    reasoning_effort: input.reasoningEffort,
  };
  // Asking for an effort asks for thinking, which some templates have to be told.
  if (input.reasoningEffort !== null && !Object.hasOwn(requested, 'enable_thinking'))
    own['enable_thinking'] = input.reasoningEffort !== 'none';
  return overlaid(defaults, overlaid(requested, own));
}

/** The effort that the model's template knows for the one that was asked for. */
export function mappedEffort(effort: string | null, map: Readonly<Record<string, string>>): string | null {
  return effort !== null && Object.hasOwn(map, effort) ? (map[effort] ?? effort) : effort;
}

/** Names that `apply_chat_template` takes itself, whether or not a template reads them. */
const OWN_NAMES: ReadonlySet<string> = new Set([
  'add_generation_prompt',
  'chat_template',
  'continue_final_message',
  'conversation',
  'documents',
  'max_length',
  'padding',
  'return_assistant_tokens_mask',
  'return_dict',
  'return_tensors',
  'sanitize_control_tokens',
  'self',
  'tokenize',
  'tokenizer_kwargs',
  'tools',
  'truncation',
]);

/** The arguments that reach the template as variables: those that it reads, and that are not set otherwise. */
export function templateVariables(kwargs: Readonly<Record<string, unknown>>, undeclared: ReadonlySet<string>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(kwargs).filter(([name]) => undeclared.has(name) && !OWN_NAMES.has(name)));
}

/** Whether every document is an object, as templates expect. */
export function areDocuments(documents: unknown): documents is readonly unknown[] {
  return Array.isArray(documents) && documents.every(isObject);
}

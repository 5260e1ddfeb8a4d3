import { badRequest } from '../../../core/errors.ts';
import { dumps } from '../../../core/python-json.ts';
import type { ChatEncoderInput } from '../../chat-encoder.ts';
import { isObject, member, textOf, toPython, truthy } from '../json-value.ts';

/** The template arguments that Cohere's prompts know, whoever sets them (`chat_template_kwargs` or the server's defaults). */
export interface RenderSettings {
  readonly format: 'cmd3' | 'cmd4';
  readonly version: 1 | 2;
  /** `reasoning_type` or `thinking`; undefined where neither is said. */
  readonly reasoningType: 'enabled' | 'disabled' | 'unknown' | undefined;
  /** Further arguments that only the text of the prompt reads. */
  readonly reasoning: unknown;
  readonly reasoningEffort: unknown;
  readonly skipThinking: boolean;
  readonly developerText: string | null;
  readonly platformText: string;
  readonly jsonMode: boolean;
  /** JSON text, or empty. */
  readonly jsonSchema: string;
  readonly safety: 'contextual' | 'strict' | 'none';
  readonly skipPreamble: boolean;
  /** Whether answers cite documents and tool results. */
  readonly citations: boolean;
}

type Kwargs = ChatEncoderInput['templateKwargs'];

const GROUNDING = new Map([
  ...['fast', 'accurate', 'on', 'enabled'].map((mode) => [mode, true] as const),
  ...['off', 'disabled', 'unknown'].map((mode) => [mode, false] as const),
]);

function known<T extends string>(name: string, value: string, values: readonly T[]): T {
  const found = values.find((one) => one === value);
  if (found === undefined) throw badRequest(`${name} must be one of ${values.join(', ')}, not ${JSON.stringify(value)}.`);
  return found;
}

/** A value as Python prints it where it is a text, a number or a truth value. */
function printed(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return typeof value === 'string' ? value : dumps(toPython(value));
}

function given(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function readReasoningType(kwargs: Kwargs): RenderSettings['reasoningType'] {
  if (given(kwargs['reasoning_type'])) {
    return known('reasoning_type', printed(kwargs['reasoning_type']), ['unknown', 'enabled', 'disabled'] as const);
  }
  const thinking = isObject(kwargs['thinking']) ? member(kwargs['thinking'], 'type') : kwargs['thinking'];
  return thinking === 'enabled' || thinking === 'disabled' ? thinking : undefined;
}

function schemaText(schema: unknown): string {
  return typeof schema === 'string' ? schema : dumps(toPython(schema), { ensureAscii: true });
}

function readJsonMode(kwargs: Kwargs): { jsonMode: boolean; jsonSchema: string } {
  const format = kwargs['response_format'];
  const type = member(format, 'type');
  let jsonMode = type === 'json_object';
  let jsonSchema: string | undefined;
  if (type === 'json_schema' || type === 'json') {
    const named = truthy(member(format, 'schema')) ? member(format, 'schema') : member(format, 'json_schema');
    const schema = member(named, 'schema') ?? named;
    if (given(schema)) jsonSchema = schemaText(schema);
  }
  if (given(kwargs['json_schema'])) jsonSchema = schemaText(kwargs['json_schema']);
  if ('json_mode' in kwargs) jsonMode = truthy(kwargs['json_mode']);
  return { jsonMode: jsonMode || jsonSchema !== undefined, jsonSchema: jsonSchema ?? '' };
}

function citationMode(kwargs: Kwargs): string | undefined {
  const mode = isObject(kwargs['citation_options']) ? member(kwargs['citation_options'], 'mode') : undefined;
  return given(mode) ? printed(mode).toLowerCase() : undefined;
}

function readCitations(kwargs: Kwargs, format: RenderSettings['format']): boolean {
  if (format === 'cmd3') {
    if (!given(kwargs['citation_quality'])) return citationMode(kwargs) !== 'off';
    return known('citation_quality', printed(kwargs['citation_quality']).toLowerCase(), ['unknown', 'off', 'on']) !== 'off';
  }
  const wanted = given(kwargs['grounding']) ? printed(kwargs['grounding']).toLowerCase() : (citationMode(kwargs) ?? 'enabled');
  const grounded = GROUNDING.get(wanted);
  if (grounded === undefined)
    throw badRequest(`grounding must be one of ${[...GROUNDING.keys()].join(', ')}, not ${JSON.stringify(wanted)}.`);
  return grounded;
}

function readSafety(kwargs: Kwargs, format: RenderSettings['format']): RenderSettings['safety'] {
  if (format !== 'cmd3' || !given(kwargs['safety_mode'])) return 'contextual';
  const mode = known('safety_mode', printed(kwargs['safety_mode']).toLowerCase(), ['unknown', 'none', 'strict', 'contextual']);
  return mode === 'unknown' ? 'contextual' : mode;
}

function readVersion(kwargs: Kwargs, format: RenderSettings['format']): RenderSettings['version'] {
  if (!truthy(kwargs['template_id'])) return 1;
  return known('template_id', printed(kwargs['template_id']), [`${format}-v1`, `${format}-v2`]) === `${format}-v2` ? 2 : 1;
}

/** @throws ApiError (400) for values that Cohere's library refuses */
export function readSettings(kwargs: Kwargs): RenderSettings {
  const format = known('cohere_format', textOf(kwargs['cohere_format'] ?? 'cmd4'), ['cmd3', 'cmd4']);
  for (const key of ['template_jinja', 'template']) {
    if (given(kwargs[key])) throw badRequest(`${key} is not taken in chat_template_kwargs.`);
  }
  return {
    format,
    version: readVersion(kwargs, format),
    reasoningType: readReasoningType(kwargs),
    reasoning: kwargs['reasoning'],
    reasoningEffort: kwargs['reasoning_effort'],
    skipThinking: truthy(kwargs['skip_thinking']),
    developerText: given(kwargs['dev_instruction']) ? printed(kwargs['dev_instruction']) : null,
    platformText: format === 'cmd4' && given(kwargs['platform_instruction']) ? printed(kwargs['platform_instruction']) : '',
    ...readJsonMode(kwargs),
    safety: readSafety(kwargs, format),
    skipPreamble: format === 'cmd3' && truthy(kwargs['skip_preamble']),
    citations: readCitations(kwargs, format),
  };
}

/** Whether the model is to reason: version 2 does unless told otherwise. */
export function reasons({ version, reasoning, reasoningType, reasoningEffort }: RenderSettings): boolean {
  if (reasoningType !== undefined) return reasoningType === 'enabled';
  if (version === 1 || reasoning !== undefined) return truthy(reasoning);
  return !(typeof reasoningEffort === 'string' && reasoningEffort.toLowerCase() === 'none');
}

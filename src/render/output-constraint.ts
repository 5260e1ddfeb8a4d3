import { outputConstraint } from '../protocol/response-format.ts';
import type { ResponseFormat } from '../protocol/response-format.ts';
import type { StructuredOutputs } from '../protocol/structured-outputs.ts';
import { exactly } from './exact-members.ts';
import type { RawJson } from './raw-json.ts';

function objectOf(value: unknown): unknown {
  return value instanceof Map ? Object.fromEntries(value) : value;
}

/** The format with its schemas as they came. */
function exactFormat(raw: RawJson, format: ResponseFormat): ResponseFormat {
  if (format.type === 'json_schema') {
    const { json_schema: described } = format;
    const schema = exactly(raw, described?.schema, 'response_format', 'json_schema', 'schema') ?? null;
    return described === null ? format : { ...format, json_schema: { ...described, schema } };
  }
  if (format.type !== 'structural_tag') return format;
  const given: unknown = exactly<unknown>(raw, format, 'response_format');
  if (!(given instanceof Map)) return format;
  const structures: unknown = given.get('structures');
  const members = Object.fromEntries(given) as unknown as ResponseFormat;
  return Array.isArray(structures) ? { ...members, structures: structures.map(objectOf) } : members;
}

type Asked = { structured_outputs: StructuredOutputs | null; response_format: ResponseFormat | null };

/** Whether what a request asks for is a `response_format` of JSON at most, to which a call that is forced need not give way. */
export function formatGivesWay({ structured_outputs: given, response_format: format }: Asked): boolean {
  return given === null && format?.type !== 'structural_tag';
}

/**
 * What `structured_outputs` and `response_format` of a request ask for together, schemas as they came.
 * @throws ApiError 400 where they contradict each other
 */
export function requestConstraint(
  { structured_outputs: given, response_format: format }: Asked,
  raw: RawJson | null,
): StructuredOutputs | null {
  if (raw === null) return outputConstraint(given, format);
  const constraint = given === null ? null : { ...given, json: exactly(raw, given.json, 'structured_outputs', 'json') };
  return outputConstraint(constraint, format === null ? null : exactFormat(raw, format));
}

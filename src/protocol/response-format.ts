import { z } from 'zod';
import { badRequest } from '../core/errors.ts';
import { dumps, fromPlain } from '../core/python-json.ts';
import { BOOLEAN_SCHEMAS, readBoolean } from './lax.ts';
import { structuralTagProblem } from './structural-tag.ts';
import { structuredOutputs } from './structured-outputs.ts';
import type { StructuredOutputs } from './structured-outputs.ts';
import { isRecord } from './typed-shape.ts';

/** `response_format` of a request. */
export type ResponseFormat =
  | { readonly type: 'text' | 'json_object'; readonly [member: string]: unknown }
  | { readonly type: 'json_schema'; readonly json_schema: JsonSchemaFormat | null; readonly [member: string]: unknown }
  | { readonly type: 'structural_tag'; readonly [member: string]: unknown };

export interface JsonSchemaFormat {
  readonly name: string;
  readonly schema?: Readonly<Record<string, unknown>> | null;
  readonly [member: string]: unknown;
}

const isTextOrNull = (value: unknown): boolean => value === undefined || value === null || typeof value === 'string';
const isRecordOrNull = (value: unknown): boolean => value === undefined || value === null || isRecord(value);
const isFlagOrNull = (value: unknown): boolean => value === undefined || value === null || readBoolean(value) !== undefined;

/** The path of the first wrong member of `json_schema`, or null. */
function wrongSchemaMember(value: unknown): PropertyKey[] | null {
  if (value === undefined || value === null) return null;
  if (!isRecord(value)) return ['json_schema'];
  if (typeof value['name'] !== 'string') return ['json_schema', 'name'];
  if (!isTextOrNull(value['description'])) return ['json_schema', 'description'];
  if (!isRecordOrNull(value['schema'])) return ['json_schema', 'schema'];
  return isFlagOrNull(value['strict']) ? null : ['json_schema', 'strict'];
}

function isLegacyTag(value: Record<string, unknown>): boolean {
  const { structures, triggers } = value;
  if (!Array.isArray(structures) || !Array.isArray(triggers) || !triggers.every((trigger) => typeof trigger === 'string')) return false;
  return structures.every(
    (tag) => isRecord(tag) && typeof tag['begin'] === 'string' && typeof tag['end'] === 'string' && isRecordOrNull(tag['schema']),
  );
}

/** The text of a structural tag as the engine gets it: known members first, in the reference's order. */
function structuralTagText(value: Readonly<Record<string, unknown>>): string {
  const { type, structures, triggers, format, ...rest } = value;
  if (!isLegacyTag({ structures, triggers }))
    return dumps(fromPlain({ type, format, ...withoutUndefined({ structures, triggers }), ...rest }), { ensureAscii: true });
  const tags = (structures as Record<string, unknown>[]).map(({ begin, schema, end, ...more }) => ({
    begin,
    schema: schema ?? null,
    end,
    ...more,
  }));
  return dumps(fromPlain({ type, structures: tags, triggers, ...withoutUndefined({ format }), ...rest }), { ensureAscii: true });
}

function withoutUndefined(members: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

/**
 * Checks `response_format` of a raw body before its types are.
 * @throws ApiError 400 where a schema is missing or a structural tag is none
 */
export function checkResponseFormat(value: unknown): void {
  if (!isRecord(value)) return;
  if (value['type'] === 'json_schema' && (value['json_schema'] ?? null) === null) {
    throw badRequest("A `response_format` of type 'json_schema' needs the member `json_schema`.", 'response_format');
  }
  if (value['type'] !== 'structural_tag') return;
  const complete = 'format' in value || isLegacyTag(value);
  const problem = complete ? structuralTagProblem(structuralTagText(value)) : 'malformed';
  if (problem !== null) throw badRequest(`The structural tag in \`response_format\` is ${problem}.`, 'response_format');
}

function readFormat(value: unknown, context: z.RefinementCtx): ResponseFormat {
  const issue = (path: PropertyKey[], message: string): never => {
    context.addIssue({ code: 'custom', message, input: value, path });
    return z.NEVER;
  };
  if (!isRecord(value)) return issue([], 'Input should be a valid dictionary');
  const { type } = value;
  if (type === 'structural_tag') return value as ResponseFormat;
  if (type !== 'text' && type !== 'json_object' && type !== 'json_schema') {
    return issue(['type'], "Input should be 'text', 'json_object', 'json_schema' or 'structural_tag'");
  }
  const wrong = wrongSchemaMember(value['json_schema']);
  if (wrong !== null) return issue(wrong, 'Input has a wrong type');
  return { ...value, type, json_schema: (value['json_schema'] ?? null) as JsonSchemaFormat | null };
}

/** `response_format` as a member of a request. */
export const responseFormatMember: z.ZodType<ResponseFormat> = z
  .unknown()
  .transform(readFormat)
  .meta({
    type: 'object',
    required: ['type'],
    properties: {
      type: { type: 'string', enum: ['text', 'json_object', 'json_schema', 'structural_tag'] },
      json_schema: {
        anyOf: [
          {
            type: 'object',
            required: ['name'],
            properties: {
              name: { type: 'string' },
              description: { anyOf: [{ type: 'string' }, { type: 'null' }] },
              schema: { anyOf: [{ type: 'object' }, { type: 'null' }] },
              strict: { anyOf: [...BOOLEAN_SCHEMAS, { type: 'null' }] },
            },
          },
          { type: 'null' },
        ],
      },
    },
  });

/**
 * The constraint that a request's `structured_outputs` and `response_format` ask for together, or null.
 * @throws ApiError 400 where they contradict each other, or a `json_schema` holds no schema
 */
export function outputConstraint(given: StructuredOutputs | null, format: ResponseFormat | null): StructuredOutputs | null {
  if (format === null || format.type === 'text') return given;
  const base = given ?? {};
  if (format.type === 'json_object') return structuredOutputs({ ...base, json_object: true });
  if (format.type === 'json_schema') {
    const schema = format['json_schema']?.schema ?? null;
    return structuredOutputs({ ...base, json: schema });
  }
  return structuredOutputs({ ...base, structural_tag: structuralTagText(format) });
}

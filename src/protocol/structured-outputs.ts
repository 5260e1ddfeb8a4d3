import { z } from 'zod';
import { badRequest } from '../core/errors.ts';
import { BOOLEAN_SCHEMAS, readBoolean } from './lax.ts';
import { structuralTagProblem } from './structural-tag.ts';
import { isRecord } from './typed-shape.ts';

/** A constraint on the output, one kind at a time, in the form that the engine reads. */
export interface StructuredOutputs {
  json: string | Readonly<Record<string, unknown>> | null;
  regex: string | null;
  choice: readonly string[] | null;
  grammar: string | null;
  json_object: boolean | null;
  disable_any_whitespace: boolean;
  disable_additional_properties: boolean;
  whitespace_pattern: string | null;
  structural_tag: string | null;
  /** Filled in by the engine. */
  _backend: null;
  _backend_was_auto: false;
}

const KINDS = ['json', 'regex', 'choice', 'grammar', 'json_object', 'structural_tag'] as const;

const NONE: StructuredOutputs = {
  json: null,
  regex: null,
  choice: null,
  grammar: null,
  json_object: null,
  disable_any_whitespace: false,
  disable_additional_properties: false,
  whitespace_pattern: null,
  structural_tag: null,
  _backend: null,
  _backend_was_auto: false,
};

/**
 * Completes a constraint.
 * @throws ApiError 400 where none or several kinds are given
 */
export function structuredOutputs(members: Partial<StructuredOutputs>): StructuredOutputs {
  const result = { ...NONE, ...members };
  const given = KINDS.filter((kind) => result[kind] !== null);
  if (given.length > 1) throw badRequest(`Structured outputs take one kind of constraint, but several are given: ${given.join(', ')}.`);
  if (given.length === 0) throw badRequest(`Structured outputs need one of ${KINDS.join(', ')}.`);
  return result;
}

type Read = (value: unknown) => unknown;

const asText: Read = (value) => (typeof value === 'string' ? value : undefined);
const asTextOrRecord: Read = (value) => (typeof value === 'string' || isRecord(value) ? value : undefined);
const asFlag: Read = (value) => readBoolean(value);

const NULLABLE: readonly (readonly [keyof StructuredOutputs, Read, string])[] = [
  ['json', asTextOrRecord, 'string or dictionary'],
  ['regex', asText, 'string'],
  ['choice', (value) => (Array.isArray(value) ? value : undefined), 'list'],
  ['grammar', asText, 'string'],
  ['json_object', asFlag, 'boolean'],
  ['whitespace_pattern', asText, 'string'],
  ['structural_tag', asText, 'string'],
];
const FLAGS = ['disable_any_whitespace', 'disable_additional_properties'] as const;

function readMembers(value: unknown, context: z.RefinementCtx): StructuredOutputs {
  const issue = (path: PropertyKey[], message: string): void => context.addIssue({ code: 'custom', message, input: value, path });
  if (!isRecord(value)) {
    issue([], 'Input should be a dictionary');
    return z.NEVER;
  }
  const members: Record<string, unknown> = {};
  let sound = true;
  const fail = (path: PropertyKey[], wanted: string): void => {
    issue(path, `Input should be a valid ${wanted}`);
    sound = false;
  };
  for (const [name, read, wanted] of NULLABLE) {
    const given = value[name] ?? null;
    if (given === null) continue;
    members[name] = read(given);
    if (members[name] === undefined) fail([name], wanted);
    else if (name === 'choice') (given as unknown[]).forEach((item, index) => typeof item !== 'string' && fail([name, index], 'string'));
  }
  for (const name of FLAGS) {
    if (!Object.hasOwn(value, name)) continue;
    members[name] = readBoolean(value[name]);
    if (members[name] === undefined) fail([name], 'boolean');
  }
  return sound ? structuredOutputs(members) : z.NEVER;
}

const nullableText = { anyOf: [{ type: 'string' }, { type: 'null' }] };

/** `structured_outputs` of a request. */
export const structuredOutputsMember: z.ZodType<StructuredOutputs> = z
  .unknown()
  .transform(readMembers)
  .meta({
    type: 'object',
    properties: {
      json: { anyOf: [{ type: 'string' }, { type: 'object' }, { type: 'null' }] },
      regex: nullableText,
      choice: { anyOf: [{ type: 'array', items: { type: 'string' } }, { type: 'null' }] },
      grammar: nullableText,
      json_object: { anyOf: [...BOOLEAN_SCHEMAS, { type: 'null' }] },
      disable_any_whitespace: { anyOf: BOOLEAN_SCHEMAS },
      disable_additional_properties: { anyOf: BOOLEAN_SCHEMAS },
      whitespace_pattern: nullableText,
      structural_tag: nullableText,
    },
  });

/**
 * Checks `structured_outputs` of a raw body before its types are.
 * @returns how many of the kinds `json`, `regex` and `choice` are given
 * @throws ApiError 400 for a value that is no object, and for a structural tag that is none
 */
export function checkStructuredOutputs(value: unknown): number {
  if (!isRecord(value)) throw badRequest('`structured_outputs` must be an object.');
  const tag = value['structural_tag'] ?? null;
  const problem = tag === null ? null : typeof tag === 'string' ? structuralTagProblem(tag) : 'malformed';
  if (problem !== null) throw badRequest(`The structural tag in \`structured_outputs\` is ${problem}.`, 'structured_outputs');
  return [value['json'], value['regex'], value['choice']].filter((kind) => (kind ?? null) !== null).length;
}

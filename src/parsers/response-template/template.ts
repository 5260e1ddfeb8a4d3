import { z } from 'zod';
import { fromPlain } from '../../core/python-json.ts';
import type { PythonValue } from '../../core/python-json.ts';
import { issueClause } from '../../core/schema-issue.ts';
import { isRecord } from '../family/schema-coercion.ts';
import { literalPattern } from '../pattern/pattern-program.ts';
import type { Pattern } from '../pattern/pattern-program.ts';
import { searchPattern } from '../pattern/pattern-search.ts';
import { CONTENT_PARSER_NAMES, createContentParser, isPlainJson } from './content-parsers.ts';
import type { ContentParser } from './content-parsers.ts';
import { patternSchema } from './pattern-schema.ts';
import { mixedPlaceholder } from './transform.ts';

/** What opens or closes a region: one of several texts, or what a pattern matches. */
export interface Delimiter {
  pattern: Pattern;
  /** Null for a pattern. */
  literals: readonly string[] | null;
  /** One of the texts begins another. */
  canExtend: boolean;
}

export type FieldName = 'thinking' | 'content' | 'tool_calls';

/** A kind of region of a model's message. */
export interface TemplateField {
  name: FieldName;
  /** Null for the field that takes what stands outside of the others. */
  open: Delimiter | null;
  /** Null where only the next region, or the end, closes it. */
  close: Delimiter | null;
  parse: ContentParser;
  /** Its text is JSON, whose strings may hold what would close it. */
  isPlainJson: boolean;
  repeats: boolean;
  transform: PythonValue | undefined;
  transformEach: boolean;
}

/** How a model writes its messages, as `response_template` in its tokenizer_config.json describes it. */
export interface ResponseTemplate {
  /** What stands in front of a message in the prompt. */
  anchor: Delimiter;
  fields: ReadonlyMap<FieldName, TemplateField>;
  /** The field without an opening delimiter; null where there is none, and text outside of regions is dropped. */
  implicit: TemplateField | null;
}

const literals = z
  .union([z.string(), z.array(z.string())], { error: 'must be a text or a list of texts' })
  .transform((value) => [...new Set(typeof value === 'string' ? [value] : value)])
  .refine((texts) => texts.length > 0 && !texts.includes(''), 'must hold texts that are not empty');

const fieldSchema = z.strictObject({
  open: literals.optional(),
  open_pattern: patternSchema.optional(),
  close: literals.optional(),
  close_pattern: patternSchema.optional(),
  content: z.enum(CONTENT_PARSER_NAMES).default('text'),
  content_args: z.record(z.string(), z.unknown()).default({}),
  repeats: z.boolean().default(false),
  join: z.string().nullish(),
  optional: z.boolean().optional(),
  transform: z.unknown().optional(),
  transform_each: z.boolean().default(false),
});

const shape = z.strictObject({
  version: z.literal(1).optional(),
  defaults: z.strictObject({ role: z.unknown().optional() }).optional(),
  start_anchor: literals.optional(),
  start_anchor_pattern: patternSchema.optional(),
  fields: z.strictObject({ thinking: fieldSchema.optional(), content: fieldSchema.optional(), tool_calls: fieldSchema.optional() }),
});

type WrittenField = z.output<typeof fieldSchema>;
type Report = (path: readonly string[], message: string) => void;

function delimiter(texts: readonly string[] | undefined, pattern: Pattern | undefined): Delimiter | null {
  if (pattern) return { pattern, literals: null, canExtend: false };
  if (!texts) return null;
  const canExtend = texts.some((text) => texts.some((other) => other !== text && text.startsWith(other)));
  return { pattern: literalPattern(texts), literals: texts, canExtend };
}

function contentParser({ content, content_args: args }: WrittenField, report: Report): ContentParser {
  try {
    return createContentParser(content, args);
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    for (const { path, message } of error.issues) report(['content_args', ...path.map(String)], message);
    return () => undefined;
  }
}

function checkField(name: FieldName, field: WrittenField, report: Report): void {
  if (field.open && field.open_pattern) report(['open'], 'cannot stand beside open_pattern');
  if (field.close && field.close_pattern) report(['close'], 'cannot stand beside close_pattern');
  const empty = field.open_pattern && searchPattern(field.open_pattern, { text: '', from: 0, before: '', final: true });
  if (empty) report(['open_pattern'], 'matches an empty text');
  if (typeof field.join === 'string' && !field.repeats) report(['join'], 'needs "repeats": true');
  const hasTransform = (field.transform ?? null) !== null;
  if (field.transform_each && !hasTransform) report(['transform_each'], 'needs a transform');
  if (name !== 'tool_calls' && (field.content !== 'text' || hasTransform || typeof field.join === 'string')) {
    report([], 'must be plain text, without transform or join: it is given out as it comes');
  }
  const mixed = hasTransform ? mixedPlaceholder(fromPlain(field.transform)) : null;
  if (mixed !== null) report(['transform'], `mixes a placeholder with other text: ${JSON.stringify(mixed)}`);
  const captures = [...(field.open_pattern?.groups.keys() ?? []), ...(field.close_pattern?.groups.keys() ?? [])];
  if (captures.length > 0 && !hasTransform) report(['transform'], `is missing, although there are named groups: ${captures.join(', ')}`);
}

function buildField(name: FieldName, field: WrittenField, report: Report): TemplateField {
  checkField(name, field, report);
  const parse = contentParser(field, report);
  return {
    name,
    open: delimiter(field.open, field.open_pattern),
    close: delimiter(field.close, field.close_pattern),
    parse,
    isPlainJson: field.content === 'json' && isPlainJson(field.content, field.content_args),
    repeats: field.repeats,
    transform: (field.transform ?? null) === null ? undefined : fromPlain(field.transform),
    transformEach: field.transform_each,
  };
}

/** Reads a `response_template`; its issues tell what keeps the server from using it. */
export const responseTemplateSchema: z.ZodType<ResponseTemplate> = shape.transform((written, context) => {
  const report: Report = (path, message) => context.addIssue({ code: 'custom', path: [...path], message });
  const fields = new Map<FieldName, TemplateField>();
  for (const name of ['thinking', 'content', 'tool_calls'] as const) {
    const field = written.fields[name];
    if (field)
      fields.set(
        name,
        buildField(name, field, (path, message) => report(['fields', name, ...path], message)),
      );
  }
  if (fields.size === 0) report(['fields'], 'must hold thinking, content or tool_calls');
  const [implicit = null, ...more] = [...fields.values()].filter(({ open }) => open === null);
  if (more.length > 0) report(['fields'], 'of which only one may have no opening delimiter');
  if (written.start_anchor && written.start_anchor_pattern) report(['start_anchor'], 'cannot stand beside start_anchor_pattern');
  const anchor = delimiter(written.start_anchor, written.start_anchor_pattern);
  if (!anchor) {
    report([], 'must have start_anchor or start_anchor_pattern');
    return z.NEVER;
  }
  if (implicit !== null || fields.has('content')) return { anchor, fields, implicit };
  // Without any field for it, text outside of regions is content.
  const content = buildField('content', fieldSchema.parse({}), report);
  return { anchor, fields: fields.set('content', content), implicit: content };
});

/** The issues of a value that is no usable template, as clauses of a sentence. */
export function describeIssues(error: z.ZodError, written: unknown): string {
  return error.issues
    .map((issue) => `${issue.path.length > 0 ? `${issue.path.join('.')} ` : 'it '}${issueClause(issue, isMissing(written, issue.path))}`)
    .join('; ');
}

function isMissing(written: unknown, path: readonly PropertyKey[]): boolean {
  let value = written;
  for (const key of path) value = isRecord(value) || Array.isArray(value) ? (value as Record<PropertyKey, unknown>)[key] : undefined;
  return value === undefined;
}

import { dumps, tryLoads } from '../../core/python-json.ts';
import type { CompleteAnswer, ParserContext } from '../../core/stream-parser.ts';
import { coerceMembers, coerceText, coerceValue, isRecord, isUntyped, ownMember, propertiesOf, typeNames } from './schema-coercion.ts';
import type { Properties } from './schema-coercion.ts';

/** Schemas are not looked for deeper inside arguments. */
export const MAX_TYPED_DEPTH = 32;

/** The schema of the value at a path: keys of objects, null for items of lists. Undefined where none is given. */
export function schemaAt(path: readonly (string | null)[], properties: Properties): unknown {
  if (path.length > MAX_TYPED_DEPTH) return undefined;
  let schema: unknown = { properties };
  for (const step of path) {
    if (!isRecord(schema)) return undefined;
    const members: unknown = schema['properties'];
    if (step === null) schema = schema['items'];
    else schema = isRecord(members) ? ownMember(members, step) : undefined;
  }
  return isRecord(schema) ? schema : undefined;
}

/**
 * Whether a string may turn into a value of another type, by its schema and what has come of it. A string that may be null is only in
 * doubt while it may still read so.
 */
export function mayBecomeOther(begun: string, schema: unknown): boolean {
  if (schema === undefined) return false;
  const types = typeNames(schema);
  if (!types.has('string')) return true;
  if (types.size === 1) return false;
  return types.size > 2 || !types.has('null') || 'null'.startsWith(begun.toLowerCase());
}

/** Whether a number or word, known by its first character, may turn into a value of another type. */
export function mayChangeType(first: string, schema: unknown): boolean {
  if (schema === undefined) return false;
  const types = typeNames(schema);
  if (first === 'n') return types.has('string') && !types.has('null');
  if (first === 't' || first === 'f') return types.has('string') && !types.has('boolean');
  // Whole and other numbers count as one here: JSON does not tell them apart.
  if (types.has('number') || (types.has('integer') && !types.has('string'))) return false;
  return types.has('string') || types.has('boolean');
}

/** A complete string, number or word as its schema wants it; as written where it fits. */
export function coerceWritten(written: string, schema: unknown): string {
  const value = tryLoads(written);
  if (value === undefined || schema === undefined) return written;
  const coerced = typeof value === 'string' ? coerceText(value, schema) : coerceValue(value, schema);
  return coerced === value ? written : dumps(coerced);
}

/** Arguments that are written as a JSON text inside a string, taken out of it; as written where they are none. */
export function unquoteArguments(written: string, properties: Properties): string {
  const text = tryLoads(written);
  const inner = typeof text === 'string' ? tryLoads(text) : undefined;
  return inner instanceof Map ? dumps(coerceMembers(inner, properties)) : written;
}

/** The schemas that name types, those of members and items too. */
function typedProperties(properties: Properties, depth = 0): Properties {
  const typed = Object.entries(properties).filter(([, schema]) => !isUntyped(schema));
  return Object.fromEntries(typed.map(([key, schema]) => [key, typedSchema(schema, depth)]));
}

function typedSchema(schema: unknown, depth: number): unknown {
  if (!isRecord(schema) || depth > MAX_TYPED_DEPTH) return schema;
  const { properties, items } = schema;
  return {
    ...schema,
    ...(isRecord(properties) ? { properties: typedProperties(properties, depth + 1) } : {}),
    items: isUntyped(items) ? undefined : typedSchema(items, depth + 1),
  };
}

/**
 * In complete answers, arguments that are JSON take the types of their schemas throughout.
 * @param keepsUntyped whether values without a type stay as they are; else they become strings
 */
export function coerceArguments(answer: CompleteAnswer, context: ParserContext, keepsUntyped = false): void {
  for (const call of answer.toolCalls) {
    const value = tryLoads(call.arguments);
    if (!(value instanceof Map)) continue;
    const properties = propertiesOf(context.tools, call.name);
    const coerced = coerceMembers(value, keepsUntyped ? typedProperties(properties) : properties);
    if (coerced !== value) call.arguments = dumps(coerced);
  }
}

import { PythonNumber, dumps, floatText, numberOf, tryLoads } from '../../core/python-json.ts';
import type { PythonValue } from '../../core/python-json.ts';
import type { ToolCall, ToolDefinition } from '../../core/stream-parser.ts';
import { integerOfText, numberOfText } from '../family/python-number-text.ts';
import { isRecord, ownMember, propertiesOf } from '../family/schema-coercion.ts';
import { strip } from '../family/white-space.ts';
import type { TemplateField } from './template.ts';
import { applyTransform } from './transform.ts';

const MAX_SCHEMA_DEPTH = 100;

/** The types that a schema names, in its order. */
function schemaTypes(schema: unknown, depth = 0): string[] {
  if (!isRecord(schema) || depth > MAX_SCHEMA_DEPTH) return [];
  const { type, anyOf, oneOf, nullable } = schema;
  const types = (Array.isArray(type) ? type : [type]).filter((name) => typeof name === 'string');
  for (const choices of [anyOf, oneOf]) {
    for (const choice of Array.isArray(choices) ? choices : []) types.push(...schemaTypes(choice, depth + 1));
  }
  if (nullable === true && !types.includes('null')) types.push('null');
  return types;
}

function numberAs(text: string, integral: boolean): PythonValue | undefined {
  const exact = integral ? integerOfText(text) : undefined;
  if (exact !== undefined) return exact;
  const value = numberOfText(text);
  const isWhole = value instanceof PythonNumber || Number.isInteger(value);
  if (value === undefined || (integral && !isWhole)) return undefined;
  if (integral || !isWhole || !text.includes('.')) return value;
  return numberOf(floatText(Number(strip(text).replaceAll('_', ''))), true);
}

/** A text as a value of one type; undefined where it is none. */
function valueAs(type: string, text: string): PythonValue | undefined {
  const word = strip(text);
  switch (type) {
    case 'integer':
    case 'number':
      return numberAs(text, type === 'integer');
    case 'boolean':
      if (!['true', '1', 'false', '0'].includes(word.toLowerCase())) return undefined;
      return ['true', '1'].includes(word.toLowerCase());
    case 'null':
      return word === 'null' || word === 'None' ? null : undefined;
    case 'object':
    case 'array': {
      const value = tryLoads(text);
      const fits = type === 'object' ? value instanceof Map : Array.isArray(value);
      return fits ? value : undefined;
    }
    default:
      return undefined;
  }
}

function coerce(text: string, types: readonly string[]): PythonValue {
  for (const type of types) {
    const value = valueAs(type, text);
    if (value !== undefined) return value;
  }
  return text;
}

/** Brings arguments that were written as text into the types of their schemas. */
function coerceArguments(name: string, values: Map<string, PythonValue>, tools: readonly ToolDefinition[]): void {
  const properties = propertiesOf(tools, name);
  for (const [key, value] of values) {
    const types = schemaTypes(ownMember(properties, key));
    if (types.length === 0) continue;
    if (typeof value === 'string') values.set(key, coerce(value, types));
    else if (Array.isArray(value) && !types.includes('array')) {
      values.set(
        key,
        value.map((item) => (typeof item === 'string' ? coerce(item, types) : item)),
      );
    }
  }
}

function transformed(field: TemplateField, text: string, captures: Readonly<Record<string, string>>): PythonValue | undefined {
  const value = field.parse(text);
  const { transform } = field;
  if (value === undefined || transform === undefined) return value;
  const names = Object.entries(captures);
  if (!field.transformEach) return applyTransform(transform, new Map<string, PythonValue>([...names, ['content', value]]));
  if (!Array.isArray(value)) return undefined;
  const items = value.map((item) =>
    item instanceof Map ? applyTransform(transform, new Map<string, PythonValue>([...names, ...item])) : undefined,
  );
  return items.every((item) => item !== undefined) ? items : undefined;
}

/**
 * The calls that a region holds; none where it cannot be read, or one of them is not complete.
 * @param captures named groups of the opening delimiter
 */
export function callsOfRegion(
  field: TemplateField,
  text: string,
  captures: Readonly<Record<string, string>>,
  tools: readonly ToolDefinition[],
): ToolCall[] {
  const value = transformed(field, text, captures);
  const calls: ToolCall[] = [];
  for (const item of Array.isArray(value) ? value : [value]) {
    const target = item instanceof Map ? item.get('function') : undefined;
    if (!(target instanceof Map)) return [];
    const name = target.get('name');
    const values = target.get('arguments') ?? null;
    if (typeof name !== 'string' || name === '' || values === null) return [];
    if (values instanceof Map) coerceArguments(name, values, tools);
    calls.push({ name, arguments: typeof values === 'string' ? values : dumps(values) });
  }
  return calls;
}

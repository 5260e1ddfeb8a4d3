import { PythonNumber } from '../../../core/python-json.ts';
import { isObject, members } from '../json-value.ts';

/** Whether a tool's parameters are a JSON schema of draft 7, https://json-schema.org/draft-07/schema. */

type Check = (value: unknown) => boolean;

const TYPES = new Set<unknown>(['array', 'boolean', 'integer', 'null', 'number', 'object', 'string']);

function numeric(value: unknown): number | undefined {
  if (value instanceof PythonNumber) return Number(value.text);
  return typeof value === 'number' ? value : undefined;
}

const isText: Check = (value) => typeof value === 'string';
const isBoolean: Check = (value) => typeof value === 'boolean';
const isNumber: Check = (value) => numeric(value) !== undefined;
const isCount: Check = (value) => Number.isInteger(numeric(value)) && (numeric(value) ?? -1) >= 0;
const isType: Check = (value) => TYPES.has(value);

function isListOf(check: Check, options: { filled?: boolean; unique?: boolean } = {}): Check {
  return (value) =>
    Array.isArray(value) &&
    value.every(check) &&
    !(options.filled === true && value.length === 0) &&
    !(options.unique === true && new Set(value).size < value.length);
}

function isObjectOf(check: Check, isName: (name: string) => boolean = () => true): Check {
  return (value) => isObject(value) && members(value).every(([name, item]) => isName(name) && check(item));
}

/** Only patterns that are wrong in every dialect are refused; Python's groups and possessive quantifiers are not JavaScript's. */
function isPattern(text: string): boolean {
  if (/\(\?|[*+?}]\+/.test(text)) return true;
  try {
    return new RegExp(text) instanceof RegExp;
  } catch {
    return false;
  }
}

const isTexts = isListOf(isText, { unique: true });
const isSchemas = isListOf(isSchema, { filled: true });
const isSchemaMap = isObjectOf(isSchema);

const KEYWORDS = new Map<string, Check>([
  ...['$id', '$schema', '$ref', '$comment', 'title', 'description', 'format', 'contentMediaType', 'contentEncoding'].map(
    (name) => [name, isText] as const,
  ),
  ...['readOnly', 'uniqueItems'].map((name) => [name, isBoolean] as const),
  ...['maximum', 'exclusiveMaximum', 'minimum', 'exclusiveMinimum'].map((name) => [name, isNumber] as const),
  ...['maxLength', 'minLength', 'maxItems', 'minItems', 'maxProperties', 'minProperties'].map((name) => [name, isCount] as const),
  ...['additionalItems', 'contains', 'additionalProperties', 'propertyNames', 'if', 'then', 'else', 'not'].map(
    (name) => [name, isSchema] as const,
  ),
  ...['definitions', 'properties'].map((name) => [name, isSchemaMap] as const),
  ...['allOf', 'anyOf', 'oneOf'].map((name) => [name, isSchemas] as const),
  ...['examples', 'enum'].map((name) => [name, Array.isArray] as const),
  ['multipleOf', (value) => (numeric(value) ?? 0) > 0],
  ['pattern', (value) => typeof value === 'string' && isPattern(value)],
  ['items', (value) => isSchema(value) || isSchemas(value)],
  ['required', isTexts],
  ['patternProperties', isObjectOf(isSchema, isPattern)],
  ['dependencies', isObjectOf((value) => isSchema(value) || isTexts(value))],
  ['type', (value) => isType(value) || isListOf(isType, { filled: true, unique: true })(value)],
]);

/** Keywords that draft 7 does not have may hold anything. */
export function isSchema(value: unknown): boolean {
  if (typeof value === 'boolean') return true;
  return isObject(value) && members(value).every(([name, item]) => KEYWORDS.get(name)?.(item) ?? true);
}

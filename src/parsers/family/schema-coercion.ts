import { dumps, tryLoads } from '../../core/python-json.ts';
import type { PythonValue } from '../../core/python-json.ts';
import type { ToolDefinition } from '../../core/stream-parser.ts';
import { integerOfText, numberOfText } from './python-number-text.ts';

/** Schemas of a function's parameters by name. */
export type Properties = Readonly<Record<string, unknown>>;

/** Names of types that are not JSON Schema's own but that tools are described with. */
const TYPE_NAMES: ReadonlyMap<string, string> = new Map([
  ['str', 'string'],
  ['text', 'string'],
  ['varchar', 'string'],
  ['char', 'string'],
  ['enum', 'string'],
  ['int', 'integer'],
  ['int32', 'integer'],
  ['int64', 'integer'],
  ['uint', 'integer'],
  ['uint32', 'integer'],
  ['uint64', 'integer'],
  ['long', 'integer'],
  ['short', 'integer'],
  ['unsigned', 'integer'],
  ['float', 'number'],
  ['float32', 'number'],
  ['float64', 'number'],
  ['double', 'number'],
  ['bool', 'boolean'],
  ['dict', 'object'],
  ['arr', 'array'],
  ['list', 'array'],
  ['sequence', 'array'],
]);

/** Schemas nested deeper are taken for untyped. */
const MAX_SCHEMA_DEPTH = 100;

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A member that the object has itself: names come from model output and requests. */
export function ownMember(record: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

/** The parameters' schemas of the first tool of that name; empty where there is no such tool or none are given. */
export function propertiesOf(tools: readonly ToolDefinition[], name: string): Properties {
  const parameters = tools.find((tool) => tool.name === name)?.parameters;
  const properties = parameters ? ownMember(parameters, 'properties') : undefined;
  return isRecord(properties) ? properties : {};
}

function typeOfEnumValue(value: unknown): string | null {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  switch (typeof value) {
    case 'boolean':
      return 'boolean';
    case 'number':
      return Number.isInteger(value) ? 'integer' : 'number';
    case 'string':
      return 'string';
    case 'object':
      return 'object';
    default:
      return null;
  }
}

/**
 * The types that a schema allows: its `type`, those of its `enum` values, and those of `anyOf`, `oneOf` and `allOf`. `string` where it
 * says none, so also for a bare `$ref`, which is not followed.
 */
export function typesOfSchema(schema: unknown, depth = 0): ReadonlySet<string> {
  const types = new Set<string>();
  if (isRecord(schema) && depth <= MAX_SCHEMA_DEPTH) {
    const { type, enum: values } = schema;
    for (const name of Array.isArray(type) ? type : [type]) if (typeof name === 'string') types.add(name);
    for (const value of Array.isArray(values) ? values : []) {
      const name = typeOfEnumValue(value);
      if (name !== null) types.add(name);
    }
    for (const choices of [schema['anyOf'], schema['oneOf'], schema['allOf']]) {
      for (const choice of Array.isArray(choices) ? choices : []) for (const name of typesOfSchema(choice, depth + 1)) types.add(name);
    }
  }
  return types.size > 0 ? types : new Set(['string']);
}

const TYPE_MEMBERS = ['type', 'enum', 'anyOf', 'oneOf', 'allOf'];

/** Whether a schema says nothing of types. */
export function isUntyped(schema: unknown): boolean {
  return !isRecord(schema) || !TYPE_MEMBERS.some((member) => Object.hasOwn(schema, member));
}

/** Whether a text stays as it is whatever it says, so that it may be given out before it is complete. */
export function isStringOnly(schema: unknown): boolean {
  const types = typesOfSchema(schema);
  return types.size === 1 && types.has('string');
}

export function isFiniteValue(value: PythonValue): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (Array.isArray(value)) return value.every(isFiniteValue);
  if (value instanceof Map) return [...value.values()].every(isFiniteValue);
  return true;
}

/** The JSON value of a text; undefined where it is none, or one with NaN or infinity. */
function jsonOfText(text: string): PythonValue | undefined {
  const value = tryLoads(text);
  return value !== undefined && isFiniteValue(value) ? value : undefined;
}

function booleanOfText(text: string): boolean | undefined {
  const word = text.toLowerCase().trim();
  if (word === 'true' || word === '1') return true;
  return word === 'false' || word === '0' ? false : undefined;
}

/** The order in which types are tried: a text that is a number is one, where the schema allows both numbers and strings. */
const CONVERSIONS: readonly (readonly [string, (text: string) => PythonValue | undefined])[] = [
  ['null', (text) => (text.toLowerCase() === 'null' ? null : undefined)],
  ['integer', integerOfText],
  ['number', (text) => integerOfText(text) ?? numberOfText(text)],
  ['boolean', booleanOfText],
  ['object', jsonOfText],
  ['array', jsonOfText],
  ['string', (text) => text],
];

/** The types that a schema allows, by JSON Schema's names where others are used. */
export function typeNames(schema: unknown): ReadonlySet<string> {
  return new Set([...typesOfSchema(schema)].map((type) => type.trim().toLowerCase()).map((type) => TYPE_NAMES.get(type) ?? type));
}

/** The value that a text stands for under a schema: the first type that it can be read as, else JSON, else the text itself. */
export function coerceText(text: string, schema: unknown): PythonValue {
  const types = typeNames(schema);
  for (const [type, convert] of CONVERSIONS) {
    if (!types.has(type)) continue;
    const value = convert(text);
    if (value !== undefined) return value;
  }
  const value = jsonOfText(text);
  return value === undefined ? text : value;
}

/** Brings a JSON value into the types of its schema, members of objects and lists too. Values that fit stay the same objects. */
export function coerceValue(value: PythonValue, schema: unknown): PythonValue {
  if (!isRecord(schema)) return value;
  if (typeof value === 'string') return coerceText(value, schema);
  if (value instanceof Map) {
    const properties = ownMember(schema, 'properties');
    return isRecord(properties) ? coerceMembers(value, properties) : value;
  }
  if (Array.isArray(value)) {
    const { items } = schema;
    if (!isRecord(items)) return value;
    const coerced = value.map((item) => coerceValue(item, items));
    return coerced.some((item, index) => item !== value[index]) ? coerced : value;
  }
  const written = dumps(value);
  const coerced = coerceText(written, schema);
  return dumps(coerced) === written ? value : coerced;
}

/** `coerceValue` for the members that have a schema. The same Map where nothing changed. */
export function coerceMembers(members: Map<string, PythonValue>, properties: Properties): Map<string, PythonValue> {
  let changed = false;
  const result = new Map<string, PythonValue>();
  for (const [key, value] of members) {
    const schema = ownMember(properties, key);
    const coerced = isRecord(schema) ? coerceValue(value, schema) : value;
    changed ||= coerced !== value;
    result.set(key, coerced);
  }
  return changed ? result : members;
}

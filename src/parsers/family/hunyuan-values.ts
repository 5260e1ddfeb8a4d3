import { dumps, tryLoads } from '../../core/python-json.ts';
import type { PythonNumber, PythonValue } from '../../core/python-json.ts';
import { looseJson } from './loose-value.ts';
import { floatOfText, integerOfText } from './python-number-text.ts';
import { isFiniteValue, isRecord } from './schema-coercion.ts';

/** Names of types that are not JSON Schema's own, beside those that begin as INTEGER and NUMBER say. */
const TYPE_NAMES: ReadonlyMap<string, string> = new Map([
  ['str', 'string'],
  ['text', 'string'],
  ['varchar', 'string'],
  ['char', 'string'],
  ['enum', 'string'],
  ['bool', 'boolean'],
  ['binary', 'boolean'],
  ['double', 'number'],
  ['list', 'array'],
  ['dict', 'object'],
  ['map', 'object'],
]);
const INTEGER = /^(?:int|uint|long|short|unsigned)/i;
const NUMBER = /^(?:num|float)/i;
const JSON_FREE_TYPES: readonly string[] = ['string', 'boolean', 'integer', 'number'];

function typeName(name: unknown): string {
  if (typeof name !== 'string') return 'string';
  const known = TYPE_NAMES.get(name);
  if (known !== undefined) return known;
  if (INTEGER.test(name)) return 'integer';
  return NUMBER.test(name) ? 'number' : name;
}

function typesOf(schema: unknown): Set<string> {
  if (!isRecord(schema)) return new Set(['string']);
  const { type, anyOf, oneOf } = schema;
  const choices = [anyOf, oneOf].find(Array.isArray) ?? [];
  let names: unknown[] = ['string'];
  if (type !== undefined) names = Array.isArray(type) ? type : [type];
  else if (choices.length > 0) names = choices.map((choice: unknown) => (isRecord(choice) ? choice['type'] : null));
  const types = new Set(names.map(typeName));
  types.delete('null');
  return types;
}

/** Whether a value is text whatever it says. */
export function isHunyuanText(schema: unknown): boolean {
  const types = typesOf(schema);
  return types.size === 1 && types.has('string');
}

function numberOfText(text: string): number | PythonNumber | undefined {
  return /[.eE]/.test(text) ? floatOfText(text) : integerOfText(text);
}

function valueOf(text: string, types: ReadonlySet<string>): PythonValue | undefined {
  const word = text.toLowerCase();
  if (types.has('boolean') && (word === 'true' || word === 'false')) return word === 'true';
  const number = (types.has('integer') ? integerOfText(text) : undefined) ?? (types.has('number') ? numberOfText(text) : undefined);
  if (number !== undefined) return number;
  const value = [...types].some((type) => !JSON_FREE_TYPES.includes(type)) ? tryLoads(text) : undefined;
  if (value !== undefined) return value;
  return types.has('string') ? text : undefined;
}

/** The JSON of a value under its schema, by the rules of the Hunyuan formats: no schema means text. */
export function hunyuanJson(text: string, schema: unknown): string {
  const value = valueOf(text, typesOf(schema));
  return value !== undefined && isFiniteValue(value) ? dumps(value) : looseJson(text);
}

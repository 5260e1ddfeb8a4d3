import { items, member, members, textOf, toPython } from '../json-value.ts';
import { COMPACT, rustJson } from '../rust-json.ts';

/** JSON schemas as the TypeScript-like types in which Harmony declares tools; what a schema says beyond that is left out. */

const SIMPLE_TYPES: Readonly<Record<string, string>> = { number: 'number', integer: 'number', boolean: 'boolean' };

function texts(list: unknown): string[] {
  return items(list).filter((item): item is string => typeof item === 'string');
}

function hasEnum(schema: unknown): boolean {
  return items(member(schema, 'enum')).length > 0;
}

/** `default: …`; undefined where the schema has none. A text is quoted but not escaped; `enumText` writes it where the schema has an enum. */
function defaultText(schema: unknown, enumText: (text: string) => string): string | undefined {
  const value = member(schema, 'default');
  if (value === undefined) return undefined;
  if (typeof value !== 'string') return `default: ${rustJson(toPython(value), COMPACT)}`;
  return `default: ${hasEnum(schema) ? enumText(value) : `"${value}"`}`;
}

function propertyDefault(schema: unknown): string | undefined {
  return defaultText(schema, (text) => text);
}

function nullableType(schema: unknown, type: string): string {
  return member(schema, 'nullable') === true && !type.includes('null') ? `${type} | null` : type;
}

function stringType(schema: unknown): string {
  const values = texts(member(schema, 'enum')).map((value) => `"${value}"`);
  return values.length === 0 ? 'string' : values.join(' | ');
}

function arrayType(schema: unknown, indent: string): string {
  const item = member(schema, 'items');
  return item === undefined ? 'Array<any>' : `${typescriptType(item, indent)}[]`;
}

function objectType(schema: unknown, indent: string): string {
  const text = description(schema);
  const comment = text === undefined ? '' : `${indent}// ${text}\n`;
  const required = new Set(texts(member(schema, 'required')));
  const properties = members(member(schema, 'properties')).map(([name, property]) =>
    propertyText(name, property, required.has(name), indent),
  );
  return `${comment}{\n${properties.join('')}${indent}}`;
}

function description(schema: unknown): string | undefined {
  const text = member(schema, 'description');
  return typeof text === 'string' ? text : undefined;
}

function trailingComment(parts: readonly (string | undefined)[]): string {
  const said = parts.filter((part) => part !== undefined);
  return said.length === 0 ? '' : ` // ${said.join(' ')}`;
}

/** One line a variant, with what is said about it behind. */
function variantLine(variant: unknown, indent: string, said: readonly (string | undefined)[]): string {
  return `${indent} | ${nullableType(variant, typescriptType(variant, `${indent}   `))}${trailingComment(said)}`;
}

function propertyComments(property: unknown, indent: string): string {
  const lines: string[] = [];
  const title = member(property, 'title');
  if (typeof title === 'string') lines.push(`// ${title}`, '//');
  const text = member(property, 'oneOf') === undefined ? description(property) : undefined;
  if (text !== undefined) lines.push(`// ${text}`);
  const examples = items(member(property, 'examples'));
  if (examples.length > 0) lines.push('// Examples:', ...texts(examples).map((example) => `// - "${example}"`));
  return lines.map((line) => `${indent}${line}\n`).join('');
}

/** A property of one of several types. What is said of the whole is not said again of a variant, nor anything of the first. */
function variantProperty(head: string, property: unknown, variants: readonly unknown[], indent: string): string {
  const whole = description(property);
  const comments = [whole === description(variants[0]) ? undefined : whole, propertyDefault(property)];
  const lines = variants.map((variant, index) => {
    const own = description(variant);
    const isSaid = whole !== undefined && (index === 0 || own === whole);
    return variantLine(variant, indent, [isSaid ? undefined : own, propertyDefault(variant)]);
  });
  const said = comments.filter((comment) => comment !== undefined).map((comment) => `${indent}// ${comment}\n`);
  return `${said.join('')}${head}:\n${lines.map((line) => `${line}\n`).join('')}${indent},\n`;
}

function propertyText(name: string, property: unknown, required: boolean, indent: string): string {
  const head = `${indent}${name}${required ? '' : '?'}`;
  const comments = propertyComments(property, indent);
  const variants = member(property, 'oneOf');
  if (Array.isArray(variants)) return comments + variantProperty(head, property, variants, indent);
  const type = nullableType(property, typescriptType(property, `${indent}    `));
  const preset = variants === undefined ? propertyDefault(property) : undefined;
  return `${comments}${head}: ${type},${trailingComment([preset])}\n`;
}

/** The type of a schema; lines after the first begin with `indent`. */
export function typescriptType(schema: unknown, indent: string): string {
  const variants = member(schema, 'oneOf');
  if (Array.isArray(variants)) {
    return variants
      .map((variant) => `\n${variantLine(variant, indent, [description(variant), defaultText(variant, JSON.stringify)])}`)
      .join('');
  }
  const type = member(schema, 'type');
  if (Array.isArray(type)) {
    const names = texts(type).map((name) => (name === 'integer' ? 'number' : name));
    return names.length === 0 ? 'any' : names.join(' | ');
  }
  if (type === 'object') return objectType(schema, indent);
  if (type === 'string') return stringType(schema);
  if (type === 'array') return arrayType(schema, indent);
  return SIMPLE_TYPES[textOf(type)] ?? 'any';
}

import { dumps } from '../../core/python-json.ts';
import type { PythonValue } from '../../core/python-json.ts';
import { coerceMembers, coerceText, isRecord, ownMember, typesOfSchema } from './schema-coercion.ts';
import type { Properties } from './schema-coercion.ts';
import { isBlank, stripStart } from './white-space.ts';

/** What stands in front of every tag of MiniMax M3. */
export const NAMESPACE = ']<]minimax[>[';
const TAG = `${NAMESPACE}<`;

/** The member of an object under which text beside child elements is kept, if no child has that name. */
const TEXT_MEMBER = '$text';
const MAX_DEPTH = 128;

/** An element's value: its text, or its children in order. */
type Element = string | readonly Child[];

interface Child {
  name: string;
  value: Element;
}

/** Reads the element at `at`; null where it is malformed or not complete. */
function readElement(text: string, at: number, depth: number): { child: Child; end: number } | null {
  const nameEnd = text.indexOf('>', at + TAG.length);
  const name = text.slice(at + TAG.length, Math.max(nameEnd, 0));
  if (nameEnd === -1 || isBlank(name) || name.startsWith('/') || depth > MAX_DEPTH) return null;
  const close = `${TAG}/${name}>`;
  const children: Child[] = [];
  let body = '';
  let position = nameEnd + 1;
  for (;;) {
    const marker = text.indexOf(NAMESPACE, position);
    if (marker === -1) return null;
    body += text.slice(position, marker);
    if (text.startsWith(close, marker)) {
      const end = marker + close.length;
      return { child: { name, value: children.length === 0 ? body : withText(children, body) }, end };
    }
    const inner = text.startsWith(TAG, marker) ? readElement(text, marker, depth + 1) : null;
    if (!inner) return null;
    children.push(inner.child);
    position = inner.end;
  }
}

function withText(children: Child[], text: string): Child[] {
  if (isBlank(text)) return children;
  let name = TEXT_MEMBER;
  while (children.some((child) => child.name === name)) name = `$${name}`;
  return [...children, { name, value: text }];
}

/** Reads elements as far as they are well formed. */
function readElements(text: string): Child[] {
  const children: Child[] = [];
  let rest = stripStart(text);
  while (rest.startsWith(TAG)) {
    const read = readElement(rest, 0, 1);
    if (!read) break;
    children.push(read.child);
    rest = stripStart(rest.slice(read.end));
  }
  return children;
}

interface Container {
  kind: 'array' | 'object';
  schema: Readonly<Record<string, unknown>>;
}

/** The first alternative of a schema that is a list or an object. */
function containerOf(schema: unknown, depth = 0): Container | null {
  if (!isRecord(schema) || depth > MAX_DEPTH) return null;
  const { type } = schema;
  for (const kind of ['array', 'object'] as const) {
    if (type === kind || (Array.isArray(type) && type.includes(kind))) return { kind, schema };
  }
  if (type === undefined || type === null) {
    if ('items' in schema) return { kind: 'array', schema };
    if ('properties' in schema || 'additionalProperties' in schema) return { kind: 'object', schema };
  }
  for (const choices of [schema['anyOf'], schema['oneOf']]) {
    for (const choice of Array.isArray(choices) ? choices : []) {
      const found = containerOf(choice, depth + 1);
      if (found) return found;
    }
  }
  return null;
}

function valueOf(element: Element, schema: unknown): PythonValue {
  const container = containerOf(schema);
  if (typeof element === 'string') {
    if (!isRecord(schema)) return element;
    // An empty list or object is written as an empty element.
    const isEmpty = container !== null && !typesOfSchema(schema).has('string') && isBlank(element);
    if (isEmpty) return container.kind === 'array' ? [] : new Map();
    return coerceText(element, schema);
  }
  if (container?.kind === 'array') return element.map((child) => valueOf(child.value, container.schema['items']));
  return objectOf(element, container?.schema ?? {});
}

/** Named elements as an object; a name that repeats gives a list. */
function objectOf(children: readonly Child[], schema: Readonly<Record<string, unknown>>): Map<string, PythonValue> {
  const properties = isRecord(schema['properties']) ? schema['properties'] : {};
  const result = new Map<string, PythonValue>();
  const repeated = new Map<string, PythonValue[]>();
  for (const { name, value } of children) {
    const converted = valueOf(value, ownMember(properties, name) ?? schema['additionalProperties']);
    const first = result.get(name);
    const list = repeated.get(name) ?? (first === undefined ? null : [first]);
    list?.push(converted);
    if (list) repeated.set(name, list);
    result.set(name, list ?? converted);
  }
  return result;
}

/** The parameter elements of one call as JSON, typed by the function's schema: nested elements are objects, or lists where it says so. */
export function elementsToJson(text: string, properties: Properties): string {
  return dumps(coerceMembers(objectOf(readElements(text), { properties }), properties));
}

import { tryLoads } from '../core/python-json.ts';
import type { PythonValue } from '../core/python-json.ts';
import { readBoolean, readInteger } from './lax.ts';

/**
 * Structural tags: trees of output formats that the engine's grammar follows (xgrammar's JSON form). Checked here so that a wrong one is
 * the client's error at once and not the engine's later. Grammars, regular expressions and schemas inside are the engine's to judge.
 */

/** A schema may nest 64 levels, the tag around it 16 more. */
export const MAX_SCHEMA_NESTING = 64;
const TAG_NESTING = MAX_SCHEMA_NESTING + 16;

type Members = ReadonlyMap<string, PythonValue>;

/** Reads a member, or gives undefined where it is wrong. */
type Read = (value: PythonValue) => PythonValue | undefined;

/** A member that may be left out, and what stands for it then. */
interface Optional {
  readonly read: Read;
  readonly fallback: PythonValue;
}

/** Members of a format in the order in which they are written. */
type Form = Readonly<Record<string, Read | Optional>>;

const text: Read = (value) => (typeof value === 'string' ? value : undefined);
const flag: Read = (value) => readBoolean(value);
const integer: Read = (value) => readInteger(value);
const token: Read = (value) => text(value) ?? integer(value);
const schema: Read = (value) => (typeof value === 'boolean' || value instanceof Map ? value : undefined);
const orNull =
  (read: Read): Read =>
  (value) =>
    value === null ? null : read(value);
const count = orNull((value) => {
  const read = readInteger(value);
  return read !== undefined && read >= 0 && read <= 0x7fffffff ? read : undefined;
});

function listOf(read: Read): Read {
  return (value) => {
    if (!Array.isArray(value)) return undefined;
    const items = value.map(read);
    return items.includes(undefined) ? undefined : (items as PythonValue[]);
  };
}

/** A format whose type is known from its place, so that it may be left out. */
function placed(type: string, form: () => Form): Read {
  return (value) => (value instanceof Map && (value.get('type') ?? type) === type ? readForm(type, value, form()) : undefined);
}

const optional = (read: Read, fallback: PythonValue): Optional => ({ read, fallback });
const texts = listOf(text);
const tokens = listOf(token);
const noTexts = optional(texts, []);
const noTokens = optional(tokens, []);
const notSet = optional(flag, false);
const unlimited = optional(count, null);
const format: Read = (value) => readFormat(value);
const formats = listOf(format);
const tags = listOf(placed('tag', () => TAG));
const tokenFormat = placed('token', () => ({ token }));

/** Pairs of a pattern and the format that follows it. */
function rules(pattern: Read): Read {
  return listOf((rule) => {
    if (!Array.isArray(rule) || rule.length !== 2) return undefined;
    const pair = [pattern(rule[0] ?? null), format(rule[1] ?? null)];
    return pair.includes(undefined) ? undefined : (pair as PythonValue[]);
  });
}

const STYLES = [
  'json',
  'qwen_xml',
  'minimax_xml',
  'minimax_m3_xml',
  'deepseek_xml',
  'glm_xml',
  'cohere_xml',
  'kimi_k3_xml',
  'deepseek_v4_1_xml',
];
const style: Read = (value) => (typeof value === 'string' && STYLES.includes(value) ? value : undefined);

const TAG: Form = {
  begin: (value) => text(value) ?? tokenFormat(value),
  content: format,
  end: (value) => text(value) ?? texts(value) ?? tokenFormat(value),
};

const FORMS: Readonly<Record<string, Form>> = {
  const_string: { value: text },
  json_schema: {
    json_schema: schema,
    style: optional(style, 'json'),
    any_order: notSet,
    max_whitespace_cnt: optional(orNull(integer), null),
    excludes: noTexts,
  },
  qwen_xml_parameter: { json_schema: schema },
  any_text: { excludes: noTexts, max_tokens: unlimited, max_chars: unlimited },
  token: { token },
  exclude_token: { exclude_tokens: noTokens },
  any_tokens: { exclude_tokens: noTokens, max_tokens: unlimited },
  grammar: { grammar: text },
  regex: { pattern: text },
  sequence: { elements: formats },
  or: { elements: formats },
  tag: TAG,
  triggered_tags: { triggers: texts, tags, at_least_one: notSet, stop_after_first: notSet, excludes: noTexts },
  token_triggered_tags: { trigger_tokens: tokens, tags, exclude_tokens: noTokens, at_least_one: notSet, stop_after_first: notSet },
  tags_with_separator: { tags, separator: text, at_least_one: notSet, stop_after_first: notSet },
  optional: { content: format },
  plus: { content: format },
  star: { content: format },
  repeat: { min: integer, max: integer, content: format },
  dispatch: { rules: rules(text), loop: optional(flag, true), excludes: noTexts },
  token_dispatch: { rules: rules(token), loop: optional(flag, true), exclude_tokens: noTokens },
};

function readForm(type: string, members: Members, form: Form): Map<string, PythonValue> | undefined {
  const result = new Map<string, PythonValue>([['type', type]]);
  for (const [name, member] of Object.entries(form)) {
    const value = members.get(name);
    const isOptional = typeof member !== 'function';
    const read = value === undefined ? (isOptional ? member.fallback : undefined) : (isOptional ? member.read : member)(value);
    if (read === undefined) return undefined;
    result.set(name, read);
  }
  return result;
}

interface TriggerNode {
  /** How many triggers end here. */
  count: number;
  readonly next: Map<string, TriggerNode>;
}

/** Triggers by their characters, so that looking one up costs no more than reading it. */
function triggerTree(triggers: readonly string[]): TriggerNode {
  const root: TriggerNode = { count: 0, next: new Map() };
  for (const trigger of triggers) {
    let node = root;
    for (const character of trigger) {
      let next = node.next.get(character);
      if (next === undefined) node.next.set(character, (next = { count: 0, next: new Map() }));
      node = next;
    }
    node.count += 1;
  }
  return root;
}

/** Each tag's beginning must start with exactly one trigger, or the grammar would not know which to follow. */
function triggersMatch(triggers: readonly string[], begins: readonly PythonValue[]): boolean {
  const root = triggerTree(triggers);
  return begins.every((begin) => {
    if (typeof begin !== 'string') return false;
    let found = root.count;
    let node: TriggerNode | undefined = root;
    for (const character of begin) {
      node = node.next.get(character);
      if (node === undefined) break;
      found += node.count;
    }
    return found === 1;
  });
}

/** A format with all its members, or undefined where it is none. */
function readFormat(value: PythonValue): Map<string, PythonValue> | undefined {
  if (!(value instanceof Map)) return undefined;
  const type = value.get('type');
  const form = typeof type === 'string' && Object.hasOwn(FORMS, type) ? FORMS[type] : undefined;
  const read = form === undefined ? undefined : readForm(type as string, value, form);
  if (read === undefined || type !== 'triggered_tags') return read;
  const begins = (read.get('tags') as Map<string, PythonValue>[]).map((tag) => tag.get('begin') ?? null);
  return triggersMatch(read.get('triggers') as string[], begins) ? read : undefined;
}

function isLegacyTag(tag: Members): boolean {
  const structures = tag.get('structures');
  const triggers = tag.get('triggers');
  if (!Array.isArray(structures) || texts(triggers ?? null) === undefined) return false;
  const complete = structures.every(
    (structure) =>
      structure instanceof Map &&
      typeof structure.get('begin') === 'string' &&
      structure.has('schema') &&
      typeof structure.get('end') === 'string',
  );
  return (
    complete &&
    structures.length > 0 &&
    triggersMatch(
      triggers as string[],
      structures.map((structure) => (structure as Map<string, PythonValue>).get('begin') ?? null),
    )
  );
}

function nestsDeeper(value: PythonValue, limit: number): boolean {
  let level: PythonValue[] = [value];
  for (let depth = 0; depth < limit; depth += 1) {
    level = level
      .flatMap((node) => (node instanceof Map ? [...node.values()] : Array.isArray(node) ? node : []))
      .filter((child) => child instanceof Map || Array.isArray(child));
    if (level.length === 0) return false;
  }
  return true;
}

/** Why a text is no structural tag; null where it is one. */
export function structuralTagProblem(text: string): 'malformed' | 'nested too deeply' | null {
  const tag = tryLoads(text);
  if (!(tag instanceof Map)) return 'malformed';
  if (nestsDeeper(tag, TAG_NESTING)) return 'nested too deeply';
  if (tag.has('structures')) return isLegacyTag(tag) ? null : 'malformed';
  return (tag.get('type') ?? 'structural_tag') === 'structural_tag' && readFormat(tag.get('format') ?? null) !== undefined
    ? null
    : 'malformed';
}

/** The format of a structural tag with all its members, or null where the text is no tag with a format. */
export function structuralTagFormat(tag: Members): ReadonlyMap<string, PythonValue> | null {
  return readFormat(tag.get('format') ?? null) ?? null;
}

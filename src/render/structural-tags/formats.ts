/**
 * Output formats of a structural tag, in xgrammar's JSON form: every member is written, in a fixed order, because engines compare and
 * cache grammars by their text.
 */

/** A JSON Schema as the request has it, or true for any JSON. */
export type Schema = unknown;

export type SchemaStyle = 'json' | 'qwen_xml' | 'minimax_xml' | 'deepseek_xml' | 'deepseek_v4_1_xml' | 'glm_xml';

export interface Format {
  readonly type: string;
  readonly [member: string]: unknown;
}

/** A beginning, a content and an end. */
export interface Tag extends Format {
  readonly type: 'tag';
}

export function anyText(excludes: readonly string[] = []): Format {
  return { type: 'any_text', excludes, max_tokens: null, max_chars: null };
}

export function constant(value: string): Format {
  return { type: 'const_string', value };
}

export function jsonSchema(schema: Schema, style: SchemaStyle = 'json'): Format {
  return { type: 'json_schema', json_schema: schema, style, any_order: false, max_whitespace_cnt: null, excludes: [] };
}

export function regex(pattern: string): Format {
  return { type: 'regex', pattern };
}

export function grammar(text: string): Format {
  return { type: 'grammar', grammar: text };
}

export function sequence(...elements: readonly Format[]): Format {
  return { type: 'sequence', elements };
}

/** One of several; a single one stands alone. */
export function oneOf(elements: readonly Format[]): Format {
  const [only] = elements;
  return elements.length === 1 && only !== undefined ? only : { type: 'or', elements };
}

export function optional(content: Format): Format {
  return { type: 'optional', content };
}

export function star(content: Format): Format {
  return { type: 'star', content };
}

export function plus(content: Format): Format {
  return { type: 'plus', content };
}

export function tag(begin: string, content: Format, end: string | readonly string[]): Tag {
  return { type: 'tag', begin, content, end };
}

export interface TriggeredOptions {
  readonly atLeastOne?: boolean;
  readonly excludes?: readonly string[];
}

/** Free text, in which a trigger begins one of the tags. */
export function triggered(trigger: string, tags: readonly Tag[], options: TriggeredOptions = {}): Format {
  const { atLeastOne = false, excludes = [] } = options;
  return { type: 'triggered_tags', triggers: [trigger], tags, at_least_one: atLeastOne, stop_after_first: false, excludes };
}

/** One tag or more and nothing else, with a separator between two. */
export function tagList(tags: readonly Tag[], separator = '', stopAfterFirst = false): Format {
  return { type: 'tags_with_separator', tags, separator, at_least_one: true, stop_after_first: stopAfterFirst };
}

const LISTS: ReadonlySet<string> = new Set(['triggered_tags', 'token_triggered_tags', 'tags_with_separator']);

/** The format with every list of calls ending after its first, for `parallel_tool_calls: false`. Lists repeat calls, never arguments. */
export function limitedToOneCall(format: Format): Format {
  const visit = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(visit);
    if (typeof value !== 'object' || value === null || !('type' in value)) return value;
    const node = value as Format;
    if (node.type === 'json_schema') return node;
    const members = Object.fromEntries(Object.entries(node).map(([name, member]) => [name, visit(member)]));
    return LISTS.has(node.type) ? { ...members, stop_after_first: true } : members;
  };
  return visit(format) as Format;
}

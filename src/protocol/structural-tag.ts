import { tryLoads } from '../core/python-json.ts';
import type { PythonValue } from '../core/python-json.ts';

/**
 * Structural tags: trees of output formats that the engine's grammar follows (xgrammar's JSON form). Checked here so that a wrong one is
 * the client's error at once and not the engine's later. Grammars, regular expressions and schemas inside are the engine's to judge.
 */

/** A schema may nest 64 levels, the tag around it 16 more. */
export const MAX_SCHEMA_NESTING = 64;
const TAG_NESTING = MAX_SCHEMA_NESTING + 16;

type Members = ReadonlyMap<string, PythonValue>;
type Check = (value: PythonValue) => boolean;

const isText: Check = (value) => typeof value === 'string';
const isFlag: Check = (value) => typeof value === 'boolean';
const isTexts: Check = (value) => Array.isArray(value) && value.every(isText);
const isToken: Check = (value) => typeof value === 'string' || Number.isInteger(value);
const isTokens: Check = (value) => Array.isArray(value) && value.every(isToken);
const isSchema: Check = (value) => typeof value === 'boolean' || value instanceof Map;
const isCount: Check = (value) => value === null || (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 0x7fffffff);
const isInteger: Check = (value) => typeof value === 'number' && Number.isInteger(value);
const isFormats: Check = (value) => Array.isArray(value) && value.every(isFormat);
const isTag: Check = (value) => value instanceof Map && (value.get('type') ?? 'tag') === 'tag' && fits(value, TAG);
const isTags: Check = (value) => Array.isArray(value) && value.every(isTag);
const isTokenFormat: Check = (value) => value instanceof Map && fits(value, { token: isToken });
const isRules =
  (pattern: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every((rule) => Array.isArray(rule) && rule.length === 2 && pattern(rule[0] ?? null) && isFormat(rule[1] ?? null));

/** Members of a format; a name that ends in `?` need not be there. */
type Form = Readonly<Record<string, Check>>;

const STYLES = ['json', 'qwen_xml', 'minimax_xml', 'minimax_m3_xml', 'deepseek_xml', 'glm_xml', 'cohere_xml', 'kimi_k3_xml', 'deepseek_v4_1_xml'];

const TAG: Form = {
  begin: (value) => isText(value) || isTokenFormat(value),
  content: (value) => isFormat(value),
  end: (value) => isText(value) || isTexts(value) || isTokenFormat(value),
};

const FORMS: Readonly<Record<string, Form>> = {
  const_string: { value: isText },
  json_schema: {
    json_schema: isSchema,
    'style?': (value) => typeof value === 'string' && STYLES.includes(value),
    'any_order?': isFlag,
    'max_whitespace_cnt?': (value) => value === null || isInteger(value),
    'excludes?': isTexts,
  },
  qwen_xml_parameter: { json_schema: isSchema },
  any_text: { 'excludes?': isTexts, 'max_tokens?': isCount, 'max_chars?': isCount },
  token: { token: isToken },
  exclude_token: { 'exclude_tokens?': isTokens },
  any_tokens: { 'exclude_tokens?': isTokens, 'max_tokens?': isCount },
  grammar: { grammar: isText },
  regex: { pattern: isText },
  sequence: { elements: isFormats },
  or: { elements: isFormats },
  tag: TAG,
  triggered_tags: { triggers: isTexts, tags: isTags, 'at_least_one?': isFlag, 'stop_after_first?': isFlag, 'excludes?': isTexts },
  token_triggered_tags: { trigger_tokens: isTokens, tags: isTags, 'exclude_tokens?': isTokens, 'at_least_one?': isFlag, 'stop_after_first?': isFlag },
  tags_with_separator: { tags: isTags, separator: isText, 'at_least_one?': isFlag, 'stop_after_first?': isFlag },
  optional: { content: (value) => isFormat(value) },
  plus: { content: (value) => isFormat(value) },
  star: { content: (value) => isFormat(value) },
  repeat: { min: isInteger, max: isInteger, content: (value) => isFormat(value) },
  dispatch: { rules: isRules(isText), 'loop?': isFlag, 'excludes?': isTexts },
  token_dispatch: { rules: isRules(isToken), 'loop?': isFlag, 'exclude_tokens?': isTokens },
};

function fits(members: Members, form: Form): boolean {
  return Object.entries(form).every(([name, check]) => {
    const optional = name.endsWith('?');
    const value = members.get(optional ? name.slice(0, -1) : name);
    return value === undefined ? optional : check(value);
  });
}

/** Each tag's beginning must start with exactly one trigger, or the grammar would not know which to follow. */
function triggersMatch(triggers: readonly PythonValue[], begins: readonly PythonValue[]): boolean {
  return begins.every((begin) => {
    if (typeof begin !== 'string') return false;
    return triggers.filter((trigger) => typeof trigger === 'string' && begin.startsWith(trigger)).length === 1;
  });
}

function isFormat(value: PythonValue): boolean {
  if (!(value instanceof Map)) return false;
  const type = value.get('type');
  const form = typeof type === 'string' && Object.hasOwn(FORMS, type) ? FORMS[type] : undefined;
  if (form === undefined || !fits(value, form)) return false;
  if (type === 'triggered_tags') {
    const begins = (value.get('tags') as Map<string, PythonValue>[]).map((tag) => tag.get('begin') ?? null);
    return triggersMatch(value.get('triggers') as PythonValue[], begins);
  }
  return true;
}

function isLegacyTag(tag: Members): boolean {
  const structures = tag.get('structures');
  const triggers = tag.get('triggers');
  if (!Array.isArray(structures) || !isTexts(triggers ?? null)) return false;
  const complete = structures.every(
    (structure) => structure instanceof Map && isText(structure.get('begin') ?? null) && structure.has('schema') && isText(structure.get('end') ?? null),
  );
  return complete && structures.length > 0 && triggersMatch(triggers as PythonValue[], structures.map((structure) => (structure as Map<string, PythonValue>).get('begin') ?? null));
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
  return (tag.get('type') ?? 'structural_tag') === 'structural_tag' && isFormat(tag.get('format') ?? null) ? null : 'malformed';
}

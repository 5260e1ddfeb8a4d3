import { z } from 'zod';
import { PythonNumber, dumps, floatText, numberOf, tryLoads } from '../../core/python-json.ts';
import type { PythonValue } from '../../core/python-json.ts';
import { integerOfText, numberOfText } from '../family/python-number-text.ts';
import { strip } from '../family/white-space.ts';
import { allMatches } from '../pattern/pattern-search.ts';
import { patternSchema } from './pattern-schema.ts';

/** Reads a region's text; undefined where it cannot be read. */
export type ContentParser = (text: string) => PythonValue | undefined;

export const CONTENT_PARSER_NAMES = ['text', 'int', 'float', 'bool', 'json', 'xml-inline', 'kv-lines'] as const;
export type ContentParserName = (typeof CONTENT_PARSER_NAMES)[number];

const stripped = z.boolean().default(true);

interface ValueParser {
  name: ContentParserName;
  args: Record<string, unknown>;
}

const valueParser: z.ZodType<ValueParser> = z.strictObject({
  name: z.enum(CONTENT_PARSER_NAMES).default('text'),
  args: z.record(z.string(), z.unknown()).default({}),
});

const simpleArguments = z.object({ strip: stripped });
const jsonArguments = z.object({
  strip: stripped,
  string_delims: z.array(z.tuple([z.string().min(1), z.string().min(1)])).default([]),
  unquoted_keys: z.boolean().default(false),
  allow_non_json: z.boolean().default(false),
});
const xmlArguments = z.object({
  tag_pattern: patternSchema.refine(({ groups }) => groups.has('key'), 'must have a group named "key"'),
  value_parser: valueParser.nullable().default(null),
  merge_duplicates: z.boolean().default(false),
});
const lineArguments = z.object({
  strip: stripped,
  line_sep: z.string().min(1).default('\n'),
  kv_sep: z.string().min(1).default(':'),
  value_parser: valueParser.nullable().default(null),
});

/** Marks where strings between delimiters of the model's own were taken out of a text. */
const MARKS = /[\u0001\u0002]/;
const BARE_KEY = /(?<=[{,])([\p{L}\p{N}_]+):/gu;

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

function jsonParser(options: z.output<typeof jsonArguments>): ContentParser {
  const delimiters = options.string_delims.map(([open, close]) => new RegExp(`${escaped(open)}(.*?)${escaped(close)}`, 'gs'));
  return (text) => {
    if (delimiters.length > 0 && MARKS.test(text)) return undefined;
    const strings: string[] = [];
    let plain = text;
    for (const delimiter of delimiters) {
      plain = plain.replace(delimiter, (_all, inner: string) => `\u0001${strings.push(inner) - 1}\u0002`);
    }
    if (options.unquoted_keys) plain = plain.replace(BARE_KEY, '"$1":');
    plain = plain.replace(/\u0001(\d+)\u0002/g, (_all, index: string) => dumps(strings[Number(index)] ?? '', { ensureAscii: true }));
    const value = tryLoads(plain);
    if (value !== undefined || !options.allow_non_json) return value;
    return options.strip ? strip(text) : text;
  };
}

function addMember(members: Map<string, PythonValue>, key: string, value: PythonValue, merges: boolean): void {
  const known = members.get(key);
  if (known === undefined || !merges) members.set(key, value);
  else members.set(key, Array.isArray(known) ? [...known, value] : [known, value]);
}

function nested(parser: ValueParser | null): ContentParser {
  return parser ? createContentParser(parser.name, parser.args) : (text) => text;
}

function xmlParser(options: z.output<typeof xmlArguments>): ContentParser {
  const parseValue = nested(options.value_parser);
  const hasValues = options.tag_pattern.groups.has('value');
  return (text) => {
    const members = new Map<string, PythonValue>();
    for (const { groups } of allMatches(options.tag_pattern, text)) {
      const { key, value: written } = groups;
      const value = written === undefined && hasValues ? undefined : parseValue(written ?? '');
      if (key === undefined || value === undefined) return undefined;
      addMember(members, key, value, options.merge_duplicates);
    }
    return members;
  };
}

function lineParser(options: z.output<typeof lineArguments>): ContentParser {
  const parseValue = nested(options.value_parser);
  const trim = (text: string): string => (options.strip ? strip(text) : text);
  return (text) => {
    const members = new Map<string, PythonValue>();
    for (const line of text.split(options.line_sep).map(trim)) {
      const at = line.indexOf(options.kv_sep);
      if (at === -1) continue;
      const value = parseValue(trim(line.slice(at + options.kv_sep.length)));
      if (value === undefined) return undefined;
      members.set(trim(line.slice(0, at)), value);
    }
    return members;
  };
}

function floatOfText(text: string): PythonValue | undefined {
  const value = numberOfText(text);
  if (value === undefined) return undefined;
  return numberOf(floatText(Number(value instanceof PythonNumber ? value.text : value)), true);
}

/**
 * A parser by its name in response templates.
 * @throws ZodError for arguments that it does not take
 */
export function createContentParser(name: ContentParserName, args: Readonly<Record<string, unknown>>): ContentParser {
  if (name === 'json') return jsonParser(jsonArguments.parse(args));
  if (name === 'xml-inline') return xmlParser(xmlArguments.parse(args));
  if (name === 'kv-lines') return lineParser(lineArguments.parse(args));
  const { strip: strips } = simpleArguments.parse(args);
  const trim = (text: string): string => (strips ? strip(text) : text);
  if (name === 'int') return (text) => integerOfText(trim(text));
  if (name === 'float') return (text) => floatOfText(trim(text));
  if (name === 'bool') return (text) => ['true', '1'].includes(trim(text).toLowerCase());
  return trim;
}

/** Whether a JSON text is read as it stands, so that its strings are known while it comes. */
export function isPlainJson(name: ContentParserName, args: Readonly<Record<string, unknown>>): boolean {
  if (name !== 'json') return false;
  const { string_delims: delimiters, unquoted_keys: bareKeys } = jsonArguments.parse(args);
  return delimiters.length === 0 && !bareKeys;
}

import { isObject, items, member, members } from '../encoders/json-value.ts';
import { anyText, constant, jsonSchema, oneOf, optional, plus, regex, sequence, star, tag, tagList } from './formats.ts';
import type { Format, Tag } from './formats.ts';
import type { GrammarTool, ToolGrammar } from './tool-formats.ts';

/** Kimi K3: a response channel, then a tools channel whose arguments are tagged one by one with their JSON type. */

const OPEN = '<|open|>';
const CLOSE = '<|close|>';
const SEP = '<|sep|>';
const ARGUMENT_END = `${CLOSE}argument${SEP}`;
const MAX_CHOICES = 256;
const MAX_BOUNDED_LENGTH = 4096;

const ATTRIBUTE_TYPES: ReadonlyMap<unknown, string> = new Map([
  ['string', 'string'],
  ['integer', 'number'],
  ['number', 'number'],
  ['boolean', 'boolean'],
  ['null', 'null'],
  ['object', 'object'],
  ['array', 'array'],
]);

function attribute(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
}

/** Raw text of limited length. "<|" would begin a marker, so it is kept out. */
function boundedText(property: unknown): string | null {
  const max = member(property, 'maxLength');
  if (typeof max !== 'number' || !Number.isInteger(max) || max < 0 || max > MAX_BOUNDED_LENGTH) return null;
  const min = member(property, 'minLength');
  const least = typeof min === 'number' && Number.isInteger(min) && min >= 0 && min <= max ? min : 0;
  return `(?:[^<]|<[^|]){${least},${max}}`;
}

function textValue(property: unknown): Format {
  const constantValue = member(property, 'const');
  const choices = member(property, 'enum') ?? (typeof constantValue === 'string' ? [constantValue] : null);
  const listed = items(choices);
  const writable = listed.every((choice) => typeof choice === 'string' && !choice.includes('<|'));
  if (listed.length > 0 && listed.length <= MAX_CHOICES && writable) return oneOf(listed.map((choice) => constant(choice as string)));
  const bounded = boundedText(property);
  return bounded === null ? anyText([CLOSE]) : regex(bounded);
}

const ANY_ARGUMENT: Tag = tag(`${OPEN}argument `, sequence(regex('[^<]*<\\|sep\\|>'), anyText([CLOSE])), ARGUMENT_END);

/** A property of several types or none is left free, so that no valid call is refused. */
function argument(key: string, property: unknown, definitions: readonly [string, unknown][]): Tag {
  const type = ATTRIBUTE_TYPES.get(member(property, 'type'));
  if (type === undefined) return ANY_ARGUMENT;
  const begin = `${OPEN}argument key="${attribute(key)}" type="${type}"${SEP}`;
  if (type === 'string') return tag(begin, textValue(property), ARGUMENT_END);
  const own = new Map(members(property));
  for (const [name, value] of definitions) if (!own.has(name)) own.set(name, value);
  return tag(begin, jsonSchema(own), ARGUMENT_END);
}

function argumentList(schema: unknown): Format {
  const properties = members(member(schema, 'properties'));
  if (properties.length === 0) return star(ANY_ARGUMENT);
  const definitions = ['$defs', 'definitions']
    .map((name): [string, unknown] => [name, member(schema, name)])
    .filter(([, value]) => isObject(value));
  const content = oneOf(properties.map(([key, property]) => argument(key, property, definitions)));
  return items(member(schema, 'required')).length > 0 ? plus(content) : star(content);
}

function call({ name, schema }: GrammarTool): Tag {
  const content = sequence(regex('[0-9]+'), constant(`"${SEP}`), argumentList(schema));
  return tag(`${OPEN}call tool="${attribute(name)}" index="`, content, `${CLOSE}call${SEP}`);
}

export const kimiK3: ToolGrammar = (tools, mode) => {
  const calls = tag(`${OPEN}tools${SEP}`, tagList(tools.map(call)), `${CLOSE}tools${SEP}`);
  return sequence(
    // In thinking mode the model opens the channel itself, else the prompt has.
    optional(constant(`${OPEN}response${SEP}`)),
    tag('', anyText([OPEN, CLOSE, '<|end_of_msg|>']), `${CLOSE}response${SEP}`),
    mode === 'auto' ? optional(calls) : calls,
    optional(constant(`${CLOSE}message${SEP}`)),
  );
};

import { dumps, tryLoads } from '../../core/python-json.ts';
import type { PythonValue } from '../../core/python-json.ts';
import type { ParserContext, ToolCall, ToolFormat } from '../../core/stream-parser.ts';
import { elementsOf } from '../family/elements.ts';
import { createHeldBlocks, heldBlocksState } from '../family/held-blocks.ts';
import type { HeldBlocks } from '../family/held-blocks.ts';
import { integerOfText, numberOfText } from '../family/python-number-text.ts';
import { isRecord, ownMember } from '../family/schema-coercion.ts';
import { strip, stripStart } from '../family/white-space.ts';

/*
 * <dots_function_call>
 * <invoke name="get_weather">
 * <parameter name="city">Oslo</parameter>
 * </invoke>
 * </dots_function_call>
 *
 * Written by dots.llm; a block may hold a JSON object with name and arguments instead. Specified by the chat template.
 *
 * As in the reference: calls come together once their block is closed; a value is read as its schema's first type says; calls of unknown
 * functions are left out; a block cut off inside a call is dropped; in complete answers content is stripped. On purpose unlike it: a block in
 * which no call can be read stays content with its markers in streams too.
 */

const INVOKE = /<invoke\s+name\s*=\s*([^<>]+)>/g;
const PARAMETER = /<parameter\s+name\s*=\s*([^<>]+)>/g;
const MAX_REFERENCES = 10;

function nameOf(written: string): string {
  const name = strip(written);
  const quote = name[0];
  return name.length >= 2 && (quote === '"' || quote === "'") && name.endsWith(quote) ? name.slice(1, -1) : name;
}

/** The first type that a schema names, through references and choices; null where there is none. */
function typeOf(schema: unknown, definitions: unknown, depth = 0): unknown {
  if (!isRecord(schema) || depth > MAX_REFERENCES) return null;
  if ('type' in schema) return schema['type'];
  const { $ref: reference } = schema;
  if (typeof reference === 'string' && reference.startsWith('#/$defs/')) {
    const name = reference.slice(reference.lastIndexOf('/') + 1);
    return typeOf(isRecord(definitions) ? ownMember(definitions, name) : null, definitions, depth + 1);
  }
  for (const choices of [schema['anyOf'], schema['oneOf'], schema['allOf']]) {
    for (const choice of Array.isArray(choices) ? choices : []) {
      const type = isRecord(choice) && choice['type'] === 'null' ? null : typeOf(choice, definitions, depth + 1);
      if (type !== null) return type;
    }
  }
  return null;
}

function valueOf(text: string, type: unknown): PythonValue {
  const lower = text.toLowerCase();
  if (lower === 'null') return null;
  const first: unknown = Array.isArray(type) ? (type.find((name) => name !== 'null') ?? 'string') : type;
  switch (String(first).toLowerCase()) {
    case 'string':
    case 'str':
    case 'text':
      return text;
    case 'integer':
    case 'int':
      return integerOfText(text) ?? text;
    case 'number':
    case 'float':
      return numberOfText(text) ?? text;
    case 'boolean':
    case 'bool':
      return lower === 'true' || lower === '1';
    default:
      return tryLoads(text) ?? text;
  }
}

function readInvoke(name: string, body: string, { tools }: ParserContext): ToolCall {
  const schema = tools.find((tool) => tool.name === name)?.parameters ?? {};
  const properties = isRecord(schema['properties']) ? schema['properties'] : {};
  const values = new Map<string, PythonValue>();
  for (const { groups, body: value } of elementsOf(body, PARAMETER, '</parameter>')) {
    const parameter = nameOf(groups[0] ?? '');
    const type = Object.hasOwn(properties, parameter) ? (typeOf(properties[parameter], schema['$defs']) ?? 'string') : 'string';
    values.set(parameter, valueOf(strip(value), type || 'string'));
  }
  return { name, arguments: dumps(values) };
}

function readObject(json: string): ToolCall[] | null {
  const object = tryLoads(json);
  if (!(object instanceof Map)) return null;
  const name = object.get('name');
  const values = object.has('arguments') ? object.get('arguments') : object.get('parameters');
  const isEmpty = !values || (Array.isArray(values) && values.length === 0);
  if (typeof name !== 'string' || !(isEmpty || values instanceof Map)) return null;
  return [{ name, arguments: isEmpty ? '{}' : dumps(values ?? null) }];
}

/** The calls of known functions in a block. Nothing at all is no call; so is a block in which nothing can be read, but that is shown. */
function readBlock(block: string, context: ParserContext): ToolCall[] | null {
  const text = strip(block);
  if (text === '') return [];
  const calls = text.startsWith('<invoke')
    ? elementsOf(text, INVOKE, '</invoke>').map(({ groups, body }) => readInvoke(nameOf(groups[0] ?? ''), body, context))
    : readObject(text);
  const known = calls?.filter(({ name }) => context.tools.some((tool) => tool.name === name)) ?? [];
  return known.length > 0 ? known : null;
}

/** Whether a block was cut off inside a call. */
function endsInCall(block: string): boolean {
  const text = stripStart(block);
  const rest = text.split('</invoke>').at(-1) ?? '';
  return text.startsWith('{') || rest.includes('<invoke');
}

export const dots: ToolFormat<HeldBlocks> = {
  kind: 'tool',
  name: 'dots',
  aliases: [],
  models: 'dots.llm',
  sample: '<dots_function_call>\n<invoke name="get_weather">\n<parameter name="city">Oslo</parameter>\n</invoke>\n</dots_function_call>',
  stateVersion: 1,
  stateSchema: heldBlocksState,
  create: (context) =>
    createHeldBlocks({
      open: '<dots_function_call>',
      close: '</dots_function_call>',
      toCalls: (block) => readBlock(block, context),
      json: true,
      once: false,
      keepsCut: (block) => !endsInCall(block),
    }),
  forcedChoice: 'markup',
  whenNone: 'content',
  callDeltas: 'empty-apart',
  complete(answer) {
    if (answer.toolCalls.length > 0) answer.content = strip(answer.content ?? '') || null;
  },
};

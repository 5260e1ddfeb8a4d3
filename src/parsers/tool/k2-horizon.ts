import { z } from 'zod';
import { badRequest } from '../../core/errors.ts';
import { dumps, tryLoads } from '../../core/python-json.ts';
import type { PythonValue } from '../../core/python-json.ts';
import type { EventSink, ParserContext, Piece, StreamParser, ToolCall, ToolFormat } from '../../core/stream-parser.ts';
import { elementsOf } from '../family/elements.ts';
import { createHeldBlocks, heldBlocksState } from '../family/held-blocks.ts';
import type { HeldBlocks } from '../family/held-blocks.ts';
import { coerceText, isFiniteValue, isRecord, ownMember, propertiesOf, typesOfSchema } from '../family/schema-coercion.ts';
import { isBlank, strip } from '../family/white-space.ts';

/*
 * <ifm|tool_calls>
 * <ifm|tool_call>get_weather
 * <ifm|arg_key>city</ifm|arg_key><ifm|arg_value>Oslo</ifm|arg_value>
 * </ifm|tool_call>
 * </ifm|tool_calls>
 *
 * Written by K2 Horizon. The template argument `tool_call_format` chooses between this (`xml`), the same with a type for each argument
 * (`xml_typed`: <ifm|arg_type>integer</ifm|arg_type> before the value) and an object with name and arguments in each call (`json`);
 * anything else is refused with a 400. Specified by the chat template.
 *
 * As in the reference: the calls come together once the group is closed; a group with anything wrong in it, an unknown function included,
 * is content as a whole; white space around calls is no content. Nothing differs on purpose.
 */

const CALL = /<ifm\|tool_call>/g;
const ARGUMENT = /<ifm\|arg_key>([^<]*)<\/ifm\|arg_key>\s*(?:<ifm\|arg_type>([^<]*)<\/ifm\|arg_type>\s*)?<ifm\|arg_value>/g;
const ARGUMENT_KEY = '<ifm|arg_key>';
const ARGUMENT_MARKER = /<\/?ifm\|arg_(?:key|type|value)>/;
const FORMATS: readonly unknown[] = ['json', 'xml', 'xml_typed'];

interface K2HorizonState {
  blocks: HeldBlocks;
  /** White space, while there was no text. */
  blank: string;
  said: boolean;
}

const stateSchema: z.ZodType<K2HorizonState> = z.object({ blocks: heldBlocksState, blank: z.string(), said: z.boolean() });

/** The value of an argument: as its schema says, or its written type where there is no schema or a choice of types. */
function argumentValue(text: string, schema: unknown, writtenType: string | null): PythonValue {
  const written = writtenType ? strip(writtenType.split('[', 1)[0] ?? '').toLowerCase() : null;
  let types = [...typesOfSchema(schema)];
  if (isRecord(schema)) {
    if (written !== null && types.includes(written) && types.length > 1) types = [written];
  } else if (written === 'any') {
    return text;
  } else if (written) {
    types = [written];
  }
  return coerceText(types.includes('string') ? text : strip(text), { type: types });
}

function xmlArguments(body: string, properties: Readonly<Record<string, unknown>>, typed: boolean): Map<string, PythonValue> | null {
  const values = new Map<string, PythonValue>();
  let position = 0;
  for (const { groups, body: value, from, to } of elementsOf(body, ARGUMENT, '</ifm|arg_value>')) {
    const [key = '', type] = groups;
    const name = strip(key);
    if (!isBlank(body.slice(position, from)) || name === '' || values.has(name)) return null;
    if (typed ? !strip(type ?? '') : type !== undefined) return null;
    values.set(name, argumentValue(value, ownMember(properties, name), type === undefined ? null : strip(type)));
    position = to;
  }
  return position === 0 || !isBlank(body.slice(position)) ? null : values;
}

function jsonArguments(value: PythonValue, properties: Readonly<Record<string, unknown>>): Map<string, PythonValue> | null {
  if (!(value instanceof Map)) return null;
  return new Map(
    Array.from(value, ([key, member]) => {
      const schema = ownMember(properties, key);
      return [key, isRecord(schema) ? coerceText(typeof member === 'string' ? member : dumps(member), schema) : member];
    }),
  );
}

function readCall(body: string, format: string, { tools, toolChoice }: ParserContext): ToolCall | null {
  const object = format === 'json' ? tryLoads(strip(body)) : undefined;
  if (format === 'json' && !(object instanceof Map)) return null;
  const at = body.indexOf(ARGUMENT_KEY);
  const name = object instanceof Map ? object.get('name') : strip(at === -1 ? body : body.slice(0, at));
  if (typeof name !== 'string' || name === '' || /\s/.test(name)) return null;
  if (tools.length > 0 && !tools.some((tool) => tool.name === name)) return null;
  if (toolChoice !== null && typeof toolChoice === 'object' && toolChoice.name !== name) return null;
  const properties = propertiesOf(tools, name);
  let values: Map<string, PythonValue> | null;
  if (object instanceof Map) values = jsonArguments(object.get('arguments') ?? (object.has('arguments') ? null : new Map()), properties);
  else if (at === -1) values = ARGUMENT_MARKER.test(body) ? null : new Map();
  else values = xmlArguments(body.slice(at), properties, format === 'xml_typed');
  return values && isFiniteValue(values) ? { name, arguments: dumps(values) } : null;
}

function readGroup(group: string, format: string, context: ParserContext): ToolCall[] | null {
  const elements = elementsOf(group, CALL, '</ifm|tool_call>');
  const ends = [0, ...elements.map(({ to }) => to)];
  const starts = [...elements.map(({ from }) => from), group.length];
  if (elements.length === 0 || ends.some((end, index) => !isBlank(group.slice(end, starts[index])))) return null;
  const calls = elements.map(({ body }) => readCall(body, format, context));
  return calls.every((call) => call !== null) ? calls : null;
}

function create(context: ParserContext): StreamParser<K2HorizonState> {
  const format = context.chatTemplateKwargs['tool_call_format'] ?? 'xml';
  if (typeof format !== 'string' || !FORMATS.includes(format)) {
    throw badRequest(`Template argument "tool_call_format" must be one of json, xml, xml_typed.`);
  }
  const parser = createHeldBlocks({
    open: '<ifm|tool_calls>',
    close: '</ifm|tool_calls>',
    toCalls: (group) => readGroup(group, format, context),
    json: false,
    once: true,
    keepsCut: () => true,
  });
  const withoutBlank = (state: K2HorizonState, sink: EventSink): EventSink => ({
    content(text) {
      state.blank += text;
      if (!state.said && isBlank(text)) return;
      state.said = true;
      sink.content(state.blank);
      state.blank = '';
    },
    reasoning: (text) => sink.reasoning(text),
    toolStart: (index, name, id) => sink.toolStart(index, name, id),
    toolArguments: (index, text) => sink.toolArguments(index, text),
    toolEnd: (index) => sink.toolEnd(index),
  });
  return {
    init: (promptTokenIds) => ({ blocks: parser.init(promptTokenIds), blank: '', said: false }),
    push: (state: K2HorizonState, piece: Piece, sink: EventSink) => parser.push(state.blocks, piece, withoutBlank(state, sink)),
    finish: (state: K2HorizonState, sink: EventSink) => parser.finish(state.blocks, withoutBlank(state, sink)),
  };
}

export const k2Horizon: ToolFormat<K2HorizonState> = {
  kind: 'tool',
  name: 'k2_horizon',
  aliases: [],
  models: 'K2 Horizon',
  sample:
    '<ifm|tool_calls>\n<ifm|tool_call>get_weather\n<ifm|arg_key>city</ifm|arg_key><ifm|arg_value>Oslo</ifm|arg_value>\n</ifm|tool_call>\n</ifm|tool_calls>',
  stateVersion: 1,
  stateSchema,
  create,
  forcedChoice: 'markup',
  whenNone: 'content',
  callDeltas: 'merged',
};

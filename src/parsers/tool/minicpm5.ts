import { z } from 'zod';
import { dumps, loads } from '../../core/python-json.ts';
import type { PythonValue } from '../../core/python-json.ts';
import type { EventSink, ParserContext, Piece, StreamParser, ToolCall, ToolFormat } from '../../core/stream-parser.ts';
import { dropBlankContent } from '../family/complete-answer.ts';
import { giveCall } from '../family/held-call.ts';
import { looseJson } from '../family/loose-value.ts';
import { firstMarker, heldTailOf } from '../family/marker-scan.ts';
import { isRecord, ownMember } from '../family/schema-coercion.ts';
import { strip } from '../family/white-space.ts';

/*
 * <function name="get_weather"><param name="city">Oslo</param><param name="code"><![CDATA[a < b]]></param></function>
 *
 * Written by OpenBMB's MiniCPM 5. Specified by the chat template.
 *
 * As in the reference: calls of unknown functions, calls with a parameter twice and calls without one that is required are content;
 * parameters that the function does not have are left out, unless `properties` or `arguments` wraps all of them; what is no string by its
 * schema is JSON, a Python literal or else text; entities are read if the whole is XML. On purpose unlike it: text around calls is content,
 * streams never show the block of a call, a closing tag inside CDATA is text, and functions are not renamed.
 */

const OPEN = '<function';
const CLOSE = '</function>';
const CDATA = '<![CDATA[';
const CDATA_END = ']]>';
const HEAD = /^<function\s*name=(?:"([^"]+)"|'([^']+)')[^>]*>/;
const HEAD_SO_FAR = /^<function(?:$|\s*(?:$|n$|na$|nam$|name$|name=))/;
/** A longer block has a head that is right, or is none to speak of. */
const MAX_HEAD = 50;
const PARAMETER = /<param(?:\s*name=(?:"([^"]+)"|'([^']+)'))?[^>]*>/g;
const PARAMETER_END = '</param>';
const PLAIN_XML = /^(?:[^<&]|&(?:lt|gt|amp|quot|apos|#\d{1,7}|#x[\da-fA-F]{1,6});)*$/;
const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
  ['quot', '"'],
  ['apos', "'"],
]);

interface MinicpmState {
  mode: 'text' | 'block' | 'cdata';
  /** Text that may be the beginning of a marker. */
  held: string;
  /** The block so far. */
  block: string;
  calls: number;
}

const stateSchema: z.ZodType<MinicpmState> = z.object({
  mode: z.enum(['text', 'block', 'cdata']),
  held: z.string(),
  block: z.string(),
  calls: z.int().min(0),
});

/** A value as its parts in and outside of CDATA, in turn, beginning outside. */
function partsOf(value: string): string[] {
  const [first = '', ...sections] = value.split(CDATA);
  return [
    first,
    ...sections.flatMap((section) => {
      const end = section.indexOf(CDATA_END);
      return end === -1 ? [section, ''] : [section.slice(0, end), section.slice(end + CDATA_END.length)];
    }),
  ];
}

function decodeEntities(text: string): string {
  return text.replaceAll(/&(#x?)?([\da-zA-Z]+);/g, (entity, number: string | undefined, name: string) => {
    if (number === undefined) return ENTITIES.get(name) ?? entity;
    const code = Number.parseInt(name, number === '#' ? 10 : 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : entity;
  });
}

interface Parameter {
  /** Null where the tag has none. */
  name: string | null;
  /** Its parts as `partsOf` gives them. */
  parts: string[];
}

/** Where a value ends: at the first closing tag outside of CDATA. */
function valueEnd(block: string, from: number): number {
  for (let at = from; ;) {
    const end = block.indexOf(PARAMETER_END, at);
    const section = block.indexOf(CDATA, at);
    if (section === -1 || end === -1 || end < section) return end;
    const close = block.indexOf(CDATA_END, section);
    if (close === -1) return end;
    at = close + CDATA_END.length;
  }
}

function parametersOf(block: string): Parameter[] {
  const parameters: Parameter[] = [];
  const tag = new RegExp(PARAMETER);
  for (let match = tag.exec(block); match; match = tag.exec(block)) {
    const start = match.index + match[0].length;
    const end = valueEnd(block, start);
    if (end === -1) break;
    parameters.push({ name: match[1] ?? match[2] ?? null, parts: partsOf(block.slice(start, end)) });
    tag.lastIndex = end + PARAMETER_END.length;
  }
  return parameters;
}

/** The texts of the parameters: as XML has them if all of it is XML, else as they stand, without white space around. */
function textsOf(parameters: readonly Parameter[]): string[] {
  const isXml = parameters.every(({ parts }) => parts.every((part, index) => index % 2 === 1 || PLAIN_XML.test(part)));
  return parameters.map(({ parts }) => {
    if (isXml) return parts.map((part, index) => (index % 2 === 1 ? part : decodeEntities(part))).join('');
    const [first = '', section = '', last = '', ...rest] = parts;
    if (parts.length === 3 && first === '' && last === '') return section;
    return strip([first, section, last, ...rest].join(''));
  });
}

function coerced(value: PythonValue, schema: unknown): PythonValue {
  const isText = typeof value === 'string';
  if (isRecord(schema) && schema['type'] === 'string') return isText ? value : dumps(value);
  return isText ? loads(looseJson(value)) : value;
}

function readBlock(block: string, { tools }: ParserContext): ToolCall | null {
  const head = HEAD.exec(block);
  const name = strip(head?.[1] ?? head?.[2] ?? '');
  const tool = tools.find((candidate) => candidate.name === name);
  if (!head || !tool) return null;
  const schemas = tool.parameters ? ownMember(tool.parameters, 'properties') : undefined;
  const properties = isRecord(schemas) ? schemas : {};
  const isOpen = Object.keys(properties).length === 0;
  const known = (key: string): boolean => isOpen || Object.hasOwn(properties, key);
  const values = new Map<string, PythonValue>();
  const parameters = parametersOf(block);
  const texts = textsOf(parameters);
  for (const [index, { name: key }] of parameters.entries()) {
    const text = texts[index] ?? '';
    if (key === null) return null;
    const wraps = (key === 'properties' || key === 'arguments') && !known(key);
    const wrapped = wraps ? loads(looseJson(text)) : new Map<string, PythonValue>([[strip(key), text]]);
    if (!(wrapped instanceof Map) || (wraps && ![...wrapped.keys()].some(known))) return null;
    for (const [member, value] of wrapped) {
      if (!known(member)) continue;
      if (values.has(member)) return null;
      values.set(member, coerced(value, ownMember(properties, member)));
    }
  }
  const required = tool.parameters ? ownMember(tool.parameters, 'required') : undefined;
  if (Array.isArray(required) && !required.every((key) => typeof key !== 'string' || values.has(key))) return null;
  return { name, arguments: dumps(values) };
}

const MARKERS = { text: [OPEN], block: [CDATA, CLOSE], cdata: [CDATA_END] };

function take(state: MinicpmState, text: string, sink: EventSink): void {
  if (state.mode !== 'text') state.block += text;
  else if (text !== '') sink.content(text);
}

/** A marker was read, and stands at the end of the block. */
function readMarker(state: MinicpmState, marker: string, context: ParserContext, sink: EventSink): void {
  if (marker !== CLOSE) {
    state.mode = marker === CDATA ? 'cdata' : 'block';
    return;
  }
  state.mode = 'text';
  const call = readBlock(state.block, context);
  if (call) {
    giveCall(call, state.calls, sink);
    state.calls += 1;
  } else {
    sink.content(state.block);
  }
  state.block = '';
}

/** Text that only begins like a block is content at once. */
function checkHead(state: MinicpmState, rest: string, sink: EventSink): void {
  if (state.mode !== 'block' || state.block.length > MAX_HEAD || HEAD_SO_FAR.test(state.block + rest)) return;
  state.mode = 'text';
  sink.content(state.block);
  state.block = '';
}

function create(context: ParserContext): StreamParser<MinicpmState> {
  return {
    init: () => ({ mode: 'text', held: '', block: '', calls: 0 }),
    push(state: MinicpmState, piece: Piece, sink: EventSink): void {
      let text = state.held + piece.text;
      state.held = '';
      while (text !== '') {
        const markers = MARKERS[state.mode];
        const hit = firstMarker(text, markers);
        const kept = hit ? hit.at : text.length - heldTailOf(text, markers);
        take(state, text.slice(0, kept), sink);
        if (hit) {
          text = text.slice(kept + hit.marker.length);
          state.block += hit.marker;
          readMarker(state, hit.marker, context, sink);
        } else {
          state.held = text.slice(kept);
          text = '';
        }
        checkHead(state, text, sink);
      }
    },
    finish(state: MinicpmState, sink: EventSink): void {
      const rest = state.block + state.held;
      if (rest !== '') sink.content(rest);
    },
  };
}

export const minicpm5: ToolFormat<MinicpmState> = {
  kind: 'tool',
  name: 'minicpm5',
  aliases: [],
  models: 'MiniCPM 5',
  sample: '<function name="get_weather"><param name="city">Oslo</param></function>',
  stateVersion: 1,
  stateSchema,
  create,
  forcedChoice: 'json',
  whenNone: 'content',
  callDeltas: 'merged',
  complete: dropBlankContent,
};

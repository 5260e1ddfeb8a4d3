import { z } from 'zod';
import { dumps, loadsOrText, tryLoads } from '../../core/python-json.ts';
import type { PythonValue } from '../../core/python-json.ts';
import type { ArgumentsReader } from './arguments-reader.ts';
import {
  closeParameter,
  closeWith,
  cutParameters,
  endParameters,
  isInValue,
  openHeld,
  openParameter,
  parameterWriterState,
  startWriter,
  streamsValue,
  writeValue,
} from './parameter-writer.ts';
import type { ParameterWriter, Write } from './parameter-writer.ts';
import { coerceValue, ownMember } from './schema-coercion.ts';
import type { Properties } from './schema-coercion.ts';

export interface DsmlArguments {
  /** An opening tag as far as it has come; null outside of one. */
  tag: string | null;
  /** A value is open; behind the beginning of a tag, until that turns out to be one. */
  open: boolean;
  key: string;
  /** What the value is: text that is written as it comes, JSON, or all arguments in one object. */
  kind: 'text' | 'json' | 'wrapper';
  /** The value's text that is not written yet. */
  pending: string;
  /** A `>` was read in this chunk, and what came with it is not given out. */
  visible: boolean;
  writer: ParameterWriter;
}

/** What ends most opening tags: a marker of the format as well. */
const TAG_END = '">';

const ATTRIBUTES = /^\s+name="([^"]+)"(?:\s+string="([^"]*)")?\s*>$/;

/** Parameters under which models put all arguments of a function that has none of that name. */
const WRAPPERS = ['arguments', 'input'];

/** A longer opening tag is none. */
const MAX_TAG = 1000;

/** Longer text is given out at the end of a chunk anyhow, so that what is held stays small. */
const MAX_PENDING = 512;

/** A longer text is not tried as JSON before it is complete. */
const MAX_EARLY_JSON = 64;

/** The offset behind the bracket that ends a tag, or -1. Quoted brackets are none. */
function tagEnd(tag: string): number {
  let quoted = false;
  for (let at = 0; at < tag.length; at += 1) {
    if (tag[at] === '"') quoted = !quoted;
    else if (tag[at] === '>' && !quoted) return at + 1;
  }
  return -1;
}

/** The value in its schema's types. */
function typed(key: string, value: PythonValue, properties: Properties): PythonValue {
  return Object.hasOwn(properties, key) ? coerceValue(value, ownMember(properties, key)) : value;
}

function writeMember(writer: ParameterWriter, key: string, value: PythonValue, properties: Properties, write: Write): void {
  const member = typed(key, value, properties);
  if (typeof member === 'string' && streamsValue(key, properties)) {
    openParameter(writer, key, properties, write);
    writeValue(writer, member, write);
    closeParameter(writer, properties);
  } else {
    openHeld(writer, key, write);
    closeWith(writer, dumps(member));
  }
}

/** The members of a wrapper, if it holds only parameters of the function. */
function unwrap(text: string, properties: Properties): Map<string, PythonValue> | null {
  const value = tryLoads(text);
  const inner = typeof value === 'string' ? tryLoads(value) : value;
  if (!(inner instanceof Map)) return null;
  return [...inner.keys()].every((key) => Object.hasOwn(properties, key)) ? inner : null;
}

function openValue(state: DsmlArguments, name: string, isText: boolean, properties: Properties, write: Write): void {
  const wraps = WRAPPERS.includes(name) && !Object.hasOwn(properties, name) && Object.keys(properties).length > 0;
  state.open = true;
  state.key = name;
  state.pending = '';
  if (state.writer.mode === 'before' && wraps) state.kind = 'wrapper';
  else state.kind = isText ? 'text' : 'json';
  if (state.kind === 'text') openParameter(state.writer, name, properties, write);
}

function flush(state: DsmlArguments, write: Write): void {
  writeValue(state.writer, state.pending, write);
  state.pending = '';
}

/** The key of a JSON value is given out once the value may be complete, unless it then is a string that comes with its quote. */
function openEarly(state: DsmlArguments, properties: Properties, write: Write): void {
  if (isInValue(state.writer) || state.pending.length > MAX_EARLY_JSON) return;
  const value = tryLoads(state.pending);
  if (value === undefined) return;
  const streams = typeof typed(state.key, value, properties) === 'string' && streamsValue(state.key, properties);
  if (!streams) openHeld(state.writer, state.key, write);
}

function closeValue(state: DsmlArguments, properties: Properties, write: Write): void {
  const { writer, key, pending } = state;
  if (!state.open) return;
  state.open = false;
  if (state.kind === 'text') {
    flush(state, write);
    return closeParameter(writer, properties);
  }
  state.pending = '';
  const members = state.kind === 'wrapper' ? unwrap(pending, properties) : null;
  if (members) for (const [name, value] of members) writeMember(writer, name, value, properties, write);
  else if (isInValue(writer)) closeWith(writer, dumps(typed(key, loadsOrText(pending), properties)));
  else writeMember(writer, key, loadsOrText(pending), properties, write);
}

/**
 * Reads DeepSeek's parameters: `<｜DSML｜parameter name="city" string="true">Bergen</｜DSML｜parameter>`. A value marked `string="true"` is
 * text, any other JSON or, failing that, text. Text is given out whenever a `>` has come, as in the reference. All arguments in one
 * parameter `arguments` or `input` are taken out of it, where the function has none of that name.
 * @param open the beginning of the opening tag, and `close` the closing tag: both are markers of the format, and come whole
 */
export function createDsmlReader(open: string, close: string): ArgumentsReader<DsmlArguments> {
  return {
    stateSchema: z.object({
      tag: z.string().nullable(),
      open: z.boolean(),
      key: z.string(),
      kind: z.enum(['text', 'json', 'wrapper']),
      pending: z.string(),
      visible: z.boolean(),
      writer: parameterWriterState,
    }),
    start: () => ({ tag: null, open: false, key: '', kind: 'text', pending: '', visible: false, writer: startWriter() }),
    push(state, text, properties, write): void {
      if (text === close) closeValue(state, properties, write);
      if (text === open || text === close) {
        state.tag = text === open ? '' : null;
        state.visible = false;
        return;
      }
      let value = text;
      if (state.tag !== null) {
        state.tag += text;
        const end = text.includes('>') ? tagEnd(state.tag) : -1;
        if (end === -1 && state.tag.length <= MAX_TAG) return;
        value = readTag(state, end, properties, write);
      }
      if (state.open) state.pending += value;
      if (text !== TAG_END) state.visible ||= text.includes('>');
      else if (state.open && state.kind === 'text') flush(state, write);
    },
    endChunk(state, properties, write): void {
      const { visible, open: isOpen, kind } = state;
      state.visible = false;
      if (isOpen && kind === 'text' && (visible || state.pending.length > MAX_PENDING)) flush(state, write);
      if (isOpen && kind === 'json' && visible) openEarly(state, properties, write);
    },
    end(state, properties, write): void {
      closeValue(state, properties, write);
      endParameters(state.writer, properties, write);
    },
    cut(state, _tail, properties, write): void {
      if (state.open && state.kind !== 'text' && !isInValue(state.writer)) openHeld(state.writer, state.key, write);
      if (state.open) flush(state, write);
      cutParameters(state.writer, properties, write);
    },
  };

  /** Reads an opening tag. @param end the offset behind it, or -1. @returns the text behind it, all of it where it is no tag */
  function readTag(state: DsmlArguments, end: number, properties: Properties, write: Write): string {
    const tag = state.tag ?? '';
    state.tag = null;
    const attributes = end === -1 ? null : ATTRIBUTES.exec(tag.slice(0, end));
    if (attributes?.[1] === undefined) return open + tag;
    closeValue(state, properties, write);
    openValue(state, attributes[1], attributes[2] === 'true', properties, write);
    return tag.slice(end);
  }
}

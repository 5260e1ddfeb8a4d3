import { z } from 'zod';
import type { ArgumentsReader } from './arguments-reader.ts';
import {
  closeParameter,
  cutParameters,
  endParameters,
  openParameter,
  parameterWriterState,
  startWriter,
  writeValue,
} from './parameter-writer.ts';
import type { ParameterWriter, Write } from './parameter-writer.ts';
import type { Properties } from './schema-coercion.ts';
import { readTag } from './spaced-tag.ts';
import type { SpacedTag } from './spaced-tag.ts';
import { strip, stripStart } from './white-space.ts';

/** How a dialect writes a parameter: `<parameter=city>Bergen</parameter>`, say. */
export interface XmlDialect {
  /** The beginning of the opening tag, up to where the name begins. */
  open: SpacedTag;
  close: SpacedTag;
  /** The length of the opening tag's rest, name and closing bracket included; null while it is not complete. */
  tagLength(rest: string): number | null;
  /** The name in that rest; null for a tag that names no parameter. */
  nameOf(rest: string): string | null;
  /** Markers that are text in a value, although outside of one they end the call: in place of the one that should, if `likely-end`. */
  doubtfulMarkers: ReadonlyMap<string, 'likely-end' | null>;
  /** One newline behind the opening tag and one in front of the closing one belong to the markup. */
  trimsNewlines: boolean;
}

export interface XmlParameters {
  mode: 'outside' | 'tag' | 'value';
  /** Text that may belong to a tag, or the rest of an opening tag as far as it has come. */
  held: string;
  /** In a value: nothing of it has come; a newline that may be its last is kept back. */
  fresh: boolean;
  newline: boolean;
  writer: ParameterWriter;
}

const xmlParametersState: z.ZodType<XmlParameters> = z.object({
  mode: z.enum(['outside', 'tag', 'value']),
  held: z.string(),
  fresh: z.boolean(),
  newline: z.boolean(),
  writer: parameterWriterState,
});

/** Names longer than this are no names: the tag is text. */
const MAX_TAG = 1000;

/** `=name>`: all up to the bracket, without white space in front. */
export const EQUALS_NAME: Pick<XmlDialect, 'tagLength' | 'nameOf'> = {
  tagLength(rest) {
    const end = rest.indexOf('>');
    return end === -1 ? null : end + 1;
  },
  nameOf: (rest) => stripStart(rest.slice(0, -1)),
};

const QUOTED = /^\s*(?:"([^"]*)"|'([^']*)'|([^>\s]+))\s*>$/;

/** `"name">`: between quotes, or without them up to the bracket. */
export const QUOTED_NAME: Pick<XmlDialect, 'tagLength' | 'nameOf'> = {
  tagLength(rest) {
    const quote = /^\s*(["'])/.exec(rest);
    const from = quote ? rest.indexOf(quote[1] ?? '', quote[0].length) : 0;
    const end = from === -1 ? -1 : rest.indexOf('>', from);
    return end === -1 ? null : end + 1;
  },
  nameOf(rest) {
    const match = QUOTED.exec(rest);
    return strip(match?.[1] ?? match?.[2] ?? match?.[3] ?? '') || null;
  },
};

/** Reads parameters written as XML-like elements. A value ends at its closing tag, or where the next parameter begins. */
export function createXmlReader(dialect: XmlDialect): ArgumentsReader<XmlParameters> {
  const { trimsNewlines } = dialect;

  const value = (state: XmlParameters, text: string, write: Write): void => {
    if (text === '') return;
    let rest = text;
    if (trimsNewlines) {
      if (state.fresh && rest.startsWith('\n')) rest = rest.slice(1);
      else if (state.newline) rest = `\n${rest}`;
      state.newline = rest.endsWith('\n');
      if (state.newline) rest = rest.slice(0, -1);
    }
    state.fresh = false;
    writeValue(state.writer, rest, write);
  };

  /** Reads as far as one tag; answers what is left to read, or null where the rest is held. */
  const step = (state: XmlParameters, text: string, properties: Properties, write: Write): string | null => {
    if (state.mode === 'tag') {
      const length = dialect.tagLength(text);
      if (length === null) {
        state.held = text.length > MAX_TAG ? '' : text;
        if (text.length > MAX_TAG) state.mode = 'outside';
        return null;
      }
      const name = dialect.nameOf(text.slice(0, length));
      state.mode = name === null ? 'outside' : 'value';
      state.fresh = true;
      state.newline = false;
      if (name !== null) openParameter(state.writer, name, properties, write);
      return text.slice(length);
    }
    const inValue = state.mode === 'value';
    for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', at + 1)) {
      const opened = readTag(text, at, dialect.open);
      const closed = inValue ? readTag(text, at, dialect.close) : null;
      if (opened === null && closed === null) continue;
      if (inValue) value(state, text.slice(0, at), write);
      if (typeof opened !== 'number' && typeof closed !== 'number') {
        state.held = text.slice(at);
        return null;
      }
      if (inValue) closeParameter(state.writer, properties);
      state.mode = typeof opened === 'number' ? 'tag' : 'outside';
      return text.slice(typeof opened === 'number' ? opened : Number(closed));
    }
    if (inValue) value(state, text, write);
    return null;
  };

  return {
    stateSchema: xmlParametersState,
    start: () => ({ mode: 'outside', held: '', fresh: false, newline: false, writer: startWriter() }),
    push(state, text, properties, write): void {
      let rest: string | null = state.held + text;
      state.held = '';
      while (rest !== null && rest !== '') rest = step(state, rest, properties, write);
    },
    quotes(state, marker) {
      const doubt = dialect.doubtfulMarkers.get(marker);
      return doubt !== undefined && state.mode === 'value' ? 'text' : (doubt ?? null);
    },
    end(state, properties, write): void {
      if (state.mode === 'value') value(state, state.held, write);
      endParameters(state.writer, properties, write);
    },
    cut(state, _tail, properties, write): void {
      cutParameters(state.writer, properties, write);
    },
  };
}

import { z } from 'zod';
import { dumps } from '../../core/python-json.ts';
import type { ArgumentsReader } from './arguments-reader.ts';
import { GEMMA_QUOTE, gemmaBareValue, gemmaContainerValue, gemmaKey } from './gemma-values.ts';
import { heldTail } from './marker-scan.ts';
import {
  closeParameter,
  closeWith,
  endParameters,
  openHeld,
  openParameter,
  parameterWriterState,
  startWriter,
  streamsValue,
  writeValue,
} from './parameter-writer.ts';
import type { ParameterWriter, Write } from './parameter-writer.ts';
import { ownMember } from './schema-coercion.ts';
import type { Properties } from './schema-coercion.ts';
import { isBlank, strip, stripEnd } from './white-space.ts';

export interface GemmaArguments {
  mode: 'key' | 'value' | 'string' | 'object' | 'list' | 'bare';
  key: string;
  /** A key, value or container as far as it has come; in a string the end of it that may not belong to it. */
  held: string;
  /** How far that was looked at. */
  at: number;
  /** In a container: its open brackets, and whether the place looked at is inside a string. */
  depth: number;
  quoted: boolean;
  /** Parentheses so far. */
  opens: number;
  closes: number;
  writer: ParameterWriter;
}

const gemmaArgumentsState: z.ZodType<GemmaArguments> = z.object({
  mode: z.enum(['key', 'value', 'string', 'object', 'list', 'bare']),
  key: z.string(),
  held: z.string(),
  at: z.int().min(0),
  depth: z.int().min(0),
  quoted: z.boolean(),
  opens: z.int().min(0),
  closes: z.int().min(0),
  writer: parameterWriterState,
});

function count(text: string, c: string): number {
  let found = 0;
  for (let at = text.indexOf(c); at !== -1; at = text.indexOf(c, at + 1)) found += 1;
  return found;
}

/** A text without what may close the call behind it: a brace, or a parenthesis that was not opened. */
function withoutCloser(text: string, { opens, closes }: GemmaArguments): string {
  return text.endsWith('}') || (text.endsWith(')') && closes > opens) ? text.slice(0, -1) : text;
}

/** Reads on in `held`. */
class Reading {
  private readonly state: GemmaArguments;
  private readonly properties: Properties;
  private readonly write: Write;

  constructor(state: GemmaArguments, properties: Properties, write: Write) {
    this.state = state;
    this.properties = properties;
    this.write = write;
  }

  /** Reads one thing. @returns whether there may be more to read */
  step(): boolean {
    switch (this.state.mode) {
      case 'key':
        return this.readKey();
      case 'value':
        return this.startValue();
      case 'string':
        return this.readString();
      case 'bare':
        return this.readBare();
      default:
        return this.readContainer();
    }
  }

  /** The call is complete, or cut off: so is the open value. */
  end(): void {
    const { state, properties, write } = this;
    if (state.mode === 'object' || state.mode === 'list') this.closeContainer(state.held);
    else if (state.mode === 'value' || state.mode === 'bare') this.giveBare(strip(withoutCloser(stripEnd(state.held), state)));
    endParameters(state.writer, properties, write);
  }

  private readKey(): boolean {
    const { state } = this;
    if (state.at === 0) state.held = state.held.replace(/^[ ,\n\t]+/, '');
    const { held } = state;
    const colon = held.indexOf(':', state.at);
    state.at = colon === -1 ? held.length : 0;
    if (colon === -1) return false;
    state.key = gemmaKey(held.slice(0, colon));
    state.held = held.slice(colon + 1);
    state.mode = 'value';
    return true;
  }

  private startValue(): boolean {
    const { state, properties, write } = this;
    state.held = state.held.replace(/^[ \n\t]+/, '');
    const { held } = state;
    if (held.startsWith(GEMMA_QUOTE)) {
      openParameter(state.writer, state.key, properties, write);
      state.mode = 'string';
      state.held = held.slice(GEMMA_QUOTE.length);
    } else if (held === '' || GEMMA_QUOTE.startsWith(held)) {
      return false;
    } else if (held.startsWith('{') || held.startsWith('[')) {
      openHeld(state.writer, state.key, write);
      state.mode = held.startsWith('{') ? 'object' : 'list';
      state.depth = 0;
      state.quoted = false;
    } else {
      state.mode = 'bare';
    }
    return true;
  }

  private readString(): boolean {
    const { state, properties, write } = this;
    const { held, writer } = state;
    const end = held.indexOf(GEMMA_QUOTE);
    let visible = held.slice(0, Math.max(end, 0));
    if (end === -1) {
      const text = withoutCloser(stripEnd(held), state);
      visible = text.slice(0, text.length - heldTail(text, GEMMA_QUOTE));
    }
    writeValue(writer, visible, write);
    if (end === -1) {
      state.held = held.slice(visible.length);
      return false;
    }
    closeParameter(writer, properties);
    return this.toKey(held.slice(end + GEMMA_QUOTE.length));
  }

  private readBare(): boolean {
    const { state } = this;
    const { held } = state;
    while (state.at < held.length && !',]}'.includes(held.charAt(state.at))) state.at += 1;
    // A brace mostly closes the call: as in the reference, the last value is given out with the end.
    if (state.at === held.length || (held[state.at] === '}' && isBlank(held.slice(state.at + 1)))) return false;
    this.giveBare(strip(held.slice(0, state.at)));
    return this.toKey(held.slice(state.at + 1));
  }

  private readContainer(): boolean {
    const { state } = this;
    const { held } = state;
    const [open, close] = state.mode === 'object' ? ['{', '}'] : ['[', ']'];
    let { at } = state;
    for (; at < held.length; at += 1) {
      if (held[at] === GEMMA_QUOTE[0]) {
        if (held.startsWith(GEMMA_QUOTE, at)) {
          state.quoted = !state.quoted;
          at += GEMMA_QUOTE.length - 1;
        } else if (GEMMA_QUOTE.startsWith(held.slice(at))) break;
      } else if (state.quoted) {
        continue;
      } else if (held[at] === open) {
        state.depth += 1;
      } else if (held[at] === close) {
        state.depth -= 1;
        if (state.depth > 0) continue;
        this.closeContainer(held.slice(0, at + 1));
        return this.toKey(held.slice(at + 1));
      }
    }
    state.at = at;
    return false;
  }

  private closeContainer(text: string): void {
    closeWith(this.state.writer, dumps(gemmaContainerValue(text, this.schema())));
  }

  private giveBare(text: string): void {
    const { state, properties, write } = this;
    const { writer, key } = state;
    const value = gemmaBareValue(text, this.schema());
    if (typeof value === 'string' && streamsValue(key, properties)) {
      openParameter(writer, key, properties, write);
      writeValue(writer, value, write);
      closeParameter(writer, properties);
    } else {
      openHeld(writer, key, write);
      closeWith(writer, dumps(value));
    }
  }

  private schema(): unknown {
    return ownMember(this.properties, this.state.key);
  }

  private toKey(rest: string): boolean {
    this.state.held = rest;
    this.state.at = 0;
    this.state.mode = 'key';
    return rest !== '';
  }
}

/**
 * Arguments as Gemma 4 writes them: `city:<|"|>Bergen<|"|>,days:2,tags:[<|"|>a<|"|>]`, with a closing brace or parenthesis. Strings that
 * stay strings are given out as they come.
 */
export const gemmaArguments: ArgumentsReader<GemmaArguments> = {
  stateSchema: gemmaArgumentsState,
  start: () => ({ mode: 'key', key: '', held: '', at: 0, depth: 0, quoted: false, opens: 0, closes: 0, writer: startWriter() }),
  push(state, text, properties, write): void {
    state.held += text;
    if (state.mode === 'string' && isBlank(text)) return;
    state.opens += count(text, '(');
    state.closes += count(text, ')');
    const reading = new Reading(state, properties, write);
    while (reading.step()) continue;
  },
  quotes: (state) =>
    state.mode === 'string' || ((state.mode === 'object' || state.mode === 'list') && state.quoted) ? 'likely-text' : null,
  end: (state, properties, write) => new Reading(state, properties, write).end(),
  cut: (state, tail, properties, write) => {
    gemmaArguments.push(state, tail, properties, write);
    new Reading(state, properties, write).end();
  },
};

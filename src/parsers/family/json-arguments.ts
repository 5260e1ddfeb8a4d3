import { z } from 'zod';
import { tryLoads } from '../../core/python-json.ts';
import type { ArgumentsReader } from './arguments-reader.ts';
import { coerceWritten, mayBecomeOther, mayChangeType, schemaAt, unquoteArguments } from './json-coercion.ts';
import type { Write } from './parameter-writer.ts';
import { streamsValue } from './parameter-writer.ts';
import { isUntyped } from './schema-coercion.ts';
import type { Properties } from './schema-coercion.ts';

/**
 * Arguments that a model writes as JSON. They are given out as written, but for strings, numbers and words that their schema may want
 * otherwise: those are held until they are complete. What is no JSON is given out as it is.
 */
export interface JsonArguments {
  /**
   * `value`: in front of a value; `member`: in front of a key; `key`: inside one; `colon`: behind it; `string`, `word`: inside a value
   * that is written as it comes; `held-string`, `held-word`: inside one that is held; `after`: behind a value; `done`: behind all;
   * `broken`: in what is no JSON.
   */
  mode: 'value' | 'member' | 'key' | 'colon' | 'string' | 'word' | 'held-string' | 'held-word' | 'after' | 'done' | 'broken';
  /** Open objects by the key read last, and lists by null. */
  path: (string | null)[];
  /** The last unit was a backslash inside a string. */
  escaped: boolean;
  /** A key as far as it has come, a held value, or all since the outermost value's end. */
  held: string;
  /** What waits for the next key; null where nothing has to. */
  late: string | null;
}

export const jsonArgumentsState: z.ZodType<JsonArguments> = z.object({
  mode: z.enum(['value', 'member', 'key', 'colon', 'string', 'word', 'held-string', 'held-word', 'after', 'done', 'broken']),
  path: z.array(z.string().nullable()),
  escaped: z.boolean(),
  held: z.string(),
  late: z.string().nullable(),
});

const SPACE = /[ \t\n\r]/;
const WORD = /[-+.\w]/;

/** Reads one text of one call's arguments. */
class Reading {
  private readonly state: JsonArguments;
  private readonly properties: Properties;
  private readonly rules: JsonReaderRules;
  private out = '';

  constructor(state: JsonArguments, properties: Properties, rules: JsonReaderRules) {
    this.state = state;
    this.properties = properties;
    this.rules = rules;
  }

  /** @returns what to give out */
  read(text: string): string {
    let at = 0;
    while (at < text.length) at = this.step(text, at);
    return this.out;
  }

  private step(text: string, at: number): number {
    const { state } = this;
    const c = text.charAt(at);
    switch (state.mode) {
      case 'string':
      case 'held-string':
      case 'key':
        return this.inString(text, at);
      case 'word':
      case 'held-word':
        if (WORD.test(c)) return this.inWord(c, at);
        if (state.mode === 'held-word') this.settle();
        this.endValue();
        return at;
      case 'broken':
        this.write(text.slice(at));
        return text.length;
      case 'done':
        if (SPACE.test(c)) state.held += c;
        else this.break(state.held + c);
        return at + 1;
      default:
        if (SPACE.test(c)) {
          if (state.path.length > 0) this.write(c);
        } else this.structure(c);
        return at + 1;
    }
  }

  private structure(c: string): void {
    const { state } = this;
    const top = state.path.at(-1);
    if (state.mode === 'value' && c !== ']') return this.startValue(c);
    if (state.mode === 'member' && c === '"') {
      state.mode = 'key';
      state.held = '';
      return this.write(c);
    }
    if (state.mode === 'colon' && c === ':') {
      if (state.path.length === 1) this.catchUp();
      state.mode = 'value';
      return this.write(c);
    }
    if (state.mode === 'after' && c === ',') {
      state.mode = top === null ? 'value' : 'member';
      return this.write(c);
    }
    if ((c === '}' && typeof top === 'string') || (c === ']' && top === null)) return this.close(c);
    this.break(c);
  }

  private startValue(c: string): void {
    const { state } = this;
    const { path } = state;
    const schema = this.schema();
    const streams = c === '"' && streamsValue(path[0] ?? '', this.properties);
    if (this.rules.waits && path.length === 1 && !streams) state.late = '';
    if (c === '{' || c === '[') {
      path.push(c === '{' ? '' : null);
      state.mode = c === '{' ? 'member' : 'value';
      return this.write(c);
    }
    if (c !== '"' && !WORD.test(c)) return this.break(c);
    // Arguments that are a string as a whole are taken out of it.
    const holds = c === '"' ? path.length === 0 || mayBecomeOther('', schema) : mayChangeType(c, schema);
    state.held = holds ? c : '';
    if (c === '"') state.mode = holds ? 'held-string' : 'string';
    else state.mode = holds ? 'held-word' : 'word';
    if (!holds) this.write(c);
  }

  private inString(text: string, at: number): number {
    const { state } = this;
    let end = at;
    let closed = false;
    for (; end < text.length && !closed; end += 1) {
      if (state.escaped) state.escaped = false;
      else if (text[end] === '\\') state.escaped = true;
      else closed = text[end] === '"';
    }
    const part = text.slice(at, end);
    if (state.mode === 'held-string') this.holdString(part, closed);
    else if (state.mode === 'key') this.inKey(part, closed);
    else {
      this.write(closed ? part.slice(0, -1) : part);
      if (closed) {
        if (this.rules.waits && state.path.length === 1) state.late ??= '';
        this.write('"');
        this.endValue();
      }
    }
    return end;
  }

  private inKey(part: string, closed: boolean): void {
    const { state } = this;
    this.write(part);
    state.held += part;
    if (!closed) return;
    const key = tryLoads(`"${state.held}`);
    state.path[state.path.length - 1] = typeof key === 'string' ? key : '';
    state.held = '';
    state.mode = 'colon';
  }

  private holdString(part: string, closed: boolean): void {
    const { state } = this;
    state.held += part;
    if (closed) {
      this.settle();
      this.endValue();
    } else if (state.path.length > 0 && !mayBecomeOther(state.held.slice(1), this.schema())) {
      this.write(state.held);
      state.held = '';
      state.mode = 'string';
    }
  }

  private inWord(c: string, at: number): number {
    if (this.state.mode === 'held-word') this.state.held += c;
    else this.write(c);
    return at + 1;
  }

  /** The schema of the value being read. */
  private schema(): unknown {
    const schema = schemaAt(this.state.path, this.properties);
    return this.rules.keepsUntyped && isUntyped(schema) ? undefined : schema;
  }

  /** The held value is complete. */
  private settle(): void {
    const { state } = this;
    const { path, held } = state;
    state.held = '';
    if (path.length === 0) this.write(unquoteArguments(held, this.properties));
    else this.write(coerceWritten(held, this.schema()));
  }

  private endValue(): void {
    this.state.mode = this.state.path.length === 0 ? 'done' : 'after';
  }

  private close(c: string): void {
    const { state } = this;
    state.path.pop();
    this.endValue();
    // What closes the whole is held back: it may turn out not to.
    if (state.mode === 'done') state.held = c;
    else this.write(c);
  }

  private break(text: string): void {
    const { state } = this;
    state.mode = 'broken';
    state.held = '';
    state.path = [];
    this.catchUp();
    this.write(text);
  }

  private catchUp(): void {
    this.out += this.state.late ?? '';
    this.state.late = null;
  }

  private write(text: string): void {
    if (this.state.late === null) this.out += text;
    else this.state.late += text;
  }
}

export interface JsonReaderRules {
  /** What is no string is given out with the next key, or the end; else all is given out at once. */
  waits: boolean;
  /** What markers are inside strings. */
  quotes: 'likely-text' | null;
  /** Numbers and words of parameters without a type stay as they are; else they become strings. */
  keepsUntyped?: boolean;
}

export function createJsonReader(rules: JsonReaderRules): ArgumentsReader<JsonArguments> {
  const { waits, quotes } = rules;
  const finish = (state: JsonArguments, tail: string, write: Write): void => {
    const isEmpty = state.mode === 'value' && state.path.length === 0;
    const held = state.mode === 'done' ? state.held.trimEnd() : state.held;
    const rest = (state.late ?? '') + (state.mode === 'key' ? '' : held) + (state.mode === 'done' ? '' : tail);
    write(isEmpty ? '{}' : rest);
  };
  return {
    stateSchema: jsonArgumentsState,
    typedLater: true,
    start: () => ({ mode: 'value', path: [], escaped: false, held: '', late: waits ? '' : null }),
    push: (state, text, properties, write) => write(new Reading(state, properties, rules).read(text)),
    quotes: (state) => (state.mode === 'string' || state.mode === 'held-string' || state.mode === 'key' ? quotes : null),
    end: (state, _properties, write) => finish(state, '', write),
    cut: (state, tail, _properties, write) => finish(state, tail, write),
  };
}

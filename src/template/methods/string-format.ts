/** `str.format`, as jinja's sandbox has it: attributes and items are looked up as a template looks them up. */
import { checkLength } from '../budget.ts';
import { PythonError, typeError, valueError } from '../errors.ts';
import type { CallState, Keywords } from '../values/callable.ts';
import { Dict } from '../values/dict.ts';
import { formatValue } from '../values/format-spec.ts';
import { escapeHtml } from '../values/markup.ts';
import { asciiRepr } from '../values/percent-format.ts';
import { repr, text } from '../values/repr.ts';
import { Markup, type Value } from '../values/value.ts';

interface Piece {
  readonly literal: string;
  readonly field: string | undefined;
  readonly conversion: string | undefined;
  readonly spec: string;
}

/** @returns the index of the brace that closes the field that begins at `start`. */
function fieldEnd(format: string, start: number): number {
  let depth = 1;
  for (let at = start; at < format.length; at += 1) {
    const character = format[at];
    if (character === '[' && depth === 1) {
      const close = format.indexOf(']', at);
      if (close < 0) break;
      at = close;
    } else if (character === '{') depth += 1;
    else if (character === '}') {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  throw valueError("expected '}' before end of string");
}

function parseField(body: string): Omit<Piece, 'literal'> {
  let end = 0;
  while (end < body.length && body[end] !== ':' && body[end] !== '!') end = body[end] === '[' ? body.indexOf(']', end) + 1 : end + 1;
  const field = body.slice(0, end);
  if (field.includes('{')) throw valueError("unexpected '{' in field name");
  if (body[end] !== '!') return { field, conversion: undefined, spec: body.slice(end + 1) };
  const conversion = body[end + 1];
  if (conversion === undefined) throw valueError('end of string while looking for conversion specifier');
  if (body.length > end + 2 && body[end + 2] !== ':') throw valueError("expected ':' after conversion specifier");
  return { field, conversion, spec: body.slice(end + 3) };
}

function parse(format: string): Piece[] {
  const pieces: Piece[] = [];
  let literal = '';
  for (let at = 0; at < format.length; at += 1) {
    const character = format[at] as string;
    if (character !== '{' && character !== '}') {
      literal += character;
    } else if (format[at + 1] === character) {
      literal += character;
      at += 1;
    } else if (character === '}') {
      throw valueError("Single '}' encountered in format string");
    } else {
      if (at + 1 === format.length) throw valueError("Single '{' encountered in format string");
      const end = fieldEnd(format, at + 1);
      pieces.push({ literal, ...parseField(format.slice(at + 1, end)) });
      literal = '';
      at = end;
    }
  }
  if (literal !== '') pieces.push({ literal, field: undefined, conversion: undefined, spec: '' });
  return pieces;
}

/** One call of `format`: its arguments, and how far automatic numbering has come. */
class Formatting {
  readonly #args: readonly Value[];
  readonly #named: (name: string) => Value | undefined;
  readonly #state: CallState;
  readonly #escape: boolean;
  #nextIndex = 0;
  #numbering: 'automatic' | 'manual' | undefined;

  constructor(args: readonly Value[], named: (name: string) => Value | undefined, state: CallState, escape: boolean) {
    this.#args = args;
    this.#named = named;
    this.#state = state;
    this.#escape = escape;
  }

  format(template: string, nesting: number): string {
    if (nesting < 0) throw valueError('Max string recursion exceeded');
    let out = '';
    for (const { literal, field, conversion, spec } of parse(template)) {
      out += literal;
      if (field === undefined) continue;
      const value = this.#convert(this.#lookUp(field), conversion);
      out += this.#formatField(value, this.format(spec, nesting - 1));
      checkLength(out.length);
    }
    return out;
  }

  #formatField(value: Value, spec: string): string {
    if (value instanceof Markup && this.#escape && spec !== '') throw valueError('Unsupported format specification for Markup.');
    const shown = value instanceof Markup ? (this.#escape ? value.text : formatValue(value.text, spec)) : formatValue(value, spec);
    return this.#escape && !(value instanceof Markup) ? escapeHtml(shown).text : shown;
  }

  #convert(value: Value, conversion: string | undefined): Value {
    if (conversion === undefined) return value;
    if (conversion === 's') return text(value);
    if (conversion === 'r') return repr(value);
    if (conversion === 'a') return asciiRepr(value);
    throw valueError(`Unknown conversion specifier ${conversion}`);
  }

  #number(kind: 'automatic' | 'manual'): void {
    if (this.#numbering !== undefined && this.#numbering !== kind) {
      throw valueError('cannot switch from manual field specification to automatic field numbering');
    }
    this.#numbering = kind;
  }

  #lookUp(field: string): Value {
    const first = /^[^.[]*/.exec(field)?.[0] ?? '';
    let value = this.#argument(first, field === '');
    let rest = field.slice(first.length);
    while (rest !== '') {
      const match = /^(?:\.([^.[]*)|\[([^\]]*)\])/.exec(rest);
      if (match === null)
        throw valueError(
          rest.startsWith('[') ? "Missing ']' in format string" : "Only '.' or '[' may follow ']' in format field specifier",
        );
      const [whole, name, key = ''] = match;
      if ((name ?? key) === '') throw valueError('Empty attribute in format string');
      value = name === undefined ? this.#state.item(value, /^\d+$/.test(key) ? Number(key) : key) : this.#state.attribute(value, name);
      rest = rest.slice(whole.length);
    }
    return value;
  }

  #argument(name: string, isEmpty: boolean): Value {
    if (isEmpty) {
      this.#number('automatic');
      this.#nextIndex += 1;
      return this.#positional(this.#nextIndex - 1);
    }
    if (/^\d+$/.test(name)) {
      this.#number('manual');
      return this.#positional(Number(name));
    }
    const value = this.#named(name);
    if (value === undefined) throw new PythonError('KeyError', repr(name));
    return value;
  }

  #positional(index: number): Value {
    const value = this.#args[index];
    if (value === undefined) throw new PythonError('IndexError', `Replacement index ${index} out of range for positional args tuple`);
    return value;
  }
}

/**
 * @returns Python's `format.format(*args, **keywords)`; with `escape`, what is put in is escaped for HTML.
 * @throws PythonError as Python does.
 */
export function formatString(
  format: string,
  args: readonly Value[],
  keywords: Keywords | undefined,
  state: CallState,
  escape: boolean,
): string {
  return new Formatting(args, (name) => keywords?.get(name), state, escape).format(format, 2);
}

/** @returns Python's `format.format_map(mapping)`. */
export function formatMap(
  format: string,
  args: readonly Value[],
  keywords: Keywords | undefined,
  state: CallState,
  escape: boolean,
): string {
  const [mapping] = args;
  if (keywords !== undefined && keywords.size > 0) throw typeError('format_map() takes no keyword arguments');
  if (args.length !== 1 || mapping === undefined) throw typeError(`format_map() takes exactly one argument (${args.length} given)`);
  const named = (name: string): Value | undefined => (mapping instanceof Dict ? mapping.get(name) : state.item(mapping, name));
  return new Formatting([], named, state, escape).format(format, 2);
}

/** JSON as Python's `json.loads` reads it, without loss: 1.0 stays a float, ints are exact, keys keep their order, the last of equal keys wins. */
import { Dict } from '../values/dict.ts';
import { integer } from '../values/integer.ts';
import { Float, type Value } from '../values/value.ts';

const MAX_NESTING = 500;
const MAX_INT_DIGITS = 4300;
const NUMBER = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y;
const PLAIN_STRING = /[^"\\\0-\x1f]*/y;
const WORDS: readonly (readonly [string, Value])[] = [
  ['null', null],
  ['true', true],
  ['false', false],
  ['NaN', new Float(Number.NaN)],
  ['Infinity', new Float(Number.POSITIVE_INFINITY)],
  ['-Infinity', new Float(Number.NEGATIVE_INFINITY)],
];
const ESCAPES: Record<string, string> = { '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

class JsonReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  document(): Value {
    if (this.#text.startsWith('\ufeff')) this.#at = 1;
    const value = this.#value(0);
    this.#skipSpace();
    if (this.#at < this.#text.length) throw this.#error('Extra data');
    return value;
  }

  #error(message: string): SyntaxError {
    return new SyntaxError(`${message} at position ${this.#at}`);
  }

  #skipSpace(): void {
    for (;;) {
      const unit = this.#text.charCodeAt(this.#at);
      if (unit !== 0x20 && unit !== 0x0a && unit !== 0x0d && unit !== 0x09) return;
      this.#at += 1;
    }
  }

  #value(nesting: number): Value {
    this.#skipSpace();
    const first = this.#text[this.#at];
    if (first === '"') return this.#string();
    if (first === '{') return this.#nested(nesting, () => this.#object(nesting + 1));
    if (first === '[') return this.#nested(nesting, () => this.#array(nesting + 1));
    return this.#scalar();
  }

  #nested(nesting: number, read: () => Value): Value {
    if (nesting >= MAX_NESTING) throw this.#error(`nested more than ${MAX_NESTING} deep`);
    this.#at += 1;
    return read();
  }

  #scalar(): Value {
    for (const [word, value] of WORDS) {
      if (this.#text.startsWith(word, this.#at)) {
        this.#at += word.length;
        return value;
      }
    }
    NUMBER.lastIndex = this.#at;
    const match = NUMBER.exec(this.#text);
    if (match === null) throw this.#error('Expecting value');
    this.#at = NUMBER.lastIndex;
    if (match[1] !== undefined || match[2] !== undefined) return new Float(Number(match[0]));
    if (match[0].length < 16) return Number(match[0]) + 0;
    if (match[0].length > MAX_INT_DIGITS) throw this.#error(`an integer has more than ${MAX_INT_DIGITS} digits`);
    return integer(BigInt(match[0]));
  }

  #string(): string {
    this.#at += 1;
    let text = '';
    for (;;) {
      PLAIN_STRING.lastIndex = this.#at;
      text += (PLAIN_STRING.exec(this.#text) as RegExpExecArray)[0];
      this.#at = PLAIN_STRING.lastIndex;
      const next = this.#text[this.#at];
      this.#at += 1;
      if (next === '"') return text;
      if (next !== '\\') throw this.#error(next === undefined ? 'Unterminated string' : 'Invalid control character');
      text += this.#escape();
    }
  }

  #escape(): string {
    const kind = this.#text[this.#at] ?? '';
    this.#at += 1;
    if (kind !== 'u') {
      const character = Object.hasOwn(ESCAPES, kind) ? ESCAPES[kind] : undefined;
      if (character === undefined) throw this.#error('Invalid \\escape');
      return character;
    }
    const digits = this.#text.slice(this.#at, this.#at + 4);
    if (!/^[0-9a-fA-F]{4}$/.test(digits)) throw this.#error('Invalid \\uXXXX escape');
    this.#at += 4;
    return String.fromCharCode(Number.parseInt(digits, 16));
  }

  #array(nesting: number): Value[] {
    const items: Value[] = [];
    this.#skipSpace();
    if (this.#take(']')) return items;
    for (;;) {
      items.push(this.#value(nesting));
      this.#skipSpace();
      if (this.#take(']')) return items;
      if (!this.#take(',')) throw this.#error("Expecting ',' delimiter");
    }
  }

  #object(nesting: number): Dict {
    const dict = new Dict();
    this.#skipSpace();
    if (this.#take('}')) return dict;
    for (;;) {
      this.#skipSpace();
      if (this.#text[this.#at] !== '"') throw this.#error('Expecting property name enclosed in double quotes');
      const key = this.#string();
      this.#skipSpace();
      if (!this.#take(':')) throw this.#error("Expecting ':' delimiter");
      dict.set(key, this.#value(nesting));
      this.#skipSpace();
      if (this.#take('}')) return dict;
      if (!this.#take(',')) throw this.#error("Expecting ',' delimiter");
    }
  }

  #take(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at += 1;
    return true;
  }
}

/**
 * Reads JSON into values of the template language. A byte order mark, `NaN` and `Infinity` are read too, as Python does.
 *
 * @throws SyntaxError where the text is no JSON, or nests more than 500 deep.
 */
export function parseJson(text: string): Value {
  return new JsonReader(text).document();
}

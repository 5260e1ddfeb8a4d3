/**
 * JSON as Python's `json` module reads and writes it, for everything that the reference parses and serialises again: numbers keep their
 * kind and digits (`1.0` is not `1`, integers of any size are exact), members keep their order (`"10"` before `"2"` if written so),
 * `NaN` and `Infinity` are read, a repeated member keeps its first place and its last value.
 */

/** A number that a JavaScript number cannot hold faithfully: a float of integral value, or an integer beyond 2^53. */
export class PythonNumber {
  /** The number as Python prints it. */
  readonly text: string;
  readonly isFloat: boolean;

  constructor(text: string, isFloat: boolean) {
    this.text = text;
    this.isFloat = isFloat;
  }
}

/** A text that Python's reader refuses. */
export class JsonSyntaxError extends SyntaxError {
  override readonly name = 'JsonSyntaxError';
  /** Where Python reports the error, in UTF-16 code units from the start. */
  readonly position: number;

  constructor(what: string, position: number) {
    super(`${what} at character ${position}`);
    this.position = position;
  }
}

/** Objects are Maps: plain objects would put integer-like keys first. A JavaScript number that is integral stands for an int. */
export type PythonValue = null | boolean | string | number | PythonNumber | PythonValue[] | Map<string, PythonValue>;

const NUMBER = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y;
const WHITESPACE = /[ \t\n\r]*/y;
const STRING_CHUNK = /[^"\\\u0000-\u001f]*/y;
/** Levels of nesting that the reference's reader takes before its recursion limit. */
const MAX_DEPTH = 970;
const MAX_INTEGER_DIGITS = 4300;

/** `repr` of a float: the shortest digits that read back, with Python's exponent form. */
export function floatText(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? 'Infinity' : '-Infinity';
  if (Object.is(value, -0)) return '-0.0';
  const magnitude = Math.abs(value);
  if (magnitude !== 0 && (magnitude >= 1e16 || magnitude < 1e-4)) {
    const [mantissa, exponent] = value.toExponential().split('e') as [string, string];
    const digits = exponent.slice(1).padStart(2, '0');
    return `${mantissa}e${exponent[0]}${digits}`;
  }
  const text = String(value);
  return text.includes('.') ? text : `${text}.0`;
}

class Reader {
  private at = 0;
  private readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  document(): PythonValue {
    this.space();
    const value = this.value(0);
    this.space();
    if (this.at < this.text.length) this.fail('Extra data');
    return value;
  }

  private fail(what: string, position = this.at): never {
    throw new JsonSyntaxError(what, position);
  }

  private space(): void {
    WHITESPACE.lastIndex = this.at;
    WHITESPACE.test(this.text);
    this.at = WHITESPACE.lastIndex;
  }

  private value(depth: number): PythonValue {
    const c = this.text[this.at];
    if (c === '"') return this.string();
    if (c === '{') return this.object(depth);
    if (c === '[') return this.array(depth);
    for (const [word, value] of WORDS) {
      if (this.text.startsWith(word, this.at)) {
        this.at += word.length;
        return value;
      }
    }
    return this.number();
  }

  private number(): PythonValue {
    NUMBER.lastIndex = this.at;
    const match = NUMBER.exec(this.text);
    if (!match) this.fail('Expecting value');
    this.at = NUMBER.lastIndex;
    return numberOf(match[0], match[1] !== undefined || match[2] !== undefined);
  }

  private string(): string {
    const start = this.at;
    this.at += 1;
    let result = '';
    for (;;) {
      STRING_CHUNK.lastIndex = this.at;
      STRING_CHUNK.test(this.text);
      result += this.text.slice(this.at, STRING_CHUNK.lastIndex);
      this.at = STRING_CHUNK.lastIndex;
      const c = this.text[this.at];
      this.at += 1;
      if (c === '"') return result;
      if (c === undefined || (c === '\\' && this.at >= this.text.length)) this.fail('Unterminated string', start);
      if (c !== '\\') this.fail('Invalid control character', this.at - 1);
      result += this.escape();
    }
  }

  private escape(): string {
    const c = this.text[this.at];
    this.at += 1;
    if (c === 'u') {
      const digits = this.text.slice(this.at, this.at + 4);
      // Python wants something behind the digits, a quote at least.
      if (!/^[0-9a-fA-F]{4}$/.test(digits) || this.at + 4 >= this.text.length) this.fail('Invalid \\uXXXX escape', this.at - 1);
      this.at += 4;
      return String.fromCharCode(Number.parseInt(digits, 16));
    }
    const plain = c === undefined ? undefined : ESCAPES.get(c);
    if (plain === undefined) this.fail('Invalid \\escape', this.at - 2);
    return plain;
  }

  private enter(depth: number): void {
    if (depth >= MAX_DEPTH) throw new SyntaxError('Too deeply nested');
    this.at += 1;
  }

  private array(depth: number): PythonValue[] {
    const result: PythonValue[] = [];
    this.enter(depth);
    this.space();
    if (this.text[this.at] === ']') {
      this.at += 1;
      return result;
    }
    for (;;) {
      this.space();
      result.push(this.value(depth + 1));
      this.space();
      const c = this.text[this.at];
      this.at += 1;
      if (c === ']') return result;
      if (c !== ',') this.fail("Expecting ',' delimiter", this.at - 1);
    }
  }

  private object(depth: number): Map<string, PythonValue> {
    const result = new Map<string, PythonValue>();
    this.enter(depth);
    this.space();
    if (this.text[this.at] === '}') {
      this.at += 1;
      return result;
    }
    for (;;) {
      this.space();
      if (this.text[this.at] !== '"') this.fail('Expecting property name enclosed in double quotes');
      const key = this.string();
      this.space();
      if (this.text[this.at] !== ':') this.fail("Expecting ':' delimiter");
      this.at += 1;
      this.space();
      result.set(key, this.value(depth + 1));
      this.space();
      const c = this.text[this.at];
      this.at += 1;
      if (c === '}') return result;
      if (c !== ',') this.fail("Expecting ',' delimiter", this.at - 1);
    }
  }
}

const WORDS: readonly (readonly [string, PythonValue])[] = [
  ['null', null],
  ['true', true],
  ['false', false],
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['-Infinity', Number.NEGATIVE_INFINITY],
];

const ESCAPES = new Map([
  ['"', '"'],
  ['\\', '\\'],
  ['/', '/'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);

/** The value of a number literal: a JavaScript number where that loses nothing. */
export function numberOf(literal: string, isFloat: boolean): number | PythonNumber {
  // Python refuses to convert longer integers from text.
  if (!isFloat && literal.length > MAX_INTEGER_DIGITS) throw new SyntaxError('Integer with too many digits');
  const value = Number(literal);
  if (isFloat) return Number.isInteger(value) ? new PythonNumber(floatText(value), true) : value;
  return Number.isSafeInteger(value) && !Object.is(value, -0) ? value : new PythonNumber(BigInt(literal).toString(), false);
}

/**
 * `json.loads`.
 * @throws SyntaxError for anything that Python refuses, and for nesting beyond 970 levels
 */
export function loads(text: string): PythonValue {
  return new Reader(text).document();
}

/** `json.loads`, or undefined where Python would raise. */
export function tryLoads(text: string): PythonValue | undefined {
  try {
    return loads(text);
  } catch {
    return undefined;
  }
}

/** `json.loads`, or the text itself where Python would raise. */
export function loadsOrText(text: string): PythonValue {
  const value = tryLoads(text);
  return value === undefined ? text : value;
}

/** How `json.dumps` writes; the defaults are those that the reference uses for tool arguments. */
export interface DumpOptions {
  /** Escape everything beyond ASCII; false by default, unlike Python. */
  ensureAscii?: boolean;
  itemSeparator?: string;
  keySeparator?: string;
}

function quote(text: string, ensureAscii: boolean): string {
  const quoted = JSON.stringify(text).replaceAll('\u007f', ensureAscii ? '\\u007f' : '\u007f');
  if (!ensureAscii) return quoted;
  return quoted.replace(/[\u0080-\uffff]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** `json.dumps(value, ensure_ascii=False)`. */
export function dumps(value: PythonValue, options: DumpOptions = {}): string {
  const { ensureAscii = false, itemSeparator = ', ', keySeparator = ': ' } = options;
  const write = (item: PythonValue): string => {
    if (item === null) return 'null';
    if (typeof item === 'string') return quote(item, ensureAscii);
    if (typeof item === 'boolean') return item ? 'true' : 'false';
    if (typeof item === 'number') return Number.isInteger(item) ? item.toFixed(0) : floatText(item);
    if (item instanceof PythonNumber) return item.text;
    if (Array.isArray(item)) return `[${item.map(write).join(itemSeparator)}]`;
    return `{${Array.from(item, ([key, member]) => quote(key, ensureAscii) + keySeparator + write(member)).join(itemSeparator)}}`;
  };
  return write(value);
}

/** A plain JavaScript value (from JSON.parse) as a PythonValue; PythonValues in it stay as they are. */
export function fromPlain(value: unknown): PythonValue {
  if (Array.isArray(value)) return value.map(fromPlain);
  if (value instanceof PythonNumber) return value;
  if (value !== null && typeof value === 'object') {
    const entries: Iterable<[string, unknown]> = value instanceof Map ? value : Object.entries(value);
    return new Map(Array.from(entries, ([key, member]) => [key, fromPlain(member)]));
  }
  if (value === undefined || typeof value === 'bigint' || typeof value === 'function' || typeof value === 'symbol') return null;
  return value as null | boolean | string | number;
}

/** Python's `json.dumps`. */
import { charge, checkLength, reserve } from '../budget.ts';
import { typeError } from '../errors.ts';
import { compareText } from '../values/text.ts';
import { compare, stringOf } from '../values/compare.ts';
import { Dict } from '../values/dict.ts';
import { floatText, integerText } from '../values/number-text.ts';
import { typeName } from '../values/type-name.ts';
import { Float, Tuple, type Value } from '../values/value.ts';

interface JsonStyle {
  readonly ensureAscii: boolean;
  /** What a level of nesting is indented by; undefined for a single line. */
  readonly indent: string | undefined;
  readonly itemSeparator: string;
  readonly keySeparator: string;
  readonly sortKeys: boolean;
}

const ESCAPES: Record<string, string> = {
  '"': String.raw`\"`,
  '\\': String.raw`\\`,
  '\n': String.raw`\n`,
  '\r': String.raw`\r`,
  '\t': String.raw`\t`,
  '\f': String.raw`\f`,
  '\b': String.raw`\b`,
};

function escape(unit: string): string {
  charge(1 / 4);
  return ESCAPES[unit] ?? `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** @returns the text as a JSON string. */
function jsonString(text: string, ensureAscii: boolean): string {
  charge(text.length / 32);
  if (ensureAscii)
    return /[^\x20\x21\x23-\x5b\x5d-\x7e]/.test(text) ? `"${text.replaceAll(/[^\x20\x21\x23-\x5b\x5d-\x7e]/g, escape)}"` : `"${text}"`;
  return /["\\\0-\x1f]/.test(text) ? `"${text.replaceAll(/["\\\0-\x1f]/g, escape)}"` : `"${text}"`;
}

function jsonFloat(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? 'Infinity' : '-Infinity';
  return floatText(value);
}

/** @returns what stands for itself in JSON, and as a key; undefined for lists, dicts and all else. */
function jsonScalar(value: Value): string | undefined {
  if (value === null) return 'null';
  if (typeof value === 'boolean') return value ? 'true' : 'false';
  if (typeof value === 'number' || typeof value === 'bigint') return integerText(value);
  return value instanceof Float ? jsonFloat(value.value) : undefined;
}

class JsonWriter {
  readonly #style: JsonStyle;
  #out = '';

  constructor(style: JsonStyle) {
    this.#style = style;
  }

  get text(): string {
    return this.#out;
  }

  write(value: Value, newline: string): void {
    charge(1);
    if (typeof value === 'string') {
      this.#out += jsonString(value, this.#style.ensureAscii);
    } else if (Array.isArray(value)) {
      this.#writeList(value, newline);
    } else if (value instanceof Dict) {
      this.#writeDict(value, newline);
    } else if (value instanceof Tuple) {
      this.#writeList(value.items, newline);
    } else {
      const text = stringOf(value);
      const scalar = text === undefined ? jsonScalar(value) : jsonString(text, this.#style.ensureAscii);
      if (scalar === undefined) throw typeError(`Object of type ${typeName(value)} is not JSON serializable`);
      this.#out += scalar;
    }
    checkLength(this.#out.length);
  }

  #writeList(items: readonly Value[], newline: string): void {
    if (items.length === 0) {
      this.#out += '[]';
      return;
    }
    const inner = this.#indented(newline);
    for (let index = 0; index < items.length; index += 1) {
      this.#out += (index === 0 ? '[' : this.#style.itemSeparator) + inner;
      this.write(items[index] as Value, inner);
    }
    this.#out += `${newline}]`;
  }

  #writeDict(dict: Dict, newline: string): void {
    if (dict.size === 0) {
      this.#out += '{}';
      return;
    }
    const inner = this.#indented(newline);
    const { itemSeparator, keySeparator, sortKeys, ensureAscii } = this.#style;
    const entries = sortKeys ? sortedEntries(dict) : dict.entries();
    let isFirst = true;
    for (const [key, value] of entries) {
      this.#out += (isFirst ? '{' : itemSeparator) + inner + jsonString(jsonKey(key), ensureAscii) + keySeparator;
      this.write(value, inner);
      isFirst = false;
    }
    this.#out += `${newline}}`;
  }

  #indented(newline: string): string {
    const { indent } = this.#style;
    if (indent === undefined) return '';
    reserve(newline.length + indent.length);
    return newline + indent;
  }
}

function jsonKey(key: Value): string {
  const text = stringOf(key) ?? jsonScalar(key);
  if (text === undefined) throw typeError(`keys must be str, int, float, bool or None, not ${typeName(key)}`);
  return text;
}

function sortedEntries(dict: Dict): [Value, Value][] {
  return dict.entries().sort(([left], [right]) => {
    if (typeof left === 'string' && typeof right === 'string') return compareText(left, right);
    if (compare(left, right, '<')) return -1;
    return compare(right, left, '<') ? 1 : 0;
  });
}

/**
 * @returns the value as JSON, in Python's form: floats keep their fraction, ints are exact, keys stand in their order.
 * @throws PythonError `TypeError` where the value, or a part of it, has no form in JSON.
 */
export function writeJson(value: Value, style: JsonStyle): string {
  const writer = new JsonWriter(style);
  writer.write(value, style.indent === undefined ? '' : '\n');
  return writer.text;
}

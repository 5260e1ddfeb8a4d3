import { tryLoads } from '../core/python-json.ts';
import type { PythonValue } from '../core/python-json.ts';

/** Literals that JavaScript may lose: floats of integral value, integers beyond 2^53, keys that look like array indexes. */
const LOSSY = /(?:^|[:[,])\s*-?(?:\d{16,}|\d+\.0*(?![\d.])|\d+(?:\.\d+)?[eE])|"\d+"\s*:/;
const SPACE = /[ \t\n\r]*/y;
const SCALAR = /[^\s,\]}]*/y;
const QUOTE = 0x22;

function after(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  pattern.test(text);
  return pattern.lastIndex;
}

/** @param at where the opening quote stands */
function endOfString(text: string, at: number): number {
  for (let end = text.indexOf('"', at + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let before = end;
    while (text[before - 1] === '\\') before -= 1;
    if ((end - before) % 2 === 0) return end + 1;
  }
  return text.length;
}

function endOfValue(text: string, start: number): number {
  const first = text[start];
  if (first === '"') return endOfString(text, start);
  if (first !== '{' && first !== '[') return after(SCALAR, text, start);
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) at = endOfString(text, at) - 1;
    else if (unit === 0x7b || unit === 0x5b) depth += 1;
    else if (unit === 0x7d || unit === 0x5d) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return text.length;
}

interface Part {
  /** Null in a list. */
  readonly key: string | null;
  readonly value: RawJson;
}

/** The members of an object or the items of a list, as pieces of the text. */
function partsOf(text: string, start: number): Part[] {
  const parts: Part[] = [];
  const isObject = text[start] === '{';
  let at = after(SPACE, text, start + 1);
  while (at < text.length && text[at] !== '}' && text[at] !== ']') {
    let key: string | null = null;
    if (isObject) {
      const end = endOfString(text, at);
      key = JSON.parse(text.slice(at, end)) as string;
      at = after(SPACE, text, after(SPACE, text, end) + 1);
    }
    const end = endOfValue(text, at);
    parts.push({ key, value: new RawJson(text.slice(at, end)) });
    at = after(SPACE, text, end);
    if (text[at] === ',') at = after(SPACE, text, at + 1);
  }
  return parts;
}

/**
 * A JSON text, parts of which are read again without loss: `1.0` stays apart from `1`, large integers are exact, members that look like
 * numbers keep their place. Only the parts that are asked for are looked at, because most of a request's text is its conversation.
 */
export class RawJson {
  readonly #text: string;
  #parts: Part[] | undefined;

  /** @param text one JSON value, sound; empty where there is none */
  constructor(text: string) {
    this.#text = text;
  }

  /** A member of an object; the last of equal names. */
  member(name: string): RawJson | undefined {
    return this.#read('{').findLast(({ key }) => key === name)?.value;
  }

  /** An item of a list. */
  item(index: number): RawJson | undefined {
    return this.#read('[')[index]?.value;
  }

  /** The value without loss, or undefined where `JSON.parse` loses nothing of it. */
  lossless(): PythonValue | undefined {
    return LOSSY.test(this.#text) ? tryLoads(this.#text) : undefined;
  }

  #read(bracket: string): readonly Part[] {
    const start = after(SPACE, this.#text, 0);
    if (this.#text[start] !== bracket) return [];
    this.#parts ??= partsOf(this.#text, start);
    return this.#parts;
  }
}

import { tryLoads } from '../../core/python-json.ts';
import type { PythonValue } from '../../core/python-json.ts';
import { coerceText, isRecord, isUntyped, ownMember } from './schema-coercion.ts';
import { strip } from './white-space.ts';

/** What Gemma writes strings between. */
export const GEMMA_QUOTE = '<|"|>';

/** Deeper brackets are text. */
const MAX_DEPTH = 64;

/** A value without quotes. */
class Bare {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Written = string | Bare | Written[] | Map<string, Written>;

/** A key without its quotes and the white space around it. */
export function gemmaKey(written: string): string {
  const key = strip(written);
  const isQuoted = key.length >= 2 * GEMMA_QUOTE.length && key.startsWith(GEMMA_QUOTE) && key.endsWith(GEMMA_QUOTE);
  return isQuoted ? key.slice(GEMMA_QUOTE.length, -GEMMA_QUOTE.length) : key;
}

/** Reads an object or list, as far as it came: a value without quotes that is cut off is left out. */
class Reader {
  private at = 0;
  private readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** @returns undefined for a value that is cut off */
  value(stops: string, depth: number): Written | undefined {
    const c = this.text[this.at];
    if (this.text.startsWith(GEMMA_QUOTE, this.at)) return this.string();
    if (c === '{' && depth < MAX_DEPTH) return this.object(depth + 1);
    if (c === '[' && depth < MAX_DEPTH) return this.list(depth + 1);
    const from = this.at;
    while (this.at < this.text.length && !stops.includes(this.text[this.at] ?? '')) this.at += 1;
    return this.at === this.text.length ? undefined : new Bare(strip(this.text.slice(from, this.at)));
  }

  private string(): string {
    const from = this.at + GEMMA_QUOTE.length;
    const end = this.text.indexOf(GEMMA_QUOTE, from);
    this.at = end === -1 ? this.text.length : end + GEMMA_QUOTE.length;
    return this.text.slice(from, end === -1 ? undefined : end);
  }

  /** Skips what parts members and items. @returns whether the container goes on */
  private next(close: string): boolean {
    while (' ,\n\t'.includes(this.text[this.at] ?? '.')) this.at += 1;
    if (this.text[this.at] === close) this.at += 1;
    else return this.at < this.text.length;
    return false;
  }

  private object(depth: number): Map<string, Written> {
    const members = new Map<string, Written>();
    this.at += 1;
    while (this.next('}')) {
      const colon = this.text.indexOf(':', this.at);
      if (colon === -1) {
        this.at = this.text.length;
        break;
      }
      const key = gemmaKey(this.text.slice(this.at, colon));
      this.at = colon + 1;
      while (' \n\t'.includes(this.text[this.at] ?? '.')) this.at += 1;
      const value = this.value(',}]', depth);
      if (value !== undefined) members.set(key, value);
      if (this.text[this.at] === ']') this.at += 1;
    }
    return members;
  }

  private list(depth: number): Written[] {
    const items: Written[] = [];
    this.at += 1;
    while (this.next(']')) {
      const item = this.value(',]', depth);
      if (item !== undefined) items.push(item);
    }
    return items;
  }
}

const JSON_SCALAR = /^(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)$/;

/** What a value without quotes stands for: what its schema says; a number, boolean or null where there is none. */
export function gemmaBareValue(text: string, schema: unknown): PythonValue {
  if (!isUntyped(schema)) return coerceText(text, schema);
  const value = JSON_SCALAR.test(text) ? tryLoads(text) : undefined;
  return value === undefined ? text : value;
}

/** @param loose the value stands in an object of which nothing is known: all in it is text, as in the reference */
function valueOf(written: Written, schema: unknown, loose: boolean): PythonValue {
  if (typeof written === 'string') return isRecord(schema) ? coerceText(written, schema) : written;
  if (written instanceof Bare) return loose ? written.text : gemmaBareValue(written.text, schema);
  if (Array.isArray(written)) {
    const items = isRecord(schema) ? schema['items'] : undefined;
    return written.map((item) => valueOf(item, items, loose));
  }
  const properties = isRecord(schema) ? schema['properties'] : undefined;
  const known = isRecord(properties) ? properties : null;
  const members = new Map<string, PythonValue>();
  for (const [key, member] of written) {
    members.set(key, valueOf(member, known ? ownMember(known, key) : undefined, loose || known === null));
  }
  return members;
}

/** The value of an object or list as Gemma writes it, brackets included. What is missing at its end is left out. */
export function gemmaContainerValue(text: string, schema: unknown): PythonValue {
  const written = new Reader(text).value('', 0);
  return written === undefined ? text : valueOf(written, schema, false);
}

/** Python's `pprint.pformat`: 80 columns, one space an indent, dicts sorted. */
import { charge } from '../budget.ts';
import { PythonError } from '../errors.ts';
import { compare } from '../values/compare.ts';
import { Dict } from '../values/dict.ts';
import { repr, reprText } from '../values/repr.ts';
import { codePointLength, SPACES, splitLines } from '../values/text.ts';
import { typeName } from '../values/type-name.ts';
import { Tuple, type Value } from '../values/value.ts';

const WIDTH = 80;
const WORDS = new RegExp(`[^${SPACES}]+[${SPACES}]*|[${SPACES}]+`, 'g');

function keyOrder([left]: readonly [Value, Value], [right]: readonly [Value, Value]): number {
  try {
    if (compare(left, right, '<')) return -1;
    return compare(right, left, '<') ? 1 : 0;
  } catch (error) {
    if (!(error instanceof PythonError)) throw error;
    // Keys without an order stand by the names of their types.
    return typeName(left) < typeName(right) ? -1 : Number(typeName(left) > typeName(right));
  }
}

/** @returns the value with all dicts in it sorted. */
function arranged(value: Value): Value {
  charge(1);
  if (Array.isArray(value)) return value.map(arranged);
  if (value instanceof Tuple) return new Tuple(value.items.map(arranged));
  if (value instanceof Dict)
    return Dict.from(
      value
        .entries()
        .sort(keyOrder)
        .map(([key, item]) => [key, arranged(item)]),
    );
  return value;
}

/** Lines as they are written: each part knows where it stands and how much has to fit behind it. */
class PrettyPrinter {
  out = '';

  write(value: Value, indent: number, allowance: number, level: number): void {
    const line = repr(value);
    if (value === '' || codePointLength(line) <= WIDTH - indent - allowance) this.out += line;
    else if (Array.isArray(value)) this.#writeItems(value, '[', ']', indent, allowance, level + 1);
    else if (value instanceof Tuple)
      this.#writeItems(value.items, '(', value.items.length === 1 ? ',)' : ')', indent, allowance, level + 1);
    else if (value instanceof Dict) this.#writeDict(value, indent, allowance, level + 1);
    else if (typeof value === 'string') this.#writeText(value, line, indent, allowance, level + 1);
    else this.out += line;
  }

  #writeItems(items: readonly Value[], open: string, close: string, indent: number, allowance: number, level: number): void {
    this.out += open;
    for (const [index, item] of items.entries()) {
      if (index > 0) this.out += `,\n${' '.repeat(indent + 1)}`;
      this.write(item, indent + 1, index === items.length - 1 ? allowance + close.length : 1, level);
    }
    this.out += close;
  }

  #writeDict(dict: Dict, indent: number, allowance: number, level: number): void {
    this.out += '{';
    for (const [index, [key, item]] of dict.entries().entries()) {
      const shown = repr(key);
      this.out += `${index > 0 ? `,\n${' '.repeat(indent + 1)}` : ''}${shown}: `;
      this.write(item, indent + 1 + codePointLength(shown) + 2, index === dict.size - 1 ? allowance + 1 : 1, level);
    }
    this.out += '}';
  }

  #writeText(text: string, line: string, indent: number, allowance: number, level: number): void {
    const isOutermost = level === 1;
    const column = indent + (isOutermost ? 1 : 0);
    const chunks = textChunks(text, WIDTH - column, allowance + (isOutermost ? 1 : 0));
    if (chunks.length === 1) {
      this.out += line;
      return;
    }
    const joined = chunks.join(`\n${' '.repeat(column)}`);
    this.out += isOutermost ? `(${joined})` : joined;
  }
}

/** @returns the text in literals that fit into `width`, the last one with `allowance` columns to spare; cut after line ends, else after words. */
function textChunks(text: string, width: number, allowance: number): string[] {
  const chunks: string[] = [];
  const lines = splitLines(text, true);
  for (const [index, line] of lines.entries()) {
    const isLast = index === lines.length - 1;
    const shown = reprText(line);
    if (codePointLength(shown) <= width - (isLast ? allowance : 0)) chunks.push(shown);
    else chunks.push(...wordChunks(line, width, isLast ? allowance : 0));
  }
  return chunks;
}

function wordChunks(line: string, width: number, allowance: number): string[] {
  const chunks: string[] = [];
  const words = line.match(WORDS) ?? [];
  let current = '';
  for (const [index, word] of words.entries()) {
    const room = width - (index === words.length - 1 ? allowance : 0);
    if (codePointLength(reprText(current + word)) > room) {
      if (current !== '') chunks.push(reprText(current));
      current = word;
    } else current += word;
  }
  if (current !== '') chunks.push(reprText(current));
  return chunks;
}

/** @returns the value as `pprint.pformat` prints it. */
export function prettyPrint(value: Value): string {
  const printer = new PrettyPrinter();
  printer.write(arranged(value), 0, 0, 0);
  return printer.out;
}

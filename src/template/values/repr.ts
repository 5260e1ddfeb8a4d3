import { charge, checkLength, reserve } from '../budget.ts';
import type { PythonError } from '../errors.ts';
import { Dict, DictView, ValueSet } from './dict.ts';
import { floatText, integerText } from './number-text.ts';
import { codePoints } from './text.ts';
import { qualifiedTypeName } from './type-name.ts';
import { Undefined } from './undefined.ts';
import { characterTests } from './unicode.ts';
import { ADDRESS, Bytes, Float, Instance, Markup, NumberRange, Tuple, ValueIterator, type Value } from './value.ts';

const PLAIN = /^[\x20-\x26\x28-\x5b\x5d-\x7e]*$/;
const ESCAPES: Record<string, string> = { '\\': String.raw`\\`, '\n': String.raw`\n`, '\r': String.raw`\r`, '\t': String.raw`\t` };

function escapeCharacter(character: string): string {
  const code = character.codePointAt(0) as number;
  if (code < 0x100) return `\\x${code.toString(16).padStart(2, '0')}`;
  return code < 0x10000 ? `\\u${code.toString(16).padStart(4, '0')}` : `\\U${code.toString(16).padStart(8, '0')}`;
}

/** @returns `repr(text)` of a string; with `ascii`, everything beyond ASCII is escaped. */
export function reprText(text: string, ascii = false): string {
  charge(text.length / 16);
  if (PLAIN.test(text)) return `'${text}'`;
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  let out = quote;
  for (const character of codePoints(text)) {
    const escaped = ESCAPES[character];
    if (character === quote) out += `\\${quote}`;
    else if (escaped !== undefined) out += escaped;
    else if (character >= ' ' && character <= '~') out += character;
    else out += ascii || !characterTests.printable(character) ? escapeCharacter(character) : character;
  }
  return out + quote;
}

/** @returns `repr(bytes)`. */
function reprBytes(bytes: Uint8Array): string {
  reserve(bytes.length * 4);
  const quote = bytes.includes(0x27) && !bytes.includes(0x22) ? '"' : "'";
  let out = `b${quote}`;
  for (const byte of bytes) {
    const character = String.fromCharCode(byte);
    if (character === quote) out += `\\${quote}`;
    else out += ESCAPES[character] ?? (byte >= 0x20 && byte < 0x7f ? character : `\\x${byte.toString(16).padStart(2, '0')}`);
  }
  return out + quote;
}

function reprAll(values: readonly Value[]): string {
  let out = '';
  for (let index = 0; index < values.length; index += 1) {
    if (index > 0) out += ', ';
    out += repr(values[index] as Value);
    checkLength(out.length);
  }
  return out;
}

function reprDict(dict: Dict): string {
  let out = '{';
  for (const [key, value] of dict.entries()) {
    if (out.length > 1) out += ', ';
    out += `${repr(key)}: ${repr(value)}`;
    checkLength(out.length);
  }
  return `${out}}`;
}

/** @returns Python's `repr(value)`. */
export function repr(value: Value): string {
  charge(1);
  if (typeof value === 'string') return reprText(value);
  if (typeof value === 'number' || typeof value === 'bigint') return integerText(value);
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (value === null) return 'None';
  if (Array.isArray(value)) return `[${reprAll(value)}]`;
  if (value instanceof Dict) return reprDict(value);
  if (value instanceof Float) return floatText(value.value);
  if (value instanceof Tuple) return value.items.length === 1 ? `(${repr(value.items[0] as Value)},)` : `(${reprAll(value.items)})`;
  if (value instanceof Undefined) return 'Undefined';
  if (value instanceof Markup) return `Markup(${reprText(value.text)})`;
  if (value instanceof Instance) return value.describe(repr);
  if (value instanceof DictView) return `${value.typeName}([${reprAll(value.items())}])`;
  if (value instanceof NumberRange)
    return value.step === 1 ? `range(${value.start}, ${value.stop})` : `range(${value.start}, ${value.stop}, ${value.step})`;
  if (value instanceof Bytes) return reprBytes(value.bytes);
  if (value instanceof ValueSet) return value.size === 0 ? 'set()' : `{${reprAll(value.items())}}`;
  const name = value instanceof ValueIterator && value.functionName !== '' ? ` ${value.functionName}` : '';
  return `<${value.typeName} object${name} at ${ADDRESS}>`;
}

/** @returns Python's `str(value)`: what printing it gives. */
export function text(value: Value): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  if (value instanceof Undefined) return '';
  if (value instanceof Markup) return value.text;
  return repr(value);
}

/** @returns the error that using an Undefined raises. */
export function undefinedError(value: Undefined): PythonError {
  return value.error(repr, qualifiedTypeName);
}

import { type ApiError, invalidBody } from '../core/errors.ts';
import { JsonSyntaxError, loads, PythonNumber, type PythonValue } from '../core/python-json.ts';

/** A body that cannot be read at all, for which the reference's web framework answers in its own form: 400 `{"detail": ...}`. */
export class UnreadableBody extends Error {
  override readonly name = 'UnreadableBody';

  constructor() {
    super('There was an error parsing the body');
  }
}

/** A request's JSON: its value, and the text for what JavaScript values lose (1.0, integers beyond 2^53, order of integer-like keys). */
export interface JsonBody {
  value: unknown;
  text: string;
}

/** Levels of nesting that are read, as in the careful reader. */
const MAX_DEPTH = 970;

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** Whether a parsed value is nested too deeply, or holds a number that overflowed: then the careful reader has to look. */
function isSuspicious(value: unknown, depth: number): boolean {
  if (typeof value === 'number') return !Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return false;
  if (depth > MAX_DEPTH) return true;
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at += 1) if (isSuspicious(value[at], depth + 1)) return true;
    return false;
  }
  for (const key in value) if (isSuspicious((value as Record<string, unknown>)[key], depth + 1)) return true;
  return false;
}

function toPlain(value: PythonValue): unknown {
  if (value instanceof PythonNumber) return Number(value.text);
  if (Array.isArray(value)) return value.map(toPlain);
  if (value instanceof Map) return Object.fromEntries(Array.from(value, ([key, member]) => [key, toPlain(member)]));
  return value;
}

/** An offset in UTF-16 code units as one in code points, as Python counts. */
function codePointOffset(text: string, offset: number): number {
  let points = offset;
  for (const pair of text.slice(0, offset).matchAll(/[\ud800-\udbff][\udc00-\udfff]/g)) points -= pair.length;
  return points;
}

function badJson(text: string, error: JsonSyntaxError): ApiError {
  const offset = codePointOffset(text, error.position);
  return invalidBody(
    `The body is not valid JSON: ${error.message.replace(/ at character \d+$/, '')}, at character ${offset}.`,
    `body.${offset}`,
  );
}

/** Reads as Python does: NaN and Infinity are numbers, errors have Python's offsets. */
function readCarefully(text: string): unknown {
  try {
    return toPlain(loads(text));
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw badJson(text, error);
    throw new UnreadableBody();
  }
}

/**
 * Reads a request's body. `JSON.parse` does it in the common case; where that fails, or what it gave looks as if it had lost something, a
 * slower reader that follows Python's decides.
 * @returns the value; undefined for an empty body
 * @throws ApiError 400 for bad JSON, with `param` `body.` and the offset in code points
 * @throws UnreadableBody for bytes that are not UTF-8, nesting beyond 970 levels, integers of more than 4,300 digits
 */
export function readJsonBody(bytes: Buffer): JsonBody {
  if (bytes.length === 0) return { value: undefined, text: '' };
  let text: string;
  try {
    text = UTF8.decode(bytes);
  } catch {
    throw new UnreadableBody();
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { value: readCarefully(text), text };
  }
  return { value: isSuspicious(value, 1) ? readCarefully(text) : value, text };
}

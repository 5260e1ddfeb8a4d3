/** What may come next in a JSON text; `done`: the outermost value is closed. */
export const JSON_EXPECTATIONS = [
  'value',
  'value-or-end',
  'key',
  'key-or-end',
  'colon',
  'comma-or-end',
  'in-key',
  'in-string',
  'in-scalar',
  'done',
  'broken',
] as const;

export type JsonExpectation = (typeof JSON_EXPECTATIONS)[number];

/** Our reader of finished JSON gives up beyond this nesting. */
export const MAX_JSON_DEPTH = 500;

export const JSON_SPACE: RegExp = /[ \t\n\r]/;
/** Units of numbers and words. */
export const JSON_SCALAR: RegExp = /[-\w.+]/;

/** A place in a JSON text. */
export interface JsonPlace {
  /** Open brackets and braces, outermost first. */
  stack: string;
  expect: JsonExpectation;
}

/**
 * What a unit leads to that stands outside of strings, keys, scalars and white space, or null where it cannot stand there. Opens and closes
 * containers on the stack.
 */
export function followJson(place: JsonPlace, c: string): JsonExpectation | null {
  const { expect, stack } = place;
  if (expect === 'colon') return c === ':' ? 'value' : null;
  if (expect === 'key' || expect === 'key-or-end') {
    if (c === '"') return 'in-key';
    return c === '}' && expect === 'key-or-end' ? leave(place) : null;
  }
  if (expect === 'comma-or-end') {
    if (c === ',') return stack.endsWith('{') ? 'key' : 'value';
    return c === (stack.endsWith('{') ? '}' : ']') ? leave(place) : null;
  }
  if (c === ']' && expect === 'value-or-end') return leave(place);
  if (c === '"') return 'in-string';
  if (c !== '{' && c !== '[') return JSON_SCALAR.test(c) ? 'in-scalar' : null;
  if (stack.length >= MAX_JSON_DEPTH) return null;
  place.stack += c;
  return c === '{' ? 'key-or-end' : 'value-or-end';
}

function leave(place: JsonPlace): JsonExpectation {
  place.stack = place.stack.slice(0, -1);
  return afterJsonValue(place);
}

/** What comes behind a value. */
export function afterJsonValue({ stack }: JsonPlace): JsonExpectation {
  return stack === '' ? 'done' : 'comma-or-end';
}

import { z } from 'zod';

/**
 * Member types as the reference reads them (pydantic's lax mode): `"5"`, `5.0` and `true` are integers, `"0.5"` is a float, `"true"` and `1`
 * are booleans, strings are strict. Each carries the JSON Schema of all that for the OpenAPI document in its metadata.
 */

const INTEGER_TEXT = /^\s*[+-]?\d+(?:_\d+)*(?:\.0+)?\s*$/;
const FLOAT_TEXT = /^\s*[+-]?(?:(?:\d+(?:_\d+)*\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|inf(?:inity)?|nan)\s*$/i;
const TRUE_TEXT = new Set(['true', '1', 't', 'y', 'yes', 'on']);
const FALSE_TEXT = new Set(['false', '0', 'f', 'n', 'no', 'off']);

/** An integer as the reference reads one, or undefined where the value is none. */
export function readInteger(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isInteger(value) ? value : undefined;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value === 'string' && INTEGER_TEXT.test(value)) return Number(value.replaceAll('_', ''));
  return undefined;
}

/** A token id, or undefined. No vocabulary reaches 2^53, beyond which an answer could not repeat the id exactly. */
export function readTokenId(value: unknown): number | undefined {
  const read = readInteger(value);
  return Number.isSafeInteger(read) ? read : undefined;
}

/** A float as the reference reads one, or undefined where the value is none. */
export function readFloat(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value === 'string' && FLOAT_TEXT.test(value)) {
    const text = value.trim().toLowerCase().replaceAll('_', '');
    if (/inf/.test(text)) return text.startsWith('-') ? -Infinity : Infinity;
    return text.endsWith('nan') ? Number.NaN : Number(text);
  }
  return undefined;
}

export function readBoolean(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (value === 0 || value === 1) return value === 1;
  if (typeof value === 'string') {
    const text = value.toLowerCase();
    if (TRUE_TEXT.has(text)) return true;
    if (FALSE_TEXT.has(text)) return false;
  }
  return undefined;
}

type JsonSchema = Record<string, unknown>;

/** Texts that are read as an integer. */
export const INTEGER_TEXT_PATTERN: string = String.raw`^[ \t\n\r]*[+-]?[0-9]+(_[0-9]+)*(\.0+)?[ \t\n\r]*$`;

/** All that is read as the type, for the OpenAPI document. */
const INTEGER_SCHEMAS: readonly JsonSchema[] = [
  { type: 'integer' },
  { type: 'boolean' },
  { type: 'string', pattern: INTEGER_TEXT_PATTERN },
];
/** What is read as a float. */
export const FLOAT_SCHEMAS: readonly JsonSchema[] = [
  { type: 'number' },
  { type: 'boolean' },
  { type: 'string', pattern: String.raw`^[ \t\n\r]*[+-]?([0-9]+(_[0-9]+)*\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?[ \t\n\r]*$` },
  { type: 'string', pattern: String.raw`^[ \t\n\r]*[+-]?([iI][nN][fF]([iI][nN][iI][tT][yY])?|[nN][aA][nN])[ \t\n\r]*$` },
];
/** What is read as a boolean. */
export const BOOLEAN_SCHEMAS: readonly JsonSchema[] = [
  { type: 'boolean' },
  { enum: [0, 1] },
  { type: 'string', pattern: '^([tT]([rR][uU][eE])?|[fF]([aA][lL][sS][eE])?|[yY]([eE][sS])?|[nN][oO]?|[oO][nN]|[oO][fF][fF]|[01])$' },
];

function lax<T>(read: (value: unknown) => T | undefined, schemas: readonly JsonSchema[], wanted: string): z.ZodType<T> {
  return z
    .unknown()
    .transform((value, context): T => {
      const result = read(value);
      if (result !== undefined) return result;
      context.addIssue({ code: 'custom', message: `Input should be a valid ${wanted}`, input: value });
      return z.NEVER;
    })
    .meta({ anyOf: schemas });
}

export const laxInteger: z.ZodType<number> = lax(readInteger, INTEGER_SCHEMAS, 'integer');
export const laxFloat: z.ZodType<number> = lax(readFloat, FLOAT_SCHEMAS, 'number');
export const laxBoolean: z.ZodType<boolean> = lax(readBoolean, BOOLEAN_SCHEMAS, 'boolean');

/** What is read as an integer within bounds. Of integers in texts only those are shown that surely are within them. */
export function integerSchemas(minimum?: number, maximum?: number): readonly JsonSchema[] {
  if (minimum === undefined) return INTEGER_SCHEMAS;
  return [
    { type: 'integer', minimum, ...(maximum === undefined ? {} : { maximum }) },
    minimum > 0 ? { const: true } : { type: 'boolean' },
    { type: 'string', pattern: String.raw`^[ \t\n\r]*\+?[0-9]{1,9}(\.0+)?[ \t\n\r]*$` },
  ];
}

/** What is read as a token id. */
export const TOKEN_ID_SCHEMAS: readonly JsonSchema[] = integerSchemas(0, Number.MAX_SAFE_INTEGER);

/**
 * A list of token ids, checked in one pass by hand: zod's own array check costs tens of ms for 100,000 ids.
 * @param minimum the lowest id allowed; undefined where negative ids pass (streams)
 */
export function tokenIds(minimum?: number): z.ZodType<number[]> {
  return z
    .unknown()
    .transform((value, context): number[] => {
      if (!Array.isArray(value)) {
        context.addIssue({ code: 'custom', message: 'Input should be a valid list', input: value });
        return z.NEVER;
      }
      let ids = value as number[];
      for (let at = 0; at < ids.length; at += 1) {
        const id: unknown = ids[at];
        if (Number.isSafeInteger(id) && (minimum === undefined || (id as number) >= minimum)) continue;
        const read = readTokenId(id);
        if (read === undefined || (minimum !== undefined && read < minimum)) {
          const message = read === undefined ? 'Input should be a valid token id' : `Input should be greater than or equal to ${minimum}`;
          context.addIssue({ code: 'custom', message, input: id, path: [at] });
          return z.NEVER;
        }
        if (ids === value) ids = [...ids];
        ids[at] = read;
      }
      return ids;
    })
    .meta({ type: 'array', items: { anyOf: minimum === undefined ? INTEGER_SCHEMAS : TOKEN_ID_SCHEMAS } });
}

import { z } from 'zod';

/**
 * Member types as the reference reads them (pydantic's lax mode): `"5"`, `5.0` and `true` are integers, `"0.5"` is a float, `"true"` and `1`
 * are booleans, strings are strict. Each carries the JSON type for the OpenAPI document in its metadata.
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

function lax<T>(read: (value: unknown) => T | undefined, type: string, wanted: string): z.ZodType<T> {
  return z
    .unknown()
    .transform((value, context): T => {
      const result = read(value);
      if (result !== undefined) return result;
      context.addIssue({ code: 'custom', message: `Input should be a valid ${wanted}`, input: value });
      return z.NEVER;
    })
    .meta({ type });
}

export const laxInteger: z.ZodType<number> = lax(readInteger, 'integer', 'integer');
export const laxFloat: z.ZodType<number> = lax(readFloat, 'number', 'number');
export const laxBoolean: z.ZodType<boolean> = lax(readBoolean, 'boolean', 'boolean');

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
        if (typeof id === 'number' && Number.isInteger(id) && (minimum === undefined || id >= minimum)) continue;
        const read = readInteger(id);
        if (read === undefined || (minimum !== undefined && read < minimum)) {
          const message = read === undefined ? 'Input should be a valid integer' : `Input should be greater than or equal to ${minimum}`;
          context.addIssue({ code: 'custom', message, input: id, path: [at] });
          return z.NEVER;
        }
        if (ids === value) ids = [...ids];
        ids[at] = read;
      }
      return ids;
    })
    .meta({ type: 'array', items: minimum === undefined ? { type: 'integer' } : { type: 'integer', minimum } });
}

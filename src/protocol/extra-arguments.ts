import { z } from 'zod';
import { PythonNumber } from '../core/python-json.ts';
import { isRecord } from './typed-shape.ts';

export type ExtraArgument = string | number | PythonNumber | (string | number | PythonNumber)[];

/** Text stays text; whole numbers and flags are integers, others floats. */
function readExtra(value: unknown): string | number | PythonNumber | undefined {
  return typeof value === 'string' || typeof value === 'number' || value instanceof PythonNumber
    ? value
    : typeof value === 'boolean'
      ? Number(value)
      : undefined;
}

/** An extra argument, or undefined where the value is none. */
export function readExtraArgument(value: unknown): ExtraArgument | undefined {
  if (!Array.isArray(value)) return readExtra(value);
  const read = value.map(readExtra);
  return read.includes(undefined) ? undefined : (read as ExtraArgument);
}

/** `vllm_xargs`: texts, numbers and lists of them, for the engine's extensions. */
export const extraArguments: z.ZodType<Record<string, ExtraArgument>> = z
  .unknown()
  .transform((value, context): Record<string, ExtraArgument> => {
    const result: Record<string, ExtraArgument> = {};
    if (!isRecord(value)) context.addIssue({ code: 'custom', message: 'Input should be a valid dictionary', input: value });
    else {
      for (const [name, argument] of Object.entries(value)) {
        const read = readExtraArgument(argument);
        if (read !== undefined) result[name] = read;
        else
          context.addIssue({
            code: 'custom',
            message: 'Input should be a string, a number, or a list of them',
            input: argument,
            path: [name],
          });
      }
    }
    return result;
  })
  .meta({
    type: 'object',
    additionalProperties: {
      anyOf: [{ type: ['string', 'number', 'boolean'] }, { type: 'array', items: { type: ['string', 'number', 'boolean'] } }],
    },
  });

import { z } from 'zod';
import { readTokenId, TOKEN_ID_SCHEMAS } from './lax.ts';

/** The prompt of a completion request: a text or token ids, or a list of either. */
export type CompletionPrompt = string | number[] | string[] | number[][] | null;

interface Problem {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** Token ids in one pass; the list itself where nothing has to be converted. */
function readIds(list: readonly unknown[], at: readonly PropertyKey[]): number[] | Problem {
  let ids = list as number[];
  for (let index = 0; index < list.length; index += 1) {
    const item = list[index];
    if (Number.isSafeInteger(item) && (item as number) >= 0) continue;
    const read = readTokenId(item);
    if (read === undefined || read < 0) {
      const message = read === undefined ? 'Input should be a valid token id' : 'Input should be greater than or equal to 0';
      return { path: [...at, index], message };
    }
    if (ids === list) ids = [...list] as number[];
    ids[index] = read;
  }
  return ids;
}

function readIdLists(list: readonly unknown[]): number[][] | Problem {
  const result: number[][] = [];
  for (const [index, item] of list.entries()) {
    if (!Array.isArray(item)) return { path: [index], message: 'Input should be a valid list' };
    const ids = readIds(item, [index]);
    if (!Array.isArray(ids)) return ids;
    result.push(ids);
  }
  return result;
}

/** The forms in the order in which the reference tries them; texts win over numbers that are written as texts. */
function readPrompt(value: unknown): CompletionPrompt | Problem {
  if (value === null || typeof value === 'string') return value;
  if (!Array.isArray(value)) return { path: [], message: 'Input should be a text, a list of texts, or token ids' };
  if (value.length > 0 && value.every((item) => typeof item === 'string')) return value;
  const ids = readIds(value, []);
  if (Array.isArray(ids)) return ids;
  const lists = readIdLists(value);
  // The reference names what is wrong for a list of token ids, its first form.
  return Array.isArray(lists) ? lists : ids;
}

/** `prompt` of a completion request. */
export const completionPrompt: z.ZodType<CompletionPrompt> = z
  .unknown()
  .transform((value, context): CompletionPrompt => {
    const read = readPrompt(value ?? null);
    if (read === null || typeof read === 'string' || Array.isArray(read)) return read;
    context.addIssue({ code: 'custom', message: read.message, input: value, path: [...read.path] });
    return z.NEVER;
  })
  .meta({
    anyOf: [
      { type: 'string' },
      { type: 'array', items: { type: 'string' } },
      { type: 'array', items: { anyOf: TOKEN_ID_SCHEMAS } },
      { type: 'array', items: { type: 'array', items: { anyOf: TOKEN_ID_SCHEMAS } } },
      { type: 'null' },
    ],
  });

import type { z } from 'zod';
import { invalidBody } from '../core/errors.ts';

const SHOWN = 10;

function location(path: readonly PropertyKey[], prefix = 'body'): string {
  return [prefix, ...path].map(String).join('.');
}

function wording({ message }: z.core.$ZodIssue): string {
  return message.endsWith('received undefined') ? 'Field required' : message.replace(/^Invalid input: e/, 'E');
}

/** One line an issue, up to ten, under a line that counts them. @param prefix what stands before each path */
export function describeIssues(issues: readonly z.core.$ZodIssue[], prefix = 'body'): string {
  const lines = issues.slice(0, SHOWN).map((issue) => `  ${location(issue.path, prefix)}: ${wording(issue)}`);
  if (issues.length > SHOWN) lines.push(`  ...and ${issues.length - SHOWN} more errors`);
  return [`${issues.length} validation error${issues.length === 1 ? '' : 's'}:`, ...lines].join('\n');
}

/**
 * Checks a request body against its schema.
 * @returns the body with members read (lax types, defaults)
 * @throws ApiError 400 `Bad Request`; `param` is the path of the first error, the message lists up to ten.
 */
export function validateBody<T>(schema: z.ZodType<T>, body: unknown): T {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  const { issues } = result.error;
  throw invalidBody(describeIssues(issues), location(issues[0]?.path ?? []));
}

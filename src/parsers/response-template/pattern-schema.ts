import { z } from 'zod';
import { compilePattern } from '../pattern/pattern-program.ts';
import type { Pattern } from '../pattern/pattern-program.ts';
import { PatternError } from '../pattern/pattern-syntax.ts';

/** A regular expression in Python's notation, compiled. */
export const patternSchema: z.ZodType<Pattern, string> = z.string().transform((source, context) => {
  try {
    return compilePattern(source);
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    context.addIssue({ code: 'custom', message: `the regular expression cannot be used: it has ${error.message}` });
    return z.NEVER;
  }
});

import { z } from 'zod';

/** Where a JSON text stands, by brackets and strings alone. */
export interface JsonScan {
  /** Open brackets and braces. */
  depth: number;
  inString: boolean;
  /** The last unit was a backslash inside a string. */
  escaped: boolean;
}

export const jsonScanState: z.ZodType<JsonScan> = z.object({ depth: z.int().min(0), inString: z.boolean(), escaped: z.boolean() });

export function startScan(): JsonScan {
  return { depth: 0, inString: false, escaped: false };
}

/**
 * Follows a JSON text from `from` on and stops behind the unit that closes the outermost bracket.
 * @returns the UTF-16 offset behind that unit, or -1 where the text ends before
 */
export function scanToClose(scan: JsonScan, text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    const c = text[at];
    if (scan.inString) {
      if (scan.escaped) scan.escaped = false;
      else if (c === '\\') scan.escaped = true;
      else if (c === '"') scan.inString = false;
    } else if (c === '"') {
      scan.inString = true;
    } else if (c === '{' || c === '[') {
      scan.depth += 1;
    } else if ((c === '}' || c === ']') && scan.depth > 0) {
      scan.depth -= 1;
      if (scan.depth === 0) return at + 1;
    }
  }
  return -1;
}

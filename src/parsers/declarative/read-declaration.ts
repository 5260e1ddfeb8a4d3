import { LineCounter, isMap, isScalar, isSeq, parseDocument } from 'yaml';
import type { Node } from 'yaml';
import type { z } from 'zod';
import { StartupError } from '../../core/errors.ts';
import { issueClause } from '../../core/schema-issue.ts';
import type { Declaration } from './declaration.ts';
import { declarationSchema } from './declaration-schema.ts';

/** Where the members of a file stand. */
class Lines {
  private readonly counter: LineCounter;
  private readonly root: Node | null;

  constructor(root: Node | null, counter: LineCounter) {
    this.root = root;
    this.counter = counter;
  }

  /** The line of a member, or of the innermost one around it that is there. */
  find(path: readonly PropertyKey[]): { line: number; isThere: boolean } {
    let node: unknown = this.root;
    let line = 1;
    for (const step of path) {
      let next: unknown = null;
      if (isMap(node)) {
        const pair = node.items.find(({ key }) => isScalar(key) && key.value === step);
        line = this.lineOf(pair?.key) ?? line;
        next = pair?.value;
      } else if (isSeq(node)) {
        next = node.items[Number(step)];
        line = this.lineOf(next) ?? line;
      }
      if (next === null || next === undefined) return { line, isThere: false };
      node = next;
    }
    return { line, isThere: true };
  }

  private lineOf(node: unknown): number | undefined {
    const { range } = (node ?? {}) as { range?: readonly number[] | null };
    return range?.[0] === undefined ? undefined : this.counter.linePos(range[0]).line;
  }
}

function describe(issue: z.core.$ZodIssue, lines: Lines): string {
  const unknown = issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
  const { line } = lines.find([...issue.path, ...unknown]);
  const { isThere } = lines.find(issue.path);
  const member = issue.path.length > 0 ? `${issue.path.join('.')} ` : '';
  return `line ${line}: ${member}${issueClause(issue, !isThere)}`;
}

/**
 * Reads a format's file.
 * @param text YAML
 * @param fileName for messages
 * @throws StartupError that names the file, the lines and what is wrong there
 */
export function readDeclaration(text: string, fileName: string): Declaration {
  const counter = new LineCounter();
  const document = parseDocument(text, { lineCounter: counter });
  const [broken] = document.errors;
  if (broken) {
    const what = broken.message.split(/ at line \d/, 1)[0] ?? '';
    throw new StartupError(`${fileName}, line ${broken.linePos?.[0].line ?? 1}: no valid YAML: ${what}.`);
  }
  const value: unknown = document.toJS();
  const read = declarationSchema.safeParse(value);
  if (read.success) return read.data;
  const lines = new Lines(document.contents, counter);
  throw new StartupError(`${fileName} declares no format:\n${read.error.issues.map((issue) => `  ${describe(issue, lines)}`).join('\n')}`);
}

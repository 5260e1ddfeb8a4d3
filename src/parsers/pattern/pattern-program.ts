import { PatternError, parsePattern } from './pattern-syntax.ts';
import type { Assertion, PatternNode } from './pattern-syntax.ts';

/** One step of a match; those without `to` go on with the next. */
export type Instruction =
  | { kind: 'unit'; test: (character: string) => boolean; literal: string | null }
  | { kind: 'fork'; to: readonly [preferred: number, other: number] }
  | { kind: 'jump'; to: number }
  | { kind: 'save'; slot: number }
  | { kind: 'assert'; what: Assertion }
  | { kind: 'match' };

/** A regular expression, ready to be looked for. */
export interface Pattern {
  source: string;
  instructions: readonly Instruction[];
  /** Slots of a match's offsets: 0 its end in front of a lookahead, then the beginning and end of each named group. */
  slots: number;
  groups: ReadonlyMap<string, number>;
  /** The characters that a match may begin with; null where they cannot be listed. */
  first: ReadonlySet<string> | null;
}

/** Repetitions are written out, so a small pattern may need a large program. */
const MAX_INSTRUCTIONS = 10_000;

class Compiler {
  readonly instructions: Instruction[] = [];
  readonly groups = new Map<string, number>();
  slots = 1;

  /** @param isLast nothing of the pattern follows */
  add(node: PatternNode, isLast: boolean): void {
    if (this.instructions.length > MAX_INSTRUCTIONS) throw new PatternError('too many repetitions');
    switch (node.kind) {
      case 'unit':
        this.instructions.push({ kind: 'unit', ...node.test });
        break;
      case 'assert':
        this.instructions.push(node);
        break;
      case 'group':
        this.group(node.name, node.inner, isLast);
        break;
      case 'ahead':
        if (!isLast) throw new PatternError('a lookahead that is not at its end');
        this.instructions.push({ kind: 'save', slot: 0 });
        this.add(node.inner, false);
        break;
      case 'sequence':
        for (const [index, part] of node.parts.entries()) this.add(part, isLast && index === node.parts.length - 1);
        break;
      case 'choice':
        this.choice(node.branches, isLast);
        break;
      case 'repeat':
        this.repeat(node);
    }
  }

  private group(name: string | null, inner: PatternNode, isLast: boolean): void {
    if (name === null) return this.add(inner, isLast);
    if (this.groups.has(name)) throw new PatternError(`more than one group named ${name}`);
    const slot = this.slots;
    this.groups.set(name, slot);
    this.slots += 2;
    this.instructions.push({ kind: 'save', slot });
    this.add(inner, false);
    this.instructions.push({ kind: 'save', slot: slot + 1 });
  }

  private choice(branches: readonly PatternNode[], isLast: boolean): void {
    const exits: number[] = [];
    for (const [index, branch] of branches.entries()) {
      const isLastBranch = index === branches.length - 1;
      const fork = isLastBranch ? null : this.reserve();
      this.add(branch, isLast);
      if (fork === null) continue;
      exits.push(this.reserve());
      this.instructions[fork] = { kind: 'fork', to: [fork + 1, this.instructions.length] };
    }
    for (const exit of exits) this.instructions[exit] = { kind: 'jump', to: this.instructions.length };
  }

  private repeat({ inner, min, max, lazy }: PatternNode & { kind: 'repeat' }): void {
    const loop = (inside: number, behind: number): Instruction => ({ kind: 'fork', to: lazy ? [behind, inside] : [inside, behind] });
    const isOpen = max === null;
    // Of an open repetition the last copy is the one that is gone through again.
    for (let count = isOpen ? 1 : 0; count < min; count += 1) this.add(inner, false);
    if (isOpen && min > 0) {
      const start = this.instructions.length;
      this.add(inner, false);
      this.instructions.push(loop(start, this.instructions.length + 1));
      return;
    }
    const forks: number[] = [];
    for (let count = min; count < (max ?? 1); count += 1) {
      forks.push(this.reserve());
      this.add(inner, false);
    }
    const [first] = forks;
    if (isOpen && first !== undefined) this.instructions.push({ kind: 'jump', to: first });
    for (const fork of forks) this.instructions[fork] = loop(fork + 1, this.instructions.length);
  }

  private reserve(): number {
    return this.instructions.push({ kind: 'match' }) - 1;
  }
}

/** The characters that a match may begin with, if they are few and known. */
function firstCharacters(instructions: readonly Instruction[]): ReadonlySet<string> | null {
  const first = new Set<string>();
  const seen = new Set<number>();
  const open = [0];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const instruction = instructions[at];
    if (seen.has(at) || !instruction) continue;
    seen.add(at);
    if (instruction.kind === 'fork') open.push(...instruction.to);
    else if (instruction.kind === 'jump') open.push(instruction.to);
    else if (instruction.kind === 'save') open.push(at + 1);
    else if (instruction.kind !== 'unit' || instruction.literal === null) return null;
    else first.add(instruction.literal);
  }
  return first;
}

function build(source: string, root: PatternNode): Pattern {
  const compiler = new Compiler();
  compiler.add(root, true);
  compiler.instructions.push({ kind: 'match' });
  const { instructions, slots, groups } = compiler;
  return { source, instructions, slots, groups, first: firstCharacters(instructions) };
}

/**
 * Compiles a regular expression in Python's notation.
 * @throws PatternError for what is none, or cannot be matched in one pass
 */
export function compilePattern(source: string): Pattern {
  return build(source, parsePattern(source));
}

/** A pattern that matches the given texts, the longest first. */
export function literalPattern(literals: readonly string[]): Pattern {
  const branches = [...literals]
    .sort((a, b) => b.length - a.length)
    .map((literal): PatternNode => ({
      kind: 'sequence',
      parts: Array.from(literal, (c): PatternNode => ({ kind: 'unit', test: { literal: c, test: (other) => other === c } })),
    }));
  return build(literals.join('|'), { kind: 'choice', branches });
}

import { CLASS_ESCAPES, anyOf, caseless, single } from './unit-tests.ts';
import type { UnitTest } from './unit-tests.ts';

/** What must hold between two characters, without taking one. */
export type Assertion = 'text-start' | 'line-start' | 'text-end' | 'end' | 'line-end' | 'word-border' | 'no-word-border';

export type PatternNode =
  | { kind: 'unit'; test: UnitTest }
  | { kind: 'assert'; what: Assertion }
  | { kind: 'group'; name: string | null; inner: PatternNode }
  | { kind: 'ahead'; inner: PatternNode }
  | { kind: 'sequence'; parts: readonly PatternNode[] }
  | { kind: 'choice'; branches: readonly PatternNode[] }
  | { kind: 'repeat'; inner: PatternNode; min: number; max: number | null; lazy: boolean };

/** A pattern that is none, or one with means that this reader does not have. */
export class PatternError extends Error {
  override readonly name = 'PatternError';
}

const SIMPLE_ESCAPES: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['f', '\f'],
  ['v', '\v'],
  ['a', '\u0007'],
  ['0', '\0'],
]);
const COUNT = /^\{(\d*)(?:(,)(\d*))?\}/;
const MAX_COUNT = 1000;

/** Reads Python's notation of regular expressions, from the left. */
class PatternReader {
  private at = 0;
  private ignoreCase = false;
  private multiline = false;
  private readonly source: string;

  constructor(source: string) {
    this.source = source;
  }

  read(): PatternNode {
    const flags = /^\(\?([aimsu]+)\)/.exec(this.source);
    if (flags) {
      this.at = flags[0].length;
      this.ignoreCase = flags[1]?.includes('i') === true;
      this.multiline = flags[1]?.includes('m') === true;
    }
    const node = this.choice();
    if (this.at < this.source.length) throw new PatternError('a parenthesis that is closed but not opened');
    return node;
  }

  private choice(): PatternNode {
    const branches = [this.sequence()];
    while (this.take('|')) branches.push(this.sequence());
    return branches.length === 1 && branches[0] ? branches[0] : { kind: 'choice', branches };
  }

  private sequence(): PatternNode {
    const parts: PatternNode[] = [];
    while (this.at < this.source.length && !this.sees('|') && !this.sees(')')) parts.push(this.repeated());
    return parts.length === 1 && parts[0] ? parts[0] : { kind: 'sequence', parts };
  }

  private repeated(): PatternNode {
    let node = this.atom();
    for (;;) {
      const count = this.count();
      if (!count) return node;
      if (node.kind === 'assert' || node.kind === 'ahead') throw new PatternError('a repetition of what takes no character');
      if (this.take('+')) throw new PatternError('possessive repetitions');
      node = { kind: 'repeat', inner: node, ...count, lazy: this.take('?') };
    }
  }

  private count(): { min: number; max: number | null } | null {
    if (this.take('*')) return { min: 0, max: null };
    if (this.take('+')) return { min: 1, max: null };
    if (this.take('?')) return { min: 0, max: 1 };
    const match = COUNT.exec(this.source.slice(this.at));
    // Anything else in braces is text.
    if (!match || (match[1] === '' && match[2] === undefined)) return null;
    this.at += match[0].length;
    const min = Number(match[1]);
    const max = match[2] === undefined ? min : match[3] === '' ? null : Number(match[3]);
    if (min > MAX_COUNT || (max !== null && (max > MAX_COUNT || max < min))) throw new PatternError(`the repetition ${match[0]}`);
    return { min, max };
  }

  private atom(): PatternNode {
    if (this.take('(')) return this.group();
    if (this.take('[')) return this.unit(this.characterClass());
    if (this.take('.')) return { kind: 'unit', test: { literal: null, test: () => true } };
    if (this.take('^')) return { kind: 'assert', what: this.multiline ? 'line-start' : 'text-start' };
    if (this.take('$')) return { kind: 'assert', what: this.multiline ? 'line-end' : 'end' };
    if (this.take('\\')) return this.escape();
    if (/^[*+?]/.test(this.source.slice(this.at))) throw new PatternError('a repetition of nothing');
    return this.unit(single(this.character()));
  }

  private group(): PatternNode {
    let name: string | null = null;
    let isAhead = false;
    if (this.take('?')) {
      const named = /^P?<([A-Za-z_]\w*)>/.exec(this.source.slice(this.at));
      if (named) {
        name = named[1] ?? null;
        this.at += named[0].length;
      } else if (this.take('=')) isAhead = true;
      else if (!this.take(':')) throw new PatternError(`the group (?${this.source.slice(this.at, this.at + 2)}…)`);
    }
    const inner = this.choice();
    if (!this.take(')')) throw new PatternError('a parenthesis that is not closed');
    return isAhead ? { kind: 'ahead', inner } : { kind: 'group', name, inner };
  }

  private escape(): PatternNode {
    const c = this.source.charAt(this.at);
    const what = ASSERTION_ESCAPES.get(c);
    if (what) {
      this.at += 1;
      return { kind: 'assert', what };
    }
    return this.unit(this.escaped());
  }

  /** What stands behind a backslash, inside of a class or outside. */
  private escaped(): UnitTest {
    const c = this.character();
    const known = CLASS_ESCAPES.get(c);
    if (known) return { literal: null, test: known };
    const plain = SIMPLE_ESCAPES.get(c);
    if (plain !== undefined) return single(plain);
    const digits = { x: 2, u: 4, U: 8 }[c];
    if (digits !== undefined) {
      const code = this.source.slice(this.at, this.at + digits);
      if (code.length < digits || !/^[\da-fA-F]+$/.test(code) || Number.parseInt(code, 16) > 0x10_ff_ff) throw new PatternError(`\\${c}`);
      this.at += digits;
      return single(String.fromCodePoint(Number.parseInt(code, 16)));
    }
    if (/[A-Za-z\d]/.test(c)) throw new PatternError(`\\${c}`);
    return single(c);
  }

  private characterClass(): UnitTest {
    const negated = this.take('^');
    const tests: UnitTest[] = [];
    for (let first = true; first || !this.sees(']'); first = false) {
      const low = this.classMember();
      if (low.literal === null || !this.sees('-') || this.source[this.at + 1] === ']') {
        tests.push(low);
        continue;
      }
      this.at += 1;
      const high = this.classMember();
      if (high.literal === null || high.literal < low.literal) throw new PatternError('a range of characters that is none');
      const [from, to] = [low.literal.codePointAt(0) ?? 0, high.literal.codePointAt(0) ?? 0];
      tests.push({
        literal: null,
        test: (c) => {
          const code = c.codePointAt(0) ?? 0;
          return code >= from && code <= to;
        },
      });
    }
    this.at += 1;
    const set = anyOf(this.ignoreCase ? tests.map(caseless) : tests);
    return negated ? { literal: null, test: (c) => !set.test(c) } : set;
  }

  private classMember(): UnitTest {
    if (this.at >= this.source.length) throw new PatternError('a bracket that is not closed');
    return this.take('\\') ? this.escaped() : single(this.character());
  }

  private unit(test: UnitTest): PatternNode {
    return { kind: 'unit', test: this.ignoreCase ? caseless(test) : test };
  }

  private character(): string {
    const code = this.source.codePointAt(this.at);
    if (code === undefined) throw new PatternError('a backslash at its end');
    const c = String.fromCodePoint(code);
    this.at += c.length;
    return c;
  }

  private sees(text: string): boolean {
    return this.source.startsWith(text, this.at);
  }

  private take(text: string): boolean {
    if (!this.sees(text)) return false;
    this.at += text.length;
    return true;
  }
}

const ASSERTION_ESCAPES: ReadonlyMap<string, Assertion> = new Map([
  ['A', 'text-start'],
  ['Z', 'text-end'],
  ['z', 'text-end'],
  ['b', 'word-border'],
  ['B', 'no-word-border'],
]);

/**
 * Reads a regular expression in Python's notation. `.` stands for any character, newlines too.
 * @throws PatternError for what is none, and for backreferences, lookarounds other than `(?=…)` at the end, and possessive repetitions
 */
export function parsePattern(source: string): PatternNode {
  return new PatternReader(source).read();
}

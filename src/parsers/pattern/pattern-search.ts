import type { Instruction, Pattern } from './pattern-program.ts';
import type { Assertion } from './pattern-syntax.ts';
import { isWordCharacter } from './unit-tests.ts';

export interface PatternMatch {
  kind: 'match';
  /** UTF-16 offsets. */
  start: number;
  end: number;
  /** Named groups that took part. */
  groups: Readonly<Record<string, string>>;
}

/** With more text there may be a match that begins here. */
export interface PendingMatch {
  kind: 'pending';
  start: number;
}

/** The text that a pattern is looked for in. */
export interface SearchedText {
  text: string;
  /** UTF-16 offset to begin at. */
  from: number;
  /** The character in front of `text`; empty where `text` begins the whole. */
  before: string;
  /** Nothing follows on `text`. */
  final: boolean;
}

interface Thread {
  at: number;
  start: number;
  slots: readonly number[];
}

/** Whether an assertion holds at an offset; null where the text that decides has not come yet. */
function holds(what: Assertion, { text, before, final }: SearchedText, at: number): boolean | null {
  const previous = at > 0 ? text.charAt(at - 1) : before;
  if (what === 'text-start') return previous === '';
  if (what === 'line-start') return previous === '' || previous === '\n';
  if (at === text.length && !final) return null;
  const next = text.charAt(at);
  if (what === 'text-end') return next === '';
  if (what === 'line-end') return next === '' || next === '\n';
  if (what === 'end') {
    if (next === '\n' && at === text.length - 1 && !final) return null;
    return next === '' || (next === '\n' && at === text.length - 1);
  }
  const isBorder = isWordCharacter(previous) !== isWordCharacter(next);
  return isBorder === (what === 'word-border');
}

/** One search: all ways to match go on side by side, the preferred ones first, so that its cost is linear in the text. */
class Search {
  private readonly pattern: Pattern;
  private readonly searched: SearchedText;
  /** Offset, plus one, at which an instruction was last reached. */
  private readonly reached: Int32Array;
  private readonly unset: readonly number[];
  private threads: Thread[] = [];

  constructor(pattern: Pattern, searched: SearchedText) {
    this.pattern = pattern;
    this.searched = searched;
    this.reached = new Int32Array(pattern.instructions.length);
    this.unset = Array.from({ length: pattern.slots }, () => -1);
  }

  run(): PatternMatch | PendingMatch | null {
    const { text, final } = this.searched;
    let match: PatternMatch | null = null;
    let at = this.searched.from;
    for (;;) {
      if (match === null) {
        if (this.threads.length === 0) at = this.nextStart(at);
        this.follow({ at: 0, start: at, slots: this.unset }, at);
      }
      if (at >= text.length || (this.threads.length === 0 && match !== null)) break;
      const c = String.fromCodePoint(text.codePointAt(at) ?? 0);
      const current = this.threads;
      this.threads = [];
      for (const thread of current) {
        const instruction = this.pattern.instructions[thread.at] as Instruction;
        if (instruction.kind === 'match') {
          match = this.matchOf(thread, at);
          break;
        }
        if (instruction.kind === 'unit' && instruction.test(c)) this.follow({ ...thread, at: thread.at + 1 }, at + c.length);
      }
      at += c.length;
    }
    for (const thread of this.threads) {
      if (this.pattern.instructions[thread.at]?.kind === 'match') return this.matchOf(thread, at);
      if (!final && thread.start < text.length) return { kind: 'pending', start: thread.start };
    }
    return match;
  }

  private nextStart(from: number): number {
    const { first } = this.pattern;
    const { text } = this.searched;
    if (first === null) return from;
    let at = from;
    while (at < text.length && !first.has(text.charAt(at)) && !first.has(String.fromCodePoint(text.codePointAt(at) ?? 0))) at += 1;
    return at;
  }

  /** Goes on from an instruction to those that take a character, match, or must wait for more text. */
  private follow(from: Thread, at: number): void {
    const open: Thread[] = [from];
    for (let thread = open.pop(); thread !== undefined; thread = open.pop()) {
      const instruction = this.pattern.instructions[thread.at] as Instruction;
      if (this.reached[thread.at] === at + 1) continue;
      this.reached[thread.at] = at + 1;
      switch (instruction.kind) {
        case 'jump':
          open.push({ ...thread, at: instruction.to });
          break;
        case 'fork':
          open.push({ ...thread, at: instruction.to[1] }, { ...thread, at: instruction.to[0] });
          break;
        case 'save':
          open.push({ ...thread, at: thread.at + 1, slots: thread.slots.with(instruction.slot, at) });
          break;
        case 'assert': {
          const holdsHere = holds(instruction.what, this.searched, at);
          if (holdsHere) open.push({ ...thread, at: thread.at + 1 });
          else if (holdsHere === null) this.threads.push(thread);
          break;
        }
        default:
          this.threads.push(thread);
      }
    }
  }

  private matchOf({ start, slots }: Thread, at: number): PatternMatch {
    const groups: Record<string, string> = {};
    for (const [name, slot] of this.pattern.groups) {
      const [from = -1, to = -1] = slots.slice(slot, slot + 2);
      if (from !== -1 && to !== -1) groups[name] = this.searched.text.slice(from, to);
    }
    const end = slots[0] ?? -1;
    return { kind: 'match', start, end: end === -1 ? at : end, groups };
  }
}

/**
 * The match that begins first, by the preferences of the pattern; or where one may begin that needs more text; null where there is
 * neither. Text in front of a pending match cannot belong to one.
 */
export function searchPattern(pattern: Pattern, searched: SearchedText): PatternMatch | PendingMatch | null {
  return new Search(pattern, searched).run();
}

/** All matches in a complete text, one behind the other. */
export function allMatches(pattern: Pattern, text: string): PatternMatch[] {
  const matches: PatternMatch[] = [];
  let from = 0;
  while (from <= text.length) {
    const match = searchPattern(pattern, { text, from, before: '', final: true });
    if (match?.kind !== 'match') break;
    matches.push(match);
    from = match.end > match.start ? match.end : match.end + 1;
  }
  return matches;
}

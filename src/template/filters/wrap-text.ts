import { charge } from '../budget.ts';
import { valueError } from '../errors.ts';
import { codePointLength, codePoints } from '../values/text.ts';

interface WrapOptions {
  readonly width: number;
  readonly breakLongWords: boolean;
  readonly breakOnHyphens: boolean;
}

const SPACE = String.raw`[\t\n\v\f\r ]`;
const WORD = String.raw`[\p{L}\p{N}_]`;
const PUNCTUATED = String.raw`[\p{L}\p{N}_!"'&.,?]`;
const LETTER = String.raw`[\p{L}\p{Nl}\p{No}_]`;

// White space; or a dash between words; or a word up to its end, up to a dash, or up to a hyphen between letters.
const CHUNK = new RegExp(
  `${SPACE}+|(?<=${PUNCTUATED})-{2,}(?=${WORD})|` +
    `[^\\t\\n\\v\\f\\r ]+?(?:-(?:(?<=${LETTER}{2}-)|(?<=${LETTER}-${PUNCTUATED}-))(?=${LETTER}-?${LETTER})|(?=${SPACE}|$)|(?<=${PUNCTUATED})(?=-{2,}${WORD}))`,
  'gu',
);
const SIMPLE_CHUNK = new RegExp(`${SPACE}+|[^\\t\\n\\v\\f\\r ]+`, 'gu');

function chunks(line: string, breakOnHyphens: boolean): string[] {
  charge(line.length);
  const parts: string[] = [];
  let position = 0;
  for (const match of line.matchAll(breakOnHyphens ? CHUNK : SIMPLE_CHUNK)) {
    if (match.index > position) parts.push(line.slice(position, match.index));
    parts.push(match[0]);
    position = match.index + match[0].length;
  }
  if (position < line.length) parts.push(line.slice(position));
  return parts;
}

const isBlank = (chunk: string): boolean => /^[\t\n\v\f\r ]*$/.test(chunk);

/** Cuts what does not fit from a word that is longer than a line: after a hyphen, if one is in reach. @returns what fits, and the rest. */
function breakWord(word: string, room: number, breakOnHyphens: boolean): [string, string] {
  const characters = codePoints(word);
  let end = room;
  if (breakOnHyphens && room > 0 && characters.length > room) {
    const hyphen = characters.lastIndexOf('-', room - 1);
    if (hyphen > 0 && characters.slice(0, hyphen).some((character) => character !== '-')) end = hyphen + 1;
  }
  return [characters.slice(0, end).join(''), characters.slice(end).join('')];
}

/**
 * @returns the line in pieces of at most `width` code points, as Python's `textwrap.wrap` has them.
 * @throws PythonError `ValueError` where the width is not positive.
 */
export function wrapText(line: string, { width, breakLongWords, breakOnHyphens }: WrapOptions): string[] {
  if (width <= 0) throw valueError(`invalid width ${width} (must be > 0)`);
  const lines: string[] = [];
  const rest = chunks(line, breakOnHyphens).reverse();
  while (rest.length > 0) {
    charge(1);
    const current: string[] = [];
    let used = 0;
    if (lines.length > 0 && isBlank(rest.at(-1) as string)) rest.pop();
    for (let chunk = rest.at(-1); chunk !== undefined; chunk = rest.at(-1)) {
      const size = codePointLength(chunk);
      if (used + size > width) break;
      current.push(rest.pop() as string);
      used += size;
    }
    const next = rest.at(-1);
    if (next !== undefined && codePointLength(next) > width) {
      if (breakLongWords) {
        const [head, tail] = breakWord(next, width - used, breakOnHyphens);
        current.push(head);
        rest[rest.length - 1] = tail;
      } else if (current.length === 0) current.push(rest.pop() as string);
    }
    if (current.length > 0 && isBlank(current.at(-1) as string)) current.pop();
    if (current.length > 0) lines.push(current.join(''));
  }
  return lines;
}

/** Whether one character fits. `literal` is the character where only one does. */
export interface UnitTest {
  literal: string | null;
  test: (character: string) => boolean;
}

const WORD = /[\p{L}\p{N}_]/u;
const DIGIT = /\p{Nd}/u;
/** What Python takes for white space. */
const SPACE = /[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;

export function isWordCharacter(c: string): boolean {
  return WORD.test(c);
}

/** The escapes that stand for many characters. */
export const CLASS_ESCAPES: ReadonlyMap<string, (c: string) => boolean> = new Map([
  ['d', (c: string) => DIGIT.test(c)],
  ['D', (c: string) => !DIGIT.test(c)],
  ['w', isWordCharacter],
  ['W', (c: string) => !WORD.test(c)],
  ['s', (c: string) => SPACE.test(c)],
  ['S', (c: string) => !SPACE.test(c)],
]);

export function single(literal: string): UnitTest {
  return { literal, test: (c) => c === literal };
}

export function anyOf(tests: readonly UnitTest[]): UnitTest {
  const [only] = tests;
  if (tests.length === 1 && only) return only;
  return { literal: null, test: (c) => tests.some(({ test }) => test(c)) };
}

/** The same without regard to case. */
export function caseless({ test }: UnitTest): UnitTest {
  return { literal: null, test: (c) => test(c) || test(c.toLowerCase()) || test(c.toUpperCase()) };
}

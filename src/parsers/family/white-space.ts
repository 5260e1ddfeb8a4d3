/** What Python's `str.strip` takes for white space: other units than JavaScript's `trim` at the edges of both sets. */
const SPACE = '\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000';
const LEADING = new RegExp(`^[${SPACE}]+`);
const BLANK = new RegExp(`^[${SPACE}]*$`);
const ONE = new RegExp(`[${SPACE}]`);

/** Python's `str.lstrip`. */
export function stripStart(text: string): string {
  return text.replace(LEADING, '');
}

/** Python's `str.rstrip`. */
export function stripEnd(text: string): string {
  let end = text.length;
  // A regular expression anchored at the end would try every run of white space in the text.
  while (end > 0 && ONE.test(text[end - 1] ?? '')) end -= 1;
  return text.slice(0, end);
}

/** Python's `str.strip`. */
export function strip(text: string): string {
  return stripEnd(stripStart(text));
}

/** Whether there is nothing but white space. */
export function isBlank(text: string): boolean {
  return BLANK.test(text);
}

/**
 * Parts text from the white space at its end, which is held until it is known whether more follows.
 * @param held white space held so far
 * @returns what can be given out, and what is held now
 */
export function holdEnd(held: string, text: string): [given: string, held: string] {
  // Long runs of white space are not read again with each piece.
  if (isBlank(text)) return ['', held + text];
  const all = held + text;
  const given = stripEnd(all);
  return [given, all.slice(given.length)];
}

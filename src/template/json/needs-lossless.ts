// A number that JSON.parse does not keep: with a fraction of zeros or an exponent, -0, or with so many digits that a double may not hold it.
const LOSSY_NUMBER = /\d[eE]|\.0+(?!\d)|-0(?![.\d])|\d{16}|[NI]/;
// Objects list keys like array indexes first, in ascending order.
const INDEX_KEY = /^(?:0|[1-9]\d{0,9})$/;

/** @returns the index of the quote that ends the string which begins at `start`, or the text's length where none does. */
function stringEnd(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let backslashes = 0;
    while (text[quote - 1 - backslashes] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return quote;
  }
  return text.length;
}

function isKey(text: string, after: number): boolean {
  let at = after;
  while (/\s/.test(text[at] ?? '')) at += 1;
  return text[at] === ':';
}

/**
 * Tells whether `JSON.parse` would lose something that a template can see: 1.0 becomes 1, large integers are rounded, the key "10" comes
 * after "2", `NaN` is refused. Strings are skipped, so the cost is that of searching their ends.
 *
 * @param ignoreTopLevel leaves out the scalar members of the outermost object, which in requests are no template's business (`"temperature": 1.0`).
 */
export function needsLosslessJson(text: string, ignoreTopLevel = false): boolean {
  let depth = 0;
  let at = 0;
  while (at < text.length) {
    const quote = text.indexOf('"', at);
    const between = text.slice(at, quote < 0 ? text.length : quote);
    const visible = ignoreTopLevel ? visiblePart(between, depth) : { part: between, depth };
    ({ depth } = visible);
    if (LOSSY_NUMBER.test(visible.part)) return true;
    if (quote < 0) return false;
    const end = stringEnd(text, quote);
    if (end - quote <= 11 && INDEX_KEY.test(text.slice(quote + 1, end)) && isKey(text, end + 1)) return true;
    at = end + 1;
  }
  return false;
}

/** @returns what of the text between two strings lies deeper than the outermost object. */
function visiblePart(between: string, before: number): { part: string; depth: number } {
  let depth = before;
  let part = '';
  let start = 0;
  for (let index = 0; index < between.length; index += 1) {
    const character = between[index];
    const opens = character === '{' || character === '[';
    if (!opens && character !== '}' && character !== ']') continue;
    if (depth > 1) part += `${between.slice(start, index)} `;
    depth += opens ? 1 : -1;
    start = index;
  }
  return { part: depth > 1 ? part + between.slice(start) : part, depth };
}

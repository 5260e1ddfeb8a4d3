/** A piece of markup between an opening and a closing tag. */
export interface Element {
  /** What the opening tag's groups matched. */
  groups: readonly (string | undefined)[];
  body: string;
  /** UTF-16 offsets of the whole element. */
  from: number;
  to: number;
}

/**
 * The elements of a text, one behind the other, each up to the first closing tag: in one pass, where a regular expression would look for
 * the closing tag again from each opening one.
 * @param open the opening tag, with the flag `g`
 */
export function elementsOf(text: string, open: RegExp, close: string): Element[] {
  const elements: Element[] = [];
  const tag = new RegExp(open.source, open.flags);
  for (;;) {
    const match = tag.exec(text);
    if (!match) return elements;
    const start = match.index + match[0].length;
    const end = text.indexOf(close, start);
    if (end === -1) return elements;
    elements.push({ groups: match.slice(1), body: text.slice(start, end), from: match.index, to: end + close.length });
    tag.lastIndex = end + close.length;
  }
}

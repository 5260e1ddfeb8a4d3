/** Length in Unicode code points, as Python counts text. */
export function codePointLength(text: string): number {
  let length = text.length;
  for (let at = 0; at < text.length - 1; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit < 0xd800 || unit > 0xdbff) continue;
    const next = text.charCodeAt(at + 1);
    if (next < 0xdc00 || next > 0xdfff) continue;
    length -= 1;
    at += 1;
  }
  return length;
}

/** Where the code point with this number stands, in UTF-16 code units. */
export function codePointIndex(text: string, point: number): number {
  let at = 0;
  for (let left = point; left > 0 && at < text.length; left -= 1) at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  return at;
}

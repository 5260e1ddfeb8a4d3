import fc from 'fast-check';

/** A text in pieces of one to five units. */
export function cutsOf(text: string): fc.Arbitrary<string[]> {
  return fc.array(fc.integer({ min: 1, max: 5 }), { minLength: text.length, maxLength: text.length }).map((lengths) => {
    const pieces: string[] = [];
    for (let at = 0, index = 0; at < text.length; index += 1) {
      const length = lengths[index] ?? 1;
      pieces.push(text.slice(at, at + length));
      at += length;
    }
    return pieces;
  });
}

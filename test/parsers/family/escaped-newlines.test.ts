import fc from 'fast-check';
import { expect, it } from 'vitest';
import { recoverNewlines } from '../../../src/parsers/family/escaped-newlines.ts';

function recover(parts: readonly string[]): string {
  const state = { closing: null, held: '' };
  return parts.map((part) => recoverNewlines(state, part)).join('') + state.held;
}

it.each([
  ['a\\nb\\r\\nc\\rd', 'a\nb\nc\nd'],
  ['a\\\\nb', 'a\\\\nb'],
  ['`x\\n` y\\n', '`x\\n` y\n'],
  ['```\n"\\n"\n``` z\\n', '```\n"\\n"\n``` z\n'],
  ['$\\nu$ and $$\\nu$$ \\n', '$\\nu$ and $$\\nu$$ \n'],
  ['\\(\\nabla\\) \\[\\nu\\] \\n', '\\(\\nabla\\) \\[\\nu\\] \n'],
  ['C:\\x', 'C:\\x'],
  ['end\\', 'end\\'],
])('%j becomes %j', (text, recovered) => {
  expect(recover([text])).toBe(recovered);
});

it('recovers the same however the text is cut', () => {
  const part = fc.constantFrom('\\', 'n', 'r', '`', '``', '$', '(', '[', ')', ']', 'x', ' ');
  fc.assert(fc.property(fc.array(part), (parts) => recover(parts) === recover([parts.join('')])));
});

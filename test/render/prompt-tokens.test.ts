import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boundIds, checkTokenizeOptions, tokenizePrompt } from '../../src/render/prompt-tokens.ts';
import type { TokenizeOptions } from '../../src/render/prompt-tokens.ts';
import { bad, refusal } from '../protocol/thrown.ts';
import { letters, textOf } from './letter-render.ts';

const options = (changes: Partial<TokenizeOptions> = {}): TokenizeOptions => ({
  maxModelLen: 10,
  maxOutputTokens: null,
  maxOutputTokensName: 'max_tokens',
  truncateTo: null,
  truncationSide: null,
  addSpecialTokens: false,
  returnOffsets: false,
  ...changes,
});

async function kept(text: string, changes: Partial<TokenizeOptions>): Promise<string> {
  return textOf((await tokenizePrompt(letters, text, options(changes))).ids);
}

describe('a prompt', () => {
  it('is cut at the side that the request or the tokenizer names', async () => {
    expect(await kept('abcdef', { truncateTo: 4 })).toBe('abcd');
    expect(await kept('abcdef', { truncateTo: 4, truncationSide: 'left' })).toBe('cdef');
    expect(await kept('abcdef', { truncateTo: 9 })).toBe('abcdef');
    expect(await kept('abcdef', { truncateTo: 0 })).toBe('');
  });

  it('keeps the tokens of the tokenizer itself where the request names no side', async () => {
    expect(await kept('abcdef', { truncateTo: 4, addSpecialTokens: true })).toBe('^ab$');
    expect(await kept('abcdef', { truncateTo: 4, addSpecialTokens: true, truncationSide: 'left' })).toBe('def$');
  });

  it('is cut to the context, less one token for the output', async () => {
    expect(await kept('abcdefghijklm', { truncateTo: -1 })).toBe('abcdefghi');
    expect(await kept('abcdefghijklm', { truncateTo: -1, maxOutputTokens: 0 })).toBe('abcdefghij');
  });

  it('is refused where it is longer than the context', async () => {
    await expect(kept('abcdefghijklm', {})).rejects.toMatchObject({ status: 400, param: 'input_tokens' });
    await expect(kept('x'.repeat(51), {})).rejects.toMatchObject({ status: 400, param: 'input_text' });
    expect(
      refusal(() =>
        boundIds(
          letters,
          Array.from({ length: 11 }, () => 5),
          options(),
        ),
      ),
    ).toEqual(bad('input_tokens'));
  });

  it('has offsets in code points, also where its front is cut off', async () => {
    const { ids, offsets } = await tokenizePrompt(letters, 'a👋b', options({ returnOffsets: true, addSpecialTokens: true }));
    expect(textOf(ids)).toBe('^a👋b$');
    expect(offsets).toEqual([
      [0, 0],
      [0, 1],
      [1, 2],
      [2, 3],
      [0, 0],
    ]);
    const cut = await tokenizePrompt(
      letters,
      `${'👋'.repeat(60)}ab`,
      options({ returnOffsets: true, truncateTo: 2, truncationSide: 'left' }),
    );
    expect(textOf(cut.ids)).toBe('ab');
    expect(cut.offsets).toEqual([
      [60, 61],
      [61, 62],
    ]);
  });

  it('keeps the end or the beginning of any text', async () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(
        text,
        fc.integer({ min: 0, max: 10 }),
        fc.constantFrom<'left' | 'right'>('left', 'right'),
        async (given, truncateTo, side) => {
          const points = Array.from(given);
          const wanted = side === 'left' ? points.slice(Math.max(0, points.length - truncateTo)) : points.slice(0, truncateTo);
          expect(await kept(given, { truncateTo, truncationSide: side })).toBe(wanted.join(''));
        },
      ),
    );
  });
});

describe('the numbers of a request', () => {
  it('may not be beyond the context', () => {
    expect(refusal(() => checkTokenizeOptions(options({ maxOutputTokens: 11 })))).toEqual(bad('max_tokens'));
    expect(refusal(() => checkTokenizeOptions(options({ truncateTo: 11 })))).toEqual(bad('truncate_prompt_tokens'));
    expect(refusal(() => checkTokenizeOptions(options({ maxOutputTokens: 10, truncateTo: 10 })))).toBeNull();
  });
});

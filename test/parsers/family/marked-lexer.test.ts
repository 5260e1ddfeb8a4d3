import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ParserContext, Piece } from '../../../src/core/stream-parser.ts';
import type { Vocabulary } from '../../../src/core/vocabulary.ts';
import { createMarkedLexer } from '../../../src/parsers/family/marked-lexer.ts';
import type { Markers } from '../../../src/parsers/family/marked-lexer.ts';

const TOKENS = ['<call>', '<|end|>'];

const vocabulary: Vocabulary = {
  size: 2,
  tokenToId: (token) => (TOKENS.includes(token) ? TOKENS.indexOf(token) : undefined),
  idToToken: (id) => TOKENS[id],
  isAdded: (id) => id < 2,
  isSpecial: (id) => id === 1,
};
const context = { vocabulary, specialIds: new Set([1]) } as unknown as ParserContext;

const MARKERS: Markers = {
  spellings: { call: ['<call>'], name: ['<name='], quoted: ['<name="'], close: ['</call>'] },
  byToken: ['call'],
};

/** What the lexer finds, texts that follow one another joined. */
function lex(pieces: readonly Piece[]): [marker: string | null, text: string][] {
  const found: [string | null, string][] = [];
  const sink = {
    marker: (name: string, text: string) => void found.push([name, text]),
    text(text: string) {
      const last = found.at(-1);
      if (last?.[0] === null) last[1] += text;
      else found.push([null, text]);
    },
  };
  const lexer = createMarkedLexer(MARKERS, context);
  let held = '';
  for (const piece of pieces) held = lexer.push(held, piece, sink);
  lexer.flush(held, sink);
  return found;
}

const text = (written: string): Piece => ({ text: written, tokenId: null });

describe('createMarkedLexer', () => {
  it('finds markers in text, the longest that stands there', () => {
    expect(lex([text('a<name='), text('"b</ca'), text('ll> <na')])).toEqual([
      [null, 'a'],
      ['quoted', '<name="'],
      [null, 'b'],
      ['close', '</call>'],
      [null, ' <na'],
    ]);
    expect(lex([text('<name=')])).toEqual([['name', '<name=']]);
  });

  it('takes a marker that is a token only as a token', () => {
    expect(lex([text('<call>'), { text: '<call>', tokenId: 0 }])).toEqual([
      [null, '<call>'],
      ['call', '<call>'],
    ]);
  });

  it('finds special tokens that the format does not know', () => {
    expect(lex([text('a'), { text: '<|end|>', tokenId: 1 }, { text: '', tokenId: 1 }])).toEqual([
      [null, 'a'],
      ['', '<|end|>'],
      ['', ''],
    ]);
  });

  it('finds the same however the text is cut, and loses nothing', () => {
    const part = fc.constantFrom('<', 'name', '=', '"', '</', 'call', '>', 'x', '<name=', '</call>', '<call>');
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        const whole = lex([text(parts.join(''))]);
        expect(lex(parts.map(text))).toEqual(whole);
        expect(whole.map(([, written]) => written).join('')).toBe(parts.join(''));
      }),
    );
  });
});

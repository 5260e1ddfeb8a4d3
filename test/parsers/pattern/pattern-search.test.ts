import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compilePattern, literalPattern } from '../../../src/parsers/pattern/pattern-program.ts';
import { allMatches, searchPattern } from '../../../src/parsers/pattern/pattern-search.ts';
import { PatternError } from '../../../src/parsers/pattern/pattern-syntax.ts';

function find(source: string, text: string, final = true): unknown {
  return searchPattern(compilePattern(source), { text, from: 0, before: '', final });
}

/** The same in JavaScript's notation. */
function expected(source: string, text: string): unknown {
  const match = new RegExp(source.replaceAll('(?P<', '(?<'), 'su').exec(text);
  if (!match) return null;
  const groups = Object.fromEntries(Object.entries(match.groups ?? {}).filter(([, value]) => value !== undefined));
  return { kind: 'match', start: match.index, end: match.index + match[0].length, groups };
}

const PATTERNS = [
  'abc',
  'a|ab',
  'ab|a',
  'a*b',
  'a*?b',
  'a+',
  'a+?',
  '(?:ab)+c',
  'a{2,3}',
  'a{2,3}?b',
  'a{2}',
  '(?P<x>a+)(?P<y>b*)',
  '(?P<x>a|ab)(?P<y>c|bcd)?',
  '<(?P<n>[^>]*)>',
  '<(?P<n>.*?)>\\s*=(?P<v>.*?);',
  '[a-c]+[^a-c]',
  '\\w+\\d',
  '\\bab\\b',
  '^a|b$',
  '(?:a|b)*?c',
  'a(?=b)',
  'b(?=a|$)',
  '[\\]\\-x]+',
  '(?:)',
  'a{,2',
  'é|🙂+',
];

describe('searchPattern', () => {
  it.each(PATTERNS)('finds %s as JavaScript does', (source) => {
    if (source === 'a{,2') return expect(find(source, 'xa{,2')).toEqual({ kind: 'match', start: 1, end: 5, groups: {} });
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', 'b', 'c', 'd', '<', '>', '=', ';', ' ', '1', '-', ']', 'é', '🙂')), (units) => {
        // JavaScript's words are ASCII.
        const text = units.filter((unit) => unit !== 'é' || !/\\[wb]/.test(source)).join('');
        expect(find(source, text)).toEqual(expected(source, text));
      }),
      { numRuns: 300 },
    );
  });

  it('waits where more text may complete a match, from its beginning on', () => {
    expect(find('</call>', 'text</ca', false)).toEqual({ kind: 'pending', start: 4 });
    expect(find('</call>', 'text</ca')).toBeNull();
    expect(find('a\\b', 'xa', false)).toEqual({ kind: 'pending', start: 1 });
    expect(find('<n=(?P<n>\\w+)>', 'x<n=ab', false)).toEqual({ kind: 'pending', start: 1 });
    expect(find('<n=(?P<n>\\w+)>', 'x<n=ab<', false)).toEqual({ kind: 'pending', start: 6 });
    expect(find('a+', 'baa', false)).toEqual({ kind: 'pending', start: 1 });
    expect(find('a+', 'baab', false)).toMatchObject({ start: 1, end: 3 });
  });

  it('knows the beginning of the text from the middle of it', () => {
    const pattern = compilePattern('^<x>|\\n<x>');
    expect(searchPattern(pattern, { text: '<x>', from: 0, before: '', final: true })).toMatchObject({ start: 0 });
    expect(searchPattern(pattern, { text: '<x>', from: 0, before: 'a', final: true })).toBeNull();
  });

  it('prefers the longest of several texts', () => {
    const pattern = literalPattern(['</a>', '</a></b>', '.']);
    expect(searchPattern(pattern, { text: 'x</a></b>', from: 0, before: '', final: true })).toMatchObject({ start: 1, end: 9 });
    expect(searchPattern(pattern, { text: 'x</a>y', from: 0, before: '', final: true })).toMatchObject({ start: 1, end: 5 });
    expect(searchPattern(pattern, { text: 'x</a><', from: 0, before: '', final: false })).toEqual({ kind: 'pending', start: 1 });
  });

  it('finds all matches', () => {
    const pattern = compilePattern('<k>(?P<key>.*?)</k>\\s*<v>(?P<value>.*?)</v>');
    expect(allMatches(pattern, '<k>a</k><v>1</v> <k>b</k>\n<v>\n2</v><k>c').map(({ groups }) => groups)).toEqual([
      { key: 'a', value: '1' },
      { key: 'b', value: '\n2' },
    ]);
  });

  it('takes linear time where others would try every way', () => {
    const started = performance.now();
    expect(find('(?:a+)+b', 'a'.repeat(50_000))).toBeNull();
    expect(performance.now() - started).toBeLessThan(5000);
  });

  it.each([
    '(a',
    'a)',
    '[a',
    '*a',
    '(?<=a)b',
    '(?!a)',
    '\\1',
    'a++',
    'a(?=b)c',
    '(?P<x>a){2}',
    '(?P<x>a)(?P<x>b)',
    '\\q',
    'a{3,2}',
    'a\\',
    '[b-a]',
  ])('refuses %s', (source) => {
    expect(() => compilePattern(source)).toThrow(PatternError);
  });
});

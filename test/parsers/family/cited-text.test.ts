import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { citedTextState, closeCitedText, endCitedChunk, readCitedText, startCitedText } from '../../../src/parsers/family/cited-text.ts';
import { cutsOf } from './cuts.ts';

/** The text without tags, and the citations as `start-end:words`. */
function read(parts: readonly string[]): { text: string; citations: string[] } {
  const told = { text: '', citations: [] as string[] };
  const sink = {
    text: (text: string) => void (told.text += text),
    citation: ({ start, end, text }: { start: number; end: number; text: string }) => void told.citations.push(`${start}-${end}:${text}`),
  };
  let state = JSON.stringify(startCitedText());
  for (const part of parts) {
    const current = citedTextState.parse(JSON.parse(state));
    readCitedText(current, part, sink);
    endCitedChunk(current, false, sink);
    state = JSON.stringify(current);
  }
  closeCitedText(citedTextState.parse(JSON.parse(state)), sink);
  return told;
}

const TEXT = 'Die <co>rote 🙂</co: 0:[1,2],1:[0]> Brücke, <co>alt</co: 2:[0]> < 9 <b>. \n';

/** The same without a character that a cut could part. */
const PLAIN = TEXT.replace('🙂', 'x');

describe('cited text', () => {
  it('leaves the tags out and tells of citations in code points', () => {
    expect(read([TEXT])).toEqual({ text: 'Die rote 🙂 Brücke, alt < 9 <b>.', citations: ['4-10:rote 🙂', '19-22:alt'] });
  });

  it('reads the same however it is cut', () => {
    fc.assert(
      fc.property(cutsOf(PLAIN), (parts) => {
        expect(read(parts)).toEqual(read([PLAIN]));
      }),
    );
  });

  it('takes lone tags for text, and an open citation for none', () => {
    expect(read(['a </co: 0:[1]> b'])).toEqual({ text: 'a </co: 0:[1]> b', citations: [] });
    expect(read(['a <co>b'])).toEqual({ text: 'a b', citations: [] });
    expect(read(['a <c'])).toEqual({ text: 'a <c', citations: [] });
    expect(read([`<co>a</co: ${'1'.repeat(600)}`]).text).toContain('</co: 111');
  });
});

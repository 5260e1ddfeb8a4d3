import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Piece } from '../../src/core/stream-parser.ts';
import type { DecodingOptions } from '../../src/derender/decoding-options.ts';
import { cutOutput } from '../../src/derender/stop-cut.ts';
import { endHold, holdBack, startHold } from '../../src/derender/stop-hold.ts';
import { findStop } from '../../src/derender/stop-search.ts';
import type { EngineEnd } from '../../src/derender/stop-token.ts';
import type { StopHoldMember } from '../../src/protocol/stream-state.ts';

const text = (minLength: number, maxLength: number): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom('a', 'b'), { minLength, maxLength }).map((units) => units.join(''));

const token = fc.oneof(
  text(0, 3).map((piece): Piece[] => [{ text: piece, tokenId: null }]),
  fc.constant<Piece[]>([{ text: 'ba', tokenId: 7 }]),
  text(1, 2).map((piece): Piece[] => [
    { text: piece, tokenId: null },
    { text: 'ba', tokenId: 7 },
  ]),
);

const stops = fc.array(text(1, 4), { minLength: 1, maxLength: 3 });

const decoding = fc.record({
  skipSpecialTokens: fc.constant(false),
  stop: stops,
  stopTokenIds: fc.constant([]),
  minTokens: fc.nat(6),
  ignoreEos: fc.boolean(),
  includeStop: fc.boolean(),
});

const finish = fc.oneof(
  fc.constant<EngineEnd>({ finishReason: 'stop', stopReason: null }),
  fc.constant<EngineEnd>({ finishReason: 'length', stopReason: null }),
  fc.constant<EngineEnd>({ finishReason: 'stop', stopReason: 5 }),
);

const joined = (pieces: readonly Piece[]): string => pieces.map((piece) => piece.text).join('');
const markers = (pieces: readonly Piece[]): number => pieces.filter((piece) => piece.tokenId !== null).length;

interface Streamed {
  pieces: Piece[];
  stop: string | null;
}

/** A stream in chunks of the given sizes, the hold through JSON between them. */
function stream(tokens: readonly Piece[][], cuts: readonly number[], options: DecodingOptions, end: EngineEnd): Streamed {
  let carried = JSON.stringify(startHold());
  const pieces: Piece[] = [];
  let from = 0;
  for (const size of cuts) {
    const hold = JSON.parse(carried) as StopHoldMember;
    pieces.push(...holdBack(hold, tokens.slice(from, from + size), options));
    from += size;
    carried = JSON.stringify(hold);
  }
  const hold = JSON.parse(carried) as StopHoldMember;
  pieces.push(...holdBack(hold, tokens.slice(from), options));
  const last = endHold(hold, end, options);
  return { pieces: [...pieces, ...last.pieces], stop: last.stop };
}

describe('stop strings in a stream', () => {
  it('cut any chunking as the complete output is cut', () => {
    fc.assert(
      fc.property(
        fc.array(token, { maxLength: 12 }),
        fc.array(fc.integer({ min: 1, max: 4 })),
        decoding,
        finish,
        (tokens, cuts, options, end) => {
          const whole = cutOutput(tokens, end, options);
          const parts = stream(tokens, cuts, options, end);
          expect(joined(parts.pieces)).toBe(joined(whole.pieces));
          expect(markers(parts.pieces)).toBe(markers(whole.pieces));
          expect(parts.stop).toBe(whole.stop);
        },
      ),
      { numRuns: 1500 },
    );
  });

  it('honour the one that the engine reports, if the request has it', () => {
    fc.assert(
      fc.property(fc.array(token, { maxLength: 12 }), fc.array(fc.integer({ min: 1, max: 4 })), decoding, (tokens, cuts, options) => {
        const end: EngineEnd = { finishReason: 'stop', stopReason: options.stop.at(-1) ?? '' };
        const whole = cutOutput(tokens, end, options);
        const parts = stream(tokens, cuts, options, end);
        expect(joined(parts.pieces)).toBe(joined(whole.pieces));
        expect(parts.stop).toBe(whole.stop);
      }),
      { numRuns: 1000 },
    );
  });

  it('give out at once what cannot belong to one', () => {
    const options: DecodingOptions = {
      skipSpecialTokens: true,
      stop: ['END'],
      stopTokenIds: [],
      minTokens: 0,
      ignoreEos: false,
      includeStop: false,
    };
    const hold = startHold();
    expect(joined(holdBack(hold, [[{ text: 'Hello, world', tokenId: null }]], options))).toBe('Hello, world');
    expect(joined(holdBack(hold, [[{ text: '! E', tokenId: null }]], options))).toBe('! ');
    expect(joined(holdBack(hold, [[{ text: 'asy', tokenId: null }]], options))).toBe('Easy');
    expect(hold.pieces).toEqual([]);
  });

  it('are searched in linear time', () => {
    const long = 'a'.repeat(200_000);
    const times = Array.from({ length: 3 }, () => {
      const started = performance.now();
      expect(findStop(long, [`${'a'.repeat(100_000)}b`], 0)).toBeNull();
      return performance.now() - started;
    });
    expect(Math.min(...times)).toBeLessThan(500);
  });
});

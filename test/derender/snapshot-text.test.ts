import { describe, expect, it } from 'vitest';
import { packSnapshot, unpackSnapshot } from '../../src/derender/snapshot-text.ts';

describe('a snapshot on its way through a client', () => {
  it('stays as it is where it is Unicode text', () => {
    const snapshot = { tool: { held: '🪴 "\\ud83e"' } };
    expect(unpackSnapshot(packSnapshot(snapshot))).toEqual(snapshot);
    expect(packSnapshot({ tool: { held: '🪴' } })).toEqual({ tool: { held: '🪴' } });
  });

  it('travels as ASCII text where it holds half of a character', () => {
    const snapshot = { tool: { before: '🪴'.slice(-1) } };
    const sent = JSON.stringify({ snapshot: packSnapshot(snapshot) });
    expect(/^[\x20-\x7e]*$/.test((JSON.parse(sent) as { snapshot: string }).snapshot)).toBe(true);
    expect(unpackSnapshot((JSON.parse(sent) as { snapshot: unknown }).snapshot)).toEqual(snapshot);
  });

  it('is nothing where a client damaged it', () => {
    expect(unpackSnapshot('{')).toBeNull();
  });
});

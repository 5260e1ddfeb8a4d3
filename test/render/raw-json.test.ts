import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loads, PythonNumber } from '../../src/core/python-json.ts';
import { RawJson } from '../../src/render/raw-json.ts';

/** Everything below a part, found by its path. */
function collect(value: unknown, part: RawJson | undefined, found: [unknown, RawJson | undefined][]): void {
  found.push([value, part]);
  if (Array.isArray(value)) value.forEach((item, index) => collect(item, part?.item(index), found));
  else if (typeof value === 'object' && value !== null) {
    for (const [name, item] of Object.entries(value)) collect(item, part?.member(name), found);
  }
}

describe('a JSON text', () => {
  it('gives the parts of which JavaScript loses something', () => {
    const raw = new RawJson('{"a": {"b": [1, 1.0, {"c": 12345678901234567890}]}, "d" : "x", "e":1e2}');
    expect(raw.member('a')?.member('b')?.item(1)?.lossless()).toEqual(new PythonNumber('1.0', true));
    expect(raw.member('a')?.member('b')?.item(2)?.member('c')?.lossless()).toEqual(new PythonNumber('12345678901234567890', false));
    expect(raw.member('a')?.member('b')?.item(0)?.lossless()).toBeUndefined();
    expect(raw.member('d')?.lossless()).toBeUndefined();
    expect(raw.member('e')?.lossless()).toEqual(new PythonNumber('100.0', true));
  });

  it('has the last of members with one name, however it is written', () => {
    expect(new RawJson('{"a": 1.0, "\\u0061": 2.0}').member('a')?.lossless()).toEqual(new PythonNumber('2.0', true));
  });

  it('keeps members that look like numbers in their place', () => {
    const value = new RawJson('{"x": {"10": 1, "2": 2}}').member('x')?.lossless();
    expect(value instanceof Map ? [...value.keys()] : value).toEqual(['10', '2']);
  });

  it.each(['', ' ', '5', '"x"', '[1.0]', '{}', '{"a": {"b": 1.0}}'])('that has no such part gives none: %j', (text) => {
    expect(new RawJson(text).member('b')).toBeUndefined();
    expect(new RawJson(text).item(5)).toBeUndefined();
  });

  it('reads what stands inside strings as text', () => {
    const text = JSON.stringify({ a: 'x\\', b: '}]"{[,\\"', c: { d: ['"', '\\\\'] } }).replace('"c"', '"n": 1.0, "c"');
    expect(new RawJson(text).member('n')?.lossless()).toEqual(new PythonNumber('1.0', true));
    expect(new RawJson(text).member('c')?.member('d')?.item(1)).toBeDefined();
  });

  it('has every part of any value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(undefined, 1, '\t'), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        const found: [unknown, RawJson | undefined][] = [];
        collect(JSON.parse(text), new RawJson(text), found);
        for (const [plain, part] of found) {
          const lossless = part?.lossless();
          expect(part).toBeDefined();
          if (lossless !== undefined) expect(loads(JSON.stringify(plain))).toEqual(lossless);
        }
      }),
    );
  });
});

import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  compileTemplate,
  type Dict,
  Float,
  fromJs,
  parseJson,
  type Template,
  TemplateError,
  type Value,
} from '../../src/template/index.ts';
import { fixture } from './recorded.ts';

interface ValueFile {
  readonly valueTemplates: readonly string[];
  readonly numberTemplates: readonly string[];
  readonly cases: readonly { readonly json: string; readonly answers: readonly { readonly text?: string }[] }[];
}

function print(template: Template, value: unknown): { text?: string } {
  try {
    return { text: template.render({ x: value }).text };
  } catch (error) {
    if (error instanceof TemplateError) return {};
    throw error;
  }
}

describe('random values', () => {
  const file = JSON.parse(readFileSync(fixture('values.json'), 'utf8')) as ValueFile;
  const [values, numbers] = [file.valueTemplates, file.numberTemplates].map((templates) => templates.map(compileTemplate)) as [
    Template[],
    Template[],
  ];

  it('are read and printed as Python reads and prints them', () => {
    const wrong = file.cases.flatMap(({ json, answers }) => {
      const templates = answers.length === numbers.length ? numbers : values;
      return templates.flatMap((template, index) => {
        const { text } = print(template, parseJson(json));
        return text === answers[index]?.text ? [] : [{ template: template.source, json, want: answers[index]?.text, text }];
      });
    });
    expect(wrong).toEqual([]);
  });
});

const json = fc.jsonValue({ stringUnit: 'grapheme' });
const toJson = compileTemplate('{{ x|tojson }}');

describe('any JSON', () => {
  it('comes out of tojson as the same data', () => {
    fc.assert(
      fc.property(json, (data) => {
        expect(JSON.parse(toJson.render({ x: data }).text)).toEqual(JSON.parse(JSON.stringify(data)));
      }),
    );
  });

  it('is the same value from text and from data, apart from the kind of its numbers', () => {
    fc.assert(
      fc.property(json, (data) => {
        const text = JSON.stringify(data);
        // A double beyond the safe integers is written with fewer digits than it has.
        fc.pre(!/\d{16}|e\+/.test(text));
        const same = compileTemplate('{{ a == b }}').render({ a: parseJson(text), b: JSON.parse(text) as unknown });
        expect(same.text).toBe('True');
      }),
    );
  });

  it('is read again from what was written, number kinds and key order included', () => {
    fc.assert(
      fc.property(json, (data) => {
        const text = toJson.render({ x: data }).text;
        expect(toJson.render({ x: parseJson(text) }).text).toBe(text);
      }),
    );
  });
});

describe('lossless JSON', () => {
  const printed = (text: string): string => compileTemplate('{{ x }}').render({ x: parseJson(text) }).text;

  it.each([
    ['1.0', '1.0'],
    ['1', '1'],
    ['-0', '0'],
    ['-0.0', '-0.0'],
    ['1e3', '1000.0'],
    ['12345678901234567890', '12345678901234567890'],
    ['[NaN, Infinity, -Infinity]', '[nan, inf, -inf]'],
    ['{"10": 1, "2": 2, "10": 3}', "{'10': 3, '2': 2}"],
    ['{"__proto__": 1, "constructor": 2}', "{'__proto__': 1, 'constructor': 2}"],
    [String.raw`"\ud83d\ude00\u00e9"`, '😀é'],
  ])('%s is %s', (text, want) => {
    expect(printed(text)).toBe(want);
  });

  it.each(['', '{', '[1,]', '01', '"\n"', '{"a" 1}', 'nul', '1 2', '[1e]', `${'['.repeat(2000)}${']'.repeat(2000)}`])(
    'refuses %j',
    (text) => {
      expect(() => parseJson(text)).toThrow(SyntaxError);
    },
  );
});

describe('values from data', () => {
  it('keeps what is a value already, and leaves out undefined members', () => {
    const float = new Float(1);
    const value = fromJs({ a: float, b: undefined, c: [2n, 2n ** 70n, 1.5, null] }) as Dict;
    expect(value.get('a')).toBe(float);
    expect(value.keys()).toEqual(['a', 'c']);
    expect((value.get('c') as Value[]).map((item) => typeof item)).toEqual(['number', 'bigint', 'object', 'object']);
  });

  it('reads Maps in their order', () => {
    expect(
      (
        fromJs(
          new Map<string, unknown>([
            ['10', 1],
            ['2', { a: true }],
          ]),
        ) as Dict
      ).keys(),
    ).toEqual(['10', '2']);
  });

  it('refuses functions, and data that nests too deeply', () => {
    let deep: unknown = 1;
    for (let depth = 0; depth < 5000; depth += 1) deep = [deep];
    expect(() => fromJs({ f: () => 1 })).toThrow(TypeError);
    expect(() => fromJs(deep)).toThrow(TemplateError);
    expect(() => compileTemplate('{{ x }}').render({ x: deep })).toThrow(TemplateError);
  });
});

describe('text by code points', () => {
  const points = compileTemplate('{{ s|length }}|{{ s[i] }}|{{ s[i:j] }}|{{ s[::-1] }}|{{ s|list|length }}|{{ s.find(s[i:j]) >= 0 }}');

  it('counts, takes and slices whole characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: -12, max: 12 }), fc.integer({ min: -12, max: 12 }), (s, i, j) => {
        const all = Array.from(s);
        const want = [all.length, all.at(i) ?? '', all.slice(i, j).join(''), all.toReversed().join(''), all.length, 'True'].join('|');
        expect(points.render({ s, i, j }).text).toBe(want);
      }),
    );
  });
});

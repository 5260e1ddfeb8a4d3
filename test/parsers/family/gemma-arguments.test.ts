import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gemmaArguments } from '../../../src/parsers/family/gemma-arguments.ts';
import { gemmaContainerValue } from '../../../src/parsers/family/gemma-values.ts';
import { dumps } from '../../../src/core/python-json.ts';
import { cutsOf } from './cuts.ts';

const PROPERTIES = {
  city: { type: 'string' },
  days: { type: 'integer' },
  tags: { type: 'array' },
  where: { type: 'object', properties: { floor: { type: 'integer' }, open: {} } },
  filters: { type: 'object' },
};

/** What is written for arguments that come in these parts, each with the state through JSON. */
function read(parts: readonly string[], properties: Readonly<Record<string, unknown>> = PROPERTIES): string[] {
  let state = JSON.stringify(gemmaArguments.start());
  return [...parts, null].map((part) => {
    const current = gemmaArguments.stateSchema.parse(JSON.parse(state));
    let out = '';
    const write = (json: string): void => void (out += json);
    if (part === null) gemmaArguments.end(current, properties, write);
    else gemmaArguments.push(current, part, properties, write);
    state = JSON.stringify(current);
    return out;
  });
}

const ARGUMENTS = 'city:<|"|>Ber}g) (en <|<|"|>, days : 2,tags:[1,<|"|>a]<|"|>,true],where:{floor:3,open:false},filters:{x:{y:[1]}}}';

describe('arguments of Gemma 4', () => {
  it('takes types from the schema, and JSON where there is none', () => {
    expect(read([ARGUMENTS]).join('')).toBe(
      '{"city": "Ber}g) (en <|", "days": 2, "tags": [1, "a]", true], "where": {"floor": 3, "open": false}, "filters": {"x": {"y": ["1"]}}}',
    );
  });

  it('writes the same however the text is cut', () => {
    const whole = read([ARGUMENTS]).join('');
    fc.assert(
      fc.property(cutsOf(ARGUMENTS), (parts) => {
        expect(read(parts).join('')).toBe(whole);
      }),
    );
  });

  it('streams strings, without what may close the call behind them', () => {
    expect(read(['city:<|"|>', 'Ber', 'gen }', ' x', '<|"|>', ',days:', '7', '}'])).toEqual([
      '{"city": "',
      'Ber',
      'gen ',
      '} x',
      '',
      '',
      '',
      '',
      '", "days": 7}',
    ]);
  });

  it('closes what is cut off', () => {
    expect(read(['city:<|"|>Ber']).join('')).toBe('{"city": "Ber"}');
    expect(read(['tags:[<|"|>a<|"|>,tr']).join('')).toBe('{"tags": ["a"]}');
    expect(read(['days:1']).join('')).toBe('{"days": 1}');
    expect(read(['city:<|"|>x<|"|>,da']).join('')).toBe('{"city": "x"}');
    expect(read([')']).join('')).toBe('{}');
  });

  it('reads quoted keys, and everything of functions that are not known', () => {
    expect(read(['<|"|>a<|"|>:<|"|>b<|"|>,c:1.50,d:null,e:word)'], {}).join('')).toBe('{"a": "b", "c": 1.5, "d": null, "e": "word"}');
  });

  it('takes deep nesting for text', () => {
    expect(dumps(gemmaContainerValue('['.repeat(5000) + ']'.repeat(5000), undefined)).length).toBeLessThan(10_200);
  });

  it('writes JSON for any text', () => {
    const piece = fc.constantFrom('city', 'days', 'tags', ':', '<|"|>', ',', '{', '}', '[', ']', ' ', '(', ')', '1', 'x', '<|', '"', '\\');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (parts) => {
        const written = read(parts).join('');
        expect(() => void JSON.parse(written)).not.toThrow();
        expect(written).toBe(read([parts.join('')]).join(''));
      }),
    );
  });
});

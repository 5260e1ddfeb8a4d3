import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ArgumentsReader } from '../../../src/parsers/family/arguments-reader.ts';
import { createJsonReader } from '../../../src/parsers/family/json-arguments.ts';
import { elementsToJson } from '../../../src/parsers/family/minimax-m3-elements.ts';
import { minimaxParameters } from '../../../src/parsers/family/minimax-m2-markers.ts';
import { qwen3Parameters, verbatimParameters } from '../../../src/parsers/family/qwen3-markers.ts';
import type { Properties } from '../../../src/parsers/family/schema-coercion.ts';

const PROPERTIES: Properties = {
  city: { type: 'string' },
  days: { type: 'integer' },
  note: { type: ['string', 'null'] },
  where: { type: 'object', properties: { floor: { type: 'integer' }, name: { type: 'string' } } },
};

/** What a reader writes for a text that comes in these parts, each with the state through JSON. */
function read<State>(reader: ArgumentsReader<State>, parts: readonly string[], end: 'end' | 'cut', properties = PROPERTIES): string[] {
  let state = JSON.stringify(reader.start());
  const written: string[] = [];
  for (const part of [...parts, null]) {
    const current = reader.stateSchema.parse(JSON.parse(state));
    let out = '';
    const write = (json: string): void => void (out += json);
    if (part !== null) reader.push(current, part, properties, write);
    else if (end === 'end') reader.end(current, properties, write);
    else reader.cut(current, '', properties, write);
    written.push(out);
    state = JSON.stringify(current);
  }
  return written;
}

const whole = <State>(reader: ArgumentsReader<State>, text: string, properties = PROPERTIES): string =>
  read(reader, [text], 'end', properties).join('');

const parts = (text: string): fc.Arbitrary<string[]> =>
  fc.array(fc.integer({ min: 1, max: 5 }), { minLength: text.length, maxLength: text.length }).map((lengths) => {
    const cut: string[] = [];
    for (let at = 0, index = 0; at < text.length; index += 1) {
      cut.push(text.slice(at, at + (lengths[index] ?? 1)));
      at += lengths[index] ?? 1;
    }
    return cut;
  });

function holdsForAnyCut<State>(reader: ArgumentsReader<State>, text: string): void {
  const expected = whole(reader, text);
  fc.assert(fc.property(parts(text), (cut) => read(reader, cut, 'end').join('') === expected));
}

describe('XML-like parameters', () => {
  const text = '\n<parameter=city>\nBergen <b>\n\n</parameter>\n< parameter = days>\n3\n</ parameter >\n';

  it('trims one newline at each end of a value, and types it', () => {
    expect(whole(qwen3Parameters, text)).toBe('{"city": "Bergen <b>\\n", "days": 3}');
    expect(whole(verbatimParameters, '<parameter=city>\nx\n</parameter>')).toBe('{"city": "\\nx\\n"}');
  });

  it('streams strings and holds other values until the next parameter or the end', () => {
    const written = read(qwen3Parameters, ['<parameter=city>\nBer', 'gen\n', '</parameter><parameter=days>\n1', '2\n</parameter>'], 'end');
    expect(written).toEqual(['{"city": "Ber', 'gen', '", "days": ', '', '12}']);
  });

  it('ends a value where the next parameter begins, or the call ends', () => {
    expect(whole(qwen3Parameters, '<parameter=city>\nVigo\n<parameter=days>\n3\n')).toBe('{"city": "Vigo", "days": 3}');
  });

  it('leaves a cut-off value open, without the beginning of a tag', () => {
    expect(read(qwen3Parameters, ['<parameter=city>\nTartu\n</par'], 'cut').join('')).toBe('{"city": "Tartu');
    expect(read(qwen3Parameters, ['<parameter=days>\n1'], 'cut').join('')).toBe('{"days": 1');
    expect(read(qwen3Parameters, ['<parameter=city>\nTartu\n</parameter>'], 'cut').join('')).toBe('{"city": "Tartu"}');
    expect(read(qwen3Parameters, [''], 'cut').join('')).toBe('{}');
  });

  it('reads quoted and bare names', () => {
    const quotes = `<parameter name="a>b">1</parameter><parameter name='city'>2</parameter><parameter name=days>3</parameter>`;
    expect(whole(minimaxParameters, quotes)).toBe('{"a>b": "1", "city": "2", "days": 3}');
  });

  it('writes the same however the text is cut', () => {
    holdsForAnyCut(qwen3Parameters, text);
    holdsForAnyCut(minimaxParameters, '<parameter name="city">a < b</x></parameter>\n<parameter name="days">7</ parameter>');
  });

  it('takes any text', () => {
    const piece = fc.constantFrom('<parameter=', '</parameter>', '>', 'city', '\n', '<', '"', ' ', '/', 'parameter', '=', '</');
    fc.assert(
      fc.property(fc.array(piece), (cut) => {
        expect(JSON.parse(read(qwen3Parameters, cut, 'end').join(''))).toEqual(JSON.parse(whole(qwen3Parameters, cut.join(''))));
      }),
    );
  });
});

describe('JSON arguments', () => {
  const eager = createJsonReader({ waits: false, quotes: null });
  const late = createJsonReader({ waits: true, quotes: null });

  it('gives out what fits as it is written', () => {
    const written = read(eager, ['{"city"', ': "Ber', 'gen", "days":', ' 1', '2}'], 'end');
    expect(written).toEqual(['{"city"', ': "Ber', 'gen", "days":', ' 1', '2', '}']);
  });

  it('gives out what is no string with the next key, where it has to wait', () => {
    const written = read(late, ['{"city"', ': "Ber', 'gen", "days":', ' 1', '2}'], 'end');
    expect(written).toEqual(['', '{"city": "Ber', 'gen", "days":', ' ', '', '12}']);
  });

  it.each([
    ['{"days": "3", "city": 5, "note": null}', '{"days": 3, "city": "5", "note": null}'],
    ['{"note": "null", "city": null}', '{"note": null, "city": "null"}'],
    [
      '{"note": "nullable", "where": {"floor": "2", "name": 1, "x": "3"}}',
      '{"note": "nullable", "where": {"floor": 2, "name": "1", "x": "3"}}',
    ],
    ['"{\\"days\\": \\"3\\"}"', '{"days": 3}'],
    ['  {"days":1}\n', '{"days":1}'],
    ['', '{}'],
    ['{city: x', '{city: x'],
    ['{"city": "a"} and more', '{"city": "a"} and more'],
    ['{"days": 1]', '{"days": 1]'],
  ])('%j becomes %j', (text, json) => {
    expect(whole(eager, text)).toBe(json);
    expect(whole(late, text)).toBe(json);
  });

  it('writes the same however the text is cut', () => {
    const text =
      '{"city": "a \\" }{ \\u00e9", "note": "null", "days": "12", "where": {"floor": [1, {"floor": "3"}], "name": true}, "x": -1.5e3}';
    holdsForAnyCut(eager, text);
    holdsForAnyCut(late, text);
  });

  it('never changes JSON that has no schema', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const isText = typeof JSON.parse(text) === 'string';
        expect(whole(eager, text, {})).toBe(isText ? whole(eager, text, {}) : text.trim());
      }),
    );
  });

  it('tells markers in strings from others', () => {
    const reader = createJsonReader({ waits: false, quotes: 'likely-text' });
    const state = reader.start();
    const ignore = (): void => undefined;
    reader.push(state, '{"city": "a', PROPERTIES, ignore);
    expect(reader.quotes?.(state, 'call-end')).toBe('likely-text');
    reader.push(state, '"', PROPERTIES, ignore);
    expect(reader.quotes?.(state, 'call-end')).toBeNull();
  });
});

describe('MiniMax M3 elements', () => {
  const element = (name: string, body: string): string => `]<]minimax[>[<${name}>${body}]<]minimax[>[</${name}>`;

  it('nests, repeats and types', () => {
    const items = element('items', element('item', element('n', '1')) + element('item', element('n', '2')));
    const properties = { items: { type: 'array', items: { properties: { n: { type: 'integer' } } } }, none: { type: 'array' } };
    expect(elementsToJson(`\n${items}${element('a', 'x')}${element('a', 'y')}${element('none', '')}`, properties)).toBe(
      '{"items": [{"n": 1}, {"n": 2}], "a": ["x", "y"], "none": []}',
    );
  });

  it('keeps text beside children, and stops at what is malformed', () => {
    expect(elementsToJson(element('a', `x${element('b', '1')}`), {})).toBe('{"a": {"b": "1", "$text": "x"}}');
    expect(elementsToJson(`${element('a', '1')}]<]minimax[>[<b>2`, {})).toBe('{"a": "1"}');
  });

  it('does not follow elements without end', () => {
    const open = ']<]minimax[>[<a>'.repeat(5000);
    expect(elementsToJson(open, {})).toBe('{}');
  });
});

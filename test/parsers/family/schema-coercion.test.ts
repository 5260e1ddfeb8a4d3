import { describe, expect, it } from 'vitest';
import { dumps, loads } from '../../../src/core/python-json.ts';
import { coerceMembers, coerceText, isStringOnly, propertiesOf, typesOfSchema } from '../../../src/parsers/family/schema-coercion.ts';

const typed = (text: string, schema: unknown): string => dumps(coerceText(text, schema));

describe('typesOfSchema', () => {
  it.each([
    [{ type: 'integer' }, ['integer']],
    [{ type: ['string', 'null'] }, ['string', 'null']],
    [{ enum: ['a', 1, null, true, 1.5, [], {}] }, ['string', 'integer', 'null', 'boolean', 'number', 'array', 'object']],
    [{ anyOf: [{ type: 'integer' }, { oneOf: [{ type: 'null' }] }] }, ['integer', 'null']],
    [{ anyOf: [{ type: 'integer' }, {}] }, ['integer', 'string']],
    [{ $ref: '#/definitions/x' }, ['string']],
    [{}, ['string']],
    [{ type: 5, enum: [] }, ['string']],
    [null, ['string']],
    [[], ['string']],
  ])('%j allows %j', (schema, types) => {
    expect([...typesOfSchema(schema)]).toEqual(types);
  });

  it('does not follow schemas without end', () => {
    let schema: unknown = { type: 'integer' };
    for (let depth = 0; depth < 100_000; depth += 1) schema = { anyOf: [schema] };
    expect([...typesOfSchema(schema)]).toEqual(['string']);
  });
});

describe('coerceText', () => {
  it.each([
    ['7', { type: 'integer' }, '7'],
    [' -08 ', { type: 'integer' }, '-8'],
    ['1_000', { type: 'int64' }, '1000'],
    ['123456789012345678901234567890', { type: 'integer' }, '123456789012345678901234567890'],
    ['3.0', { type: 'integer' }, '3.0'],
    ['ten', { type: 'integer' }, '"ten"'],
    ['0.50', { type: 'number' }, '0.5'],
    ['1e3', { type: 'number' }, '1000'],
    ['1e999', { type: 'number' }, '"1e999"'],
    ['nan', { type: 'number' }, '"nan"'],
    ['False', { type: 'boolean' }, 'false'],
    ['1', { type: 'boolean' }, 'true'],
    ['yes', { type: 'boolean' }, '"yes"'],
    ['null', { type: 'boolean' }, 'null'],
    ['NULL', { type: ['string', 'null'] }, 'null'],
    ['null', { type: 'string' }, '"null"'],
    ['007', { type: ['string', 'integer'] }, '7'],
    ['[1, "a", {"k": 2.0}]', { type: 'array' }, '[1, "a", {"k": 2.0}]'],
    ['[1e999]', { type: 'array' }, '"[1e999]"'],
    ['{depth: 1}', { type: 'object' }, '"{depth: 1}"'],
    ['5', { type: 'unheard-of' }, '5'],
  ])('%j under %j is %s', (text, schema, json) => {
    expect(typed(text, schema)).toBe(json);
  });
});

it('coerces members, also nested ones, and leaves what fits as it is', () => {
  const properties = {
    count: { type: 'integer' },
    label: { type: 'string' },
    where: { type: 'object', properties: { floor: { type: 'integer' } } },
    tags: { type: 'array', items: { type: 'string' } },
  };
  const members = loads('{"count": "3", "label": 5, "where": {"floor": "2", "other": "2"}, "tags": [1, "x"], "free": "1"}');
  const coerced = coerceMembers(members as Map<string, never>, properties);
  expect(dumps(coerced)).toBe('{"count": 3, "label": "5", "where": {"floor": 2, "other": "2"}, "tags": ["1", "x"], "free": "1"}');
  const fitting = loads('{"count": 3, "tags": ["x"]}') as Map<string, never>;
  expect(coerceMembers(fitting, properties)).toBe(fitting);
});

it('finds no properties in names that every object has', () => {
  const tools = [{ name: 'f', description: null, parameters: { properties: { a: { type: 'integer' } } } }];
  expect(propertiesOf(tools, 'f')).toEqual({ a: { type: 'integer' } });
  expect(propertiesOf(tools, 'constructor')).toEqual({});
  const members = loads('{"constructor": "5", "__proto__": "6"}') as Map<string, never>;
  expect(coerceMembers(members, propertiesOf(tools, 'f'))).toBe(members);
});

it('knows which texts cannot change', () => {
  expect(isStringOnly({ type: 'string' })).toBe(true);
  expect(isStringOnly({ enum: ['a', 'b'] })).toBe(true);
  expect(isStringOnly({ type: ['string', 'null'] })).toBe(false);
});

import { describe, expect, it } from 'vitest';
import { dumps, loads } from '../../src/core/python-json.ts';
import type { PythonValue } from '../../src/core/python-json.ts';
import { structuralTagFormat, structuralTagProblem } from '../../src/protocol/structural-tag.ts';

const tagged = (format: unknown): string => JSON.stringify({ type: 'structural_tag', format });

function completed(format: unknown): string | null {
  const read = structuralTagFormat(loads(tagged(format)) as Map<string, PythonValue>);
  return read === null ? null : dumps(read as Map<string, PythonValue>);
}

const tag = { begin: '<f>', content: { type: 'any_text' }, end: '</f>' };

describe('a structural tag', () => {
  it.each([
    { type: 'any_text' },
    { type: 'const_string', value: 'x' },
    { type: 'json_schema', json_schema: true, style: 'qwen_xml' },
    { type: 'tag', begin: { type: 'token', token: 5 }, content: { type: 'any_tokens' }, end: ['a', 'b'] },
    { type: 'tag', begin: { token: '<x>' }, content: { type: 'any_text' }, end: '' },
    { type: 'triggered_tags', triggers: ['<f'], tags: [tag] },
    { type: 'tags_with_separator', tags: [tag], separator: ',' },
    { type: 'sequence', elements: [{ type: 'optional', content: { type: 'regex', pattern: 'a' } }] },
    { type: 'repeat', min: 0, max: -1, content: { type: 'grammar', grammar: 'root ::= "a"' } },
    { type: 'dispatch', rules: [['a', { type: 'any_text' }]], loop: false },
    { type: 'token_dispatch', rules: [[5, { type: 'any_text' }]] },
  ])('may be %j', (format) => {
    expect(structuralTagProblem(tagged(format))).toBeNull();
  });

  it.each([
    { type: 'no_such_format' },
    {},
    null,
    [],
    { type: 'const_string' },
    { type: 'const_string', value: 5 },
    { type: 'json_schema', json_schema: 'x' },
    { type: 'json_schema', json_schema: {}, style: 'yaml' },
    { type: 'tag', begin: 'a', content: {}, end: 'b' },
    { type: 'tag', begin: 'a', content: { type: 'any_text' } },
    { type: 'any_text', max_chars: -1 },
    { type: 'any_text', max_tokens: 2 ** 31 },
    { type: 'or', elements: { type: 'any_text' } },
    { type: 'sequence', elements: [{ type: 'any_text' }, { type: 'any_text', excludes: [1] }] },
    { type: 'dispatch', rules: [['a']] },
    { type: 'triggered_tags', triggers: [], tags: [tag] },
    { type: 'triggered_tags', triggers: ['<', '<f'], tags: [tag] },
    { type: 'triggered_tags', triggers: ['<f', '<f'], tags: [tag] },
    { type: 'triggered_tags', triggers: ['<g'], tags: [tag] },
    { type: 'triggered_tags', triggers: ['<f'], tags: [{ ...tag, begin: { token: 1 } }] },
  ])('is none that is %j', (format) => {
    expect(structuralTagProblem(tagged(format))).toBe('malformed');
  });

  it.each(['', 'x', '[]', '{"type": "x", "format": {"type": "any_text"}}', '{"type": "structural_tag"}'])('is none that is %j', (text) => {
    expect(structuralTagProblem(text)).toBe('malformed');
  });

  it('may leave out its type', () => {
    expect(structuralTagProblem('{"format": {"type": "any_text"}}')).toBeNull();
  });

  it('may have the older form', () => {
    const structures = [{ begin: '<f>', schema: {}, end: '</f>' }];
    expect(structuralTagProblem(JSON.stringify({ structures, triggers: ['<f'] }))).toBeNull();
    expect(structuralTagProblem(JSON.stringify({ structures, triggers: ['<g'] }))).toBe('malformed');
    expect(structuralTagProblem(JSON.stringify({ structures: [], triggers: ['<f'] }))).toBe('malformed');
    expect(structuralTagProblem(JSON.stringify({ structures: [{ begin: '<f>' }], triggers: ['<f'] }))).toBe('malformed');
  });

  it('may not nest without end', () => {
    let format: unknown = { type: 'any_text' };
    for (let depth = 0; depth < 100; depth += 1) format = { type: 'optional', content: format };
    expect(structuralTagProblem(tagged(format))).toBe('nested too deeply');
  });

  it('is checked in time that grows with its size', () => {
    const triggers = Array.from({ length: 20_000 }, (_, index) => `<${index}>`);
    const tags = triggers.map((begin) => ({ ...tag, begin }));
    const start = performance.now();
    expect(structuralTagProblem(tagged({ type: 'triggered_tags', triggers, tags }))).toBeNull();
    expect(performance.now() - start).toBeLessThan(5000);
  });
});

describe('the format of a structural tag', () => {
  it('has all members in order', () => {
    expect(completed({ max_chars: 5, type: 'any_text' })).toBe('{"type": "any_text", "excludes": [], "max_tokens": null, "max_chars": 5}');
    expect(completed({ type: 'triggered_tags', tags: [tag], stop_after_first: 'yes', triggers: ['<'] })).toBe(
      '{"type": "triggered_tags", "triggers": ["<"], "tags": [{"type": "tag", "begin": "<f>", "content": ' +
        '{"type": "any_text", "excludes": [], "max_tokens": null, "max_chars": null}, "end": "</f>"}], ' +
        '"at_least_one": false, "stop_after_first": true, "excludes": []}',
    );
    expect(completed({ type: 'dispatch', rules: [['a', { type: 'token', token: 'b' }]] })).toBe(
      '{"type": "dispatch", "rules": [["a", {"type": "token", "token": "b"}]], "loop": true, "excludes": []}',
    );
  });

  it('is null where there is none', () => {
    expect(completed({ type: 'x' })).toBeNull();
  });
});

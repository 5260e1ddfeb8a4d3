import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { compileTemplate, type ContentFormat } from '../../src/template/index.ts';
import { fixture } from './recorded.ts';

interface AnalysisFile {
  readonly cases: readonly { readonly template: string; readonly contentFormat: ContentFormat; readonly undeclared: readonly string[] }[];
}

describe('what the reference reads from a template', () => {
  const { cases } = JSON.parse(readFileSync(fixture('analysis.json'), 'utf8')) as AnalysisFile;

  it.each(cases)('$template', ({ template, contentFormat, undeclared }) => {
    const compiled = compileTemplate(template);
    expect(compiled.contentFormat()).toBe(contentFormat);
    expect([...compiled.undeclaredVariables()].sort()).toEqual([...undeclared].sort());
  });
});

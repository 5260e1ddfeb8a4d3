import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { compileTemplate, parseClockTime, type RenderOptions, TemplateError, type Variables } from '../../src/template/index.ts';
import { fixture, readRecorded, type Answer } from './recorded.ts';

// The places of objects in memory are printed by some templates, and are nobody's to know.
const withoutAddresses = (text: string): string => text.replaceAll(/0x[0-9a-f]{9,}/g, '0x…');

/** What the engine makes of a template, in the form of the recorded answers. */
function answer(template: string, variables: Variables, options: RenderOptions): Answer {
  try {
    return { text: withoutAddresses(compileTemplate(template).render(variables, options).text) };
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    return { error: error.pythonType };
  }
}

// Python says SyntaxError where its compiler, not jinja's parser, finds the fault; the reader of a template need not care.
const errorType = (error: string): string =>
  (error.split(':')[0] as string).replace(/^(?:Template(?:Assertion|Syntax))Error$/, 'SyntaxError');

describe.each(['constructs.json', 'random-templates.json', 'random-expressions.json'])('templates of %s', (name) => {
  const { now, cases } = readRecorded(name);
  const options = { now: parseClockTime(now) };

  it('render as Python renders them', () => {
    const wrong = cases.flatMap(({ template, variables, answer: want }) => {
      const got = answer(template, variables, options);
      const isRight = 'text' in want ? 'text' in got && got.text === want.text : 'error' in got;
      return isRight ? [] : [{ template, want, got }];
    });
    expect(wrong).toEqual([]);
  });

  it('raise what Python raises', () => {
    const failing = cases.filter(({ answer: want }) => 'error' in want);
    const different = failing.filter(({ template, variables, answer: want }) => {
      const got = answer(template, variables, options);
      return 'error' in got && 'error' in want && errorType(got.error) !== errorType(want.error);
    });
    // Some of Python's own compile-time faults (the NameError of a folded `inf`) have no equal here.
    expect(different.length).toBeLessThan(failing.length / 50);
  });
});

describe('the probes', () => {
  const { probes, ctx } = JSON.parse(readFileSync(fixture('probes.json'), 'utf8')) as {
    probes: [string, boolean, string][];
    ctx: Record<string, unknown>;
  };

  it.each(probes)('%s', (template, works, want) => {
    const got = answer(template, ctx, { now: parseClockTime('2026-12-01T01:40:00Z') });
    if (works) expect(got).toEqual({ text: withoutAddresses(want) });
    else expect(got).toHaveProperty('error');
  });
});

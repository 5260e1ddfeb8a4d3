import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileTemplate, type Limits, TemplateError } from '../../src/template/index.ts';

/** Renders, and gives the error: none of these templates may come to its end, or take the process with it. */
function failure(source: string, limits: Partial<Limits> = {}): TemplateError {
  try {
    compileTemplate(source).render({ text: 'a'.repeat(1000) }, { limits: { maxMilliseconds: 60_000, ...limits } });
  } catch (error) {
    if (error instanceof TemplateError) return error;
    throw error;
  }
  throw new Error('the template came to its end');
}

const grow = (step: string, start: string): string =>
  `{% set ns = namespace(x=${start}) %}{% for i in range(100) %}{% set ns.x = ${step} %}{% endfor %}{{ ns.x }}`;

describe('templates that ask for too much', () => {
  it.each([
    ['loops in loops', '{% for i in range(100000) %}{% for j in range(100000) %}x{% endfor %}{% endfor %}'],
    ['a long text', "{{ 'a' * 10 ** 9 }}"],
    ['a longer text from a long one', "{{ ('a' * 10 ** 6).replace('a', 'b' * 10 ** 6) }}"],
    ['a text joined from many', "{{ (['a' * 10 ** 6] * 10 ** 4)|join }}"],
    ['a text that doubles', grow('ns.x ~ ns.x', "'ab'")],
    ['a text that is added to itself', grow('ns.x + ns.x', "'ab'")],
    ['a list that doubles', grow('ns.x + ns.x', '[1]')],
    ['a list of lists that prints exponentially', grow('[ns.x, ns.x]', '[1]')],
    ['a list of lists written as JSON', `${grow('[ns.x, ns.x]', '[1]')}{{ ns.x|tojson }}`],
    [
      'two such lists compared',
      '{% set ns = namespace(x=[1], y=[1]) %}{% for i in range(60) %}{% set ns.x = [ns.x, ns.x] %}{% set ns.y = [ns.y, ns.y] %}{% endfor %}{{ ns.x == ns.y }}',
    ],
    [
      'a key of such tuples',
      '{% set ns = namespace(x=(1,)) %}{% for i in range(60) %}{% set ns.x = (ns.x, ns.x) %}{% endfor %}{{ {ns.x: 1} }}',
    ],
    ['a long list', '{{ [1] * 10 ** 9 }}'],
    ['a batch filled up', '{{ [1]|batch(10 ** 10, 1)|list }}'],
    ['many slices', '{{ [1]|slice(10 ** 10)|list }}'],
    ['an integer of many digits', '{{ 2 ** (10 ** 9) }}'],
    ['an integer that is squared', grow('ns.x * ns.x', '3')],
    ['padding with %', "{{ '%9999999999d' % 1 }}"],
    ['precision with %', "{{ '%.9999999999f' % 1.5 }}"],
    ['padding from an argument', "{{ '%*d' % (10 ** 12, 1) }}"],
    ['padding with format', "{{ '{:>9999999999}'.format(1) }}"],
    ['grouped padding', "{{ '{:0999999999,}'.format(1) }}"],
    ['padding with methods', "{{ 'x'.center(10 ** 10) }}"],
    ['tabs', String.raw`{{ '\t'.expandtabs(10 ** 10) }}`],
    ['an indent', "{{ 'a'|indent(10 ** 10, true) }}"],
    ['an indent of JSON', '{{ [[1]]|tojson(indent=10 ** 10) }}'],
    ['a padded date', "{{ strftime_now('%9999999999d') }}"],
    ['text put in ten times', "{{ '{0}{0}{0}{0}{0}{0}{0}{0}{0}{0}'.format('a' * 10 ** 7) }}"],
    ['filler text', '{{ lipsum(10 ** 9) }}'],
    [
      'a filter over a long list, again and again',
      "{% for i in range(100000) %}{% set x = range(100000)|map('string')|list %}{% endfor %}",
    ],
    [
      'a search in a long text, again and again',
      "{% set a = 'ab' * 10 ** 6 %}{% for i in range(100000) %}{% if a.find('c') %}{% endif %}{% endfor %}",
    ],
    ['places in a text of surrogates', "{% set a = '😀' * 10 ** 6 %}{% for i in range(100000) %}{% if a[i] %}{% endif %}{% endfor %}"],
    ['a macro that calls itself', '{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}'],
    ['a loop that calls itself', '{% for x in [1] recursive %}{{ loop([1]) }}{% endfor %}'],
    ['a block that renders itself', '{% block a %}{{ self.a() }}{% endblock %}'],
    [
      'a list deeper than the stack',
      '{% set ns = namespace(x=[1]) %}{% for i in range(100000) %}{% set ns.x = [ns.x] %}{% endfor %}{{ ns.x }}',
    ],
  ])('%s', (_name, source) => {
    expect(failure(source, { maxSteps: 1_000_000, maxLength: 2_000_000 }).kind).toBe('limit');
  });

  it('stops at the limits it is given, with the line', () => {
    expect(failure('\n{% for i in range(1000) %}{{ i }}{% endfor %}', { maxSteps: 500 })).toMatchObject({ kind: 'limit', line: 2 });
    expect(failure('{{ text }}', { maxLength: 999 }).message).toContain('999');
    expect(failure('{{ range(100)|list }}', { maxItems: 99 }).message).toContain('99');
    expect(
      failure('{% for i in range(100000) %}{% for j in range(100000) %}{% endfor %}{% endfor %}', {
        maxMilliseconds: 20,
        maxSteps: 10 ** 9,
      }).message,
    ).toContain('20 ms');
    expect(failure('{% macro m(n) %}{{ m(n - 1) if n else 1 }}{% endmacro %}{{ m(10) }}', { maxDepth: 5 }).message).toContain('5');
  });

  it('gives every render its own limits', () => {
    const template = compileTemplate('{% for i in range(1000) %}{{ i }}{% endfor %}');
    for (let run = 0; run < 20; run += 1) expect(template.render({}, { limits: { maxSteps: 10_000 } }).text).toHaveLength(2890);
  });
});

const nest = (open: string, close: string): string => `{{ ${open.repeat(100_000)}1${close.repeat(100_000)} }}`;

describe('templates that nest too deeply', () => {
  it.each([
    ['brackets', nest('(', ')')],
    ['lists', nest('[', ']')],
    ['signs', nest('-', '')],
    ['negations', nest('not ', '')],
    ['sums', nest('1 + ', '')],
    ['conditions', nest('1 and ', '')],
    ['choices', nest('1 if 0 else ', '')],
    ['attributes', `{{ x${'.a'.repeat(100_000)} }}`],
    ['filters', `{{ x${'|upper'.repeat(100_000)} }}`],
    ['calls', `{{ x${'()'.repeat(100_000)} }}`],
    ['tags', '{% if 1 %}'.repeat(100_000)],
  ])('%s', (_name, source) => {
    expect(() => compileTemplate(source)).toThrow(TemplateError);
  });
});

describe('what a template must not reach', () => {
  it.each([
    "{{ ''.__class__.__mro__ }}",
    '{{ {}.constructor.constructor }}',
    "{{ {}['constructor']('x') }}",
    "{{ [].constructor('x') }}",
    "{{ ''|attr('__class__')|attr('x') }}",
    "{{ '{0.__class__.__mro__}'.format('a') }}",
    '{{ range.constructor("x") }}',
    '{{ cycler.__init__.__globals__.os }}',
    '{{ namespace().__dict__.x }}',
    '{{ toString() }}',
    '{{ constructor() }}',
    '{{ __proto__.x }}',
    '{{ 1|constructor }}',
    '{{ 1 is hasOwnProperty }}',
    "{{ [1]|map('constructor')|list }}",
    "{{ 'a'.encode('constructor') }}",
    "{{ '%(constructor)s' % {} }}",
    '{{ {}.update({}) }}',
    '{{ [].append(1) }}',
  ])('%s', (source) => {
    expect(() => compileTemplate(source).render({})).toThrow(TemplateError);
  });

  it('has names like __proto__ as plain keys', () => {
    const source =
      "{{ dict(__proto__=1) }}{{ {'constructor': 2}.constructor }}{{ {}.constructor is defined }}{{ x.y is defined }}{{ {'__proto__': 3}['__proto__'] }}";
    expect(compileTemplate(source).render({ x: {} }).text).toBe("{'__proto__': 1}2FalseFalse3");
  });
});

describe('any text at all', () => {
  const pieces = fc.constantFrom(
    '{{',
    '}}',
    '{%',
    '%}',
    '{#',
    '#}',
    '{%-',
    '-%}',
    ' if ',
    ' for ',
    ' in ',
    ' else ',
    'endif',
    'endfor',
    'set',
    'macro',
    'raw',
    'endraw',
    'x',
    '1',
    '1.5',
    "'a'",
    '"',
    '(',
    ')',
    '[',
    ']',
    '{',
    '}',
    ',',
    ':',
    '|',
    '.',
    '+',
    '-',
    '~',
    '==',
    ' is ',
    ' not ',
    'loop',
    '\\',
    '\n',
    ' ',
    'é',
    '😀',
    '\0',
  );

  it('compiles, renders, or fails with a TemplateError', () => {
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 30 }), (parts) => {
        try {
          const template = compileTemplate(parts.join(''));
          template.contentFormat();
          template.undeclaredVariables();
          template.render({ x: [1, { a: 'b' }] });
        } catch (error) {
          expect(error).toBeInstanceOf(TemplateError);
        }
      }),
      { numRuns: 2000 },
    );
  });
});

import { describe, expect, it } from 'vitest';
import { compileTemplate, parseClockTime, renderChat, TemplateError } from '../../src/template/index.ts';

const CHAT =
  '{% for m in messages %}<{{ m.role }}>{{ m.content }}</{{ m.role }}>\n{% endfor %}{% if add_generation_prompt %}<assistant>{% endif %}';
const chat = compileTemplate(CHAT);

/** @returns the error that rendering throws. */
function failure(render: () => unknown): TemplateError {
  try {
    render();
  } catch (error) {
    if (error instanceof TemplateError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe('a chat render', () => {
  const messages = [{ role: 'user', content: 'hi' }];

  it('has None for tools and documents, and no generation prompt', () => {
    const template = compileTemplate('{{ tools }}{{ documents }}{{ add_generation_prompt }}{{ continue_final_message is defined }}');
    expect(renderChat(template, { messages }).text).toBe('NoneNoneFalseFalse');
  });

  it('has special tokens as variables, which other variables hide', () => {
    const template = compileTemplate('{{ bos_token }}{{ eos_token }}');
    expect(renderChat(template, { messages, eos_token: 'E' }, { specialTokens: { bos_token: '<s>', eos_token: '</s>' } }).text).toBe(
      '<s>E',
    );
  });

  it('takes data, Maps and undefined members alike', () => {
    expect(renderChat(chat, { messages, add_generation_prompt: true }).text).toBe('<user>hi</user>\n<assistant>');
    expect(
      renderChat(
        chat,
        new Map<string, unknown>([
          ['messages', messages],
          ['tools', undefined],
        ]),
      ).text,
    ).toBe('<user>hi</user>\n');
  });

  it.each([
    [{ tools: ['x'] }, 'Tools'],
    [{ tools: 'x' }, 'list'],
    [{ documents: [1] }, 'Documents'],
    [{ add_generation_prompt: true, continue_final_message: true }, 'not compatible'],
    [{ messages: 'x', continue_final_message: true }, 'list'],
  ])('refuses %j', (variables, message) => {
    expect(failure(() => renderChat(chat, { messages, ...variables })).message).toContain(message);
  });

  it('shows the time it is given', () => {
    const template = compileTemplate("{{ strftime_now('%d %b %Y %H:%M') }}");
    expect(template.render({}, { now: parseClockTime('2026-12-01T09:30:00+05:00') }).text).toBe('01 Dec 2026 09:30');
    expect(template.render({}).text).toMatch(/^\d\d \w{3} \d{4} \d\d:\d\d$/);
  });
});

describe('going on with the last message', () => {
  const goOn = (content: unknown, source = CHAT, variables = {}): string =>
    renderChat(compileTemplate(source), {
      messages: [
        { role: 'user', content: 'q' },
        { role: 'assistant', content },
      ],
      continue_final_message: true,
      ...variables,
    }).text;

  it('ends the prompt where the message ends', () => {
    expect(goOn('The answer is ')).toBe('<user>q</user>\n<assistant>The answer is ');
    expect(goOn('')).toBe('<user>q</user>\n<assistant>');
  });

  it('drops the blanks that the template drops', () => {
    expect(goOn(' The answer is  ', CHAT.replace('m.content', 'm.content|trim'))).toBe('<user>q</user>\n<assistant>The answer is');
  });

  it('goes on with the last text part', () => {
    const source =
      '{% for m in messages %}{% if m.content is string %}{{ m.content }}{% else %}{% for p in m.content %}[{{ p.text }}]{% endfor %}{% endif %};{% endfor %}';
    expect(goOn([{ type: 'text', text: 'a' }, { type: 'text', text: 'b' }, { type: 'image' }], source)).toBe('q;[a][b');
  });

  it('goes on with another member where one is named', () => {
    const source = '{% for m in messages %}{{ m.thought }}|{% endfor %}';
    expect(goOn('x', source, { messages: [{ role: 'assistant', thought: 'hm' }], continue_final_message: 'thought' })).toBe('hm');
  });

  it('leaves the messages that it was given alone', () => {
    const messages = [{ role: 'assistant', content: 'x' }];
    renderChat(chat, { messages, continue_final_message: true });
    expect(messages).toEqual([{ role: 'assistant', content: 'x' }]);
  });

  it.each([
    ['no content', () => goOn(null)],
    ['no text part', () => goOn([{ type: 'image' }])],
    ['a number', () => goOn(5)],
    ['a template without the member', () => goOn('x', '{{ 1 }}')],
    ['a template that does not print it', () => goOn('x', '{{ messages[0].content }}')],
    ['no messages', () => renderChat(chat, { messages: [], continue_final_message: true })],
  ])('refuses %s', (_name, render) => {
    expect(failure(render).pythonType).toBe('ValueError');
  });
});

describe('generation blocks', () => {
  const ranges = (source: string, variables = {}): string[] => {
    const { text, generationRanges } = compileTemplate(source).render(variables);
    return generationRanges.map(({ start, end }) => Array.from(text).slice(start, end).join(''));
  };

  it('give the characters that they cover, in code points', () => {
    expect(ranges('😀a{% generation %}b😀{{ x }}{% endgeneration %}c{% generation %}d{% endgeneration %}', { x: 'é' })).toEqual([
      'b😀é',
      'd',
    ]);
    expect(compileTemplate('😀{% generation %}b{% endgeneration %}').render({}).generationRanges).toEqual([{ start: 1, end: 2 }]);
  });

  it('keep their assignments to themselves', () => {
    expect(compileTemplate('{% set a = 1 %}{% generation %}{% set a = 2 %}{{ a }}{% endgeneration %}{{ a }}').render({}).text).toBe('21');
  });

  it('count from the text outside where they stand inside a captured one', () => {
    expect(compileTemplate('ab{% set x %}cd{% generation %}e{% endgeneration %}{% endset %}{{ x }}').render({}).generationRanges).toEqual([
      { start: 2, end: 3 },
    ]);
  });
});

describe('errors', () => {
  it.each([
    ['{{ 1 }}\n{{ x.y }}', { kind: 'runtime', line: 2, pythonType: 'UndefinedError', message: "'x' is undefined" }],
    ["\n\n{{ raise_exception('no') }}", { kind: 'raised', line: 3, pythonType: 'TemplateError', message: 'no' }],
    ['{% if a %}\n{% if b %}\n{{ c', { kind: 'syntax', line: 3 }],
    ['a\n{% nosuch %}', { kind: 'syntax', line: 2, message: "Encountered unknown tag 'nosuch'." }],
    ['{% for x in [1] %}\n\n{{ x|nosuch }}{% endfor %}', { kind: 'syntax', line: 3 }],
    ["{% macro m() %}\n{{ 1 + 'a' }}\n{% endmacro %}\n{{ m() }}", { kind: 'runtime', line: 2 }],
    ['{% macro m() %}\n{{ 1 }}\n{% endmacro %}\n{{ m() + 1 }}', { kind: 'runtime', line: 4 }],
    ["{% include 'x' %}", { kind: 'runtime', pythonType: 'TypeError' }],
  ])('of %j', (source, want) => {
    expect(failure(() => compileTemplate(source).render({}))).toMatchObject(want);
  });
});

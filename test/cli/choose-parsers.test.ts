import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { checkParserFlags, chooseParsers } from '../../src/cli/choose-parsers.ts';
import type { ChosenParsers } from '../../src/cli/choose-parsers.ts';

const directory = mkdtempSync(join(tmpdir(), 'declared-'));
afterAll(() => rmSync(directory, { recursive: true }));

function file(name: string, text: string): string {
  const path = join(directory, name);
  writeFileSync(path, text);
  return path;
}

const both = file('both.yaml', 'name: mine\ntool_calls: {payload: json, open: <c>, close: </c>}\nreasoning: {open: <t>, close: </t>}\n');
const onlyReasoning = file('only.yml', 'name: mine\nreasoning: {open: <t>, close: </t>, tokens_only: true}\n');

interface Given {
  tool?: string;
  reasoning?: string;
  template?: string;
  modelType?: string;
  tokenizerConfig?: Record<string, unknown>;
  tokens?: readonly string[];
}

function choose({ tool, reasoning, template = '', modelType = '', tokenizerConfig = {}, tokens = [] }: Given): ChosenParsers {
  const model = { modelType, architectures: [], tokenizerConfig, chatTemplates: { default: template, named: {} } };
  const tokenizer = {
    size: tokens.length,
    tokenToId: (token: string) => (tokens.includes(token) ? tokens.indexOf(token) : undefined),
    idToToken: (id: number) => tokens[id],
  };
  const settings = { toolCallParser: tool ?? null, reasoningParser: reasoning ?? null, chatTemplate: null };
  return chooseParsers(settings, model, tokenizer);
}

const RESPONSE_TEMPLATE = { start_anchor: '<a>', fields: { thinking: { open: '<t>', close: '</t>' }, content: {} } };

describe('the parser flags', () => {
  it('leave the choice to the server', () => {
    const { formats, flags, notes } = choose({ tool: 'auto', reasoning: 'auto', template: '<tool_call> enable_thinking </think>' });
    expect(flags).toEqual({ toolCallParser: 'hermes', reasoningParser: 'qwen3' });
    expect([formats?.tool?.name, formats?.reasoning?.name]).toEqual(['hermes', 'qwen3']);
    expect(notes).toEqual([
      '--tool-call-parser auto: chose hermes, because its chat template has "<tool_call>"',
      '--reasoning-parser auto: chose qwen3, because its chat template has "enable_thinking" and "think>"',
    ]);
    expect(() => choose({ tool: 'auto', modelType: 'gpt2' })).toThrow(/--tool-call-parser auto: no format is known to fit .*it is a gpt2/);
  });

  it('name a file for one or both', () => {
    const { formats, flags } = choose({ tool: both, reasoning: both });
    expect(flags).toEqual({ toolCallParser: 'file:mine', reasoningParser: 'file:mine' });
    expect([formats?.tool?.kind, formats?.reasoning?.kind]).toEqual(['tool', 'reasoning']);
    expect(choose({ tool: both, reasoning: 'qwen3' }).formats?.reasoning?.name).toBe('qwen3');
    expect(() => choose({ reasoning: onlyReasoning })).toThrow(/file:mine needs the token <t>/);
    expect(choose({ reasoning: onlyReasoning, tokens: ['<t>', '</t>'] }).formats?.reasoning?.name).toBe('file:mine');
  });

  it('are checked before the model is loaded', () => {
    const check =
      (toolCallParser: string | null, reasoningParser: string | null = null) =>
      (): void =>
        checkParserFlags({ toolCallParser, reasoningParser });
    expect(check('auto', 'auto')).not.toThrow();
    expect(check(both, both)).not.toThrow();
    expect(check('herms')).toThrow(/Did you mean hermes/);
    expect(check(null, 'herms')).toThrow(/--reasoning-parser: there is no parser/);
    expect(check(join(directory, 'none.yaml'))).toThrow(/none\.yaml cannot be read/);
    expect(check(onlyReasoning)).toThrow('--tool-call-parser: only.yml declares no tool_calls.');
    expect(check(file('bad.yaml', 'name: x\ntool_calls: 3'))).toThrow(
      /bad\.yaml declares no format:\n {2}line 2: tool_calls must be a mapping/,
    );
  });

  it('give a model of gpt-oss its reasoning parser', () => {
    const tokens = ['<|start|>', '<|message|>', '<|channel|>', '<|end|>', '<|return|>', '<|call|>'];
    expect(choose({ modelType: 'gpt_oss', tokens })).toMatchObject({
      flags: { toolCallParser: null, reasoningParser: 'openai_gptoss' },
      formats: { unified: { name: 'openai' } },
    });
  });

  it('refuse a response template that is missing, broken, or without the fields asked for', () => {
    expect(() => choose({ tool: 'hf' })).toThrow(/has no "response_template"/);
    expect(() => choose({ tool: 'hf', tokenizerConfig: { response_template: { fields: {} } } })).toThrow(
      /cannot be used: fields must hold thinking, content or tool_calls; it must have start_anchor/,
    );
    const tokenizerConfig = { response_template: RESPONSE_TEMPLATE };
    expect(choose({ reasoning: 'hf', tokenizerConfig }).formats?.unified?.name).toBe('hf');
    expect(() => choose({ tool: 'hf', tokenizerConfig })).toThrow(/needs a response template with a field "tool_calls"/);
    expect(() => choose({ tool: 'hermes', reasoning: 'hf', tokenizerConfig })).toThrow(
      /hermes and --reasoning-parser hf cannot be combined/,
    );
  });
});

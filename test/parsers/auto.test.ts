import { describe, expect, it } from 'vitest';
import { autoReasoningFormat, autoToolFormat } from '../../src/parsers/auto.ts';
import type { ModelTraits } from '../../src/parsers/auto.ts';
import { REASONING_RULES, TOOL_RULES } from '../../src/parsers/auto-rules.ts';
import { reasoningFormatNamed, reasoningParserNames, toolFormatNamed, toolParserNames } from '../../src/parsers/registry.ts';

function model(template: string, more: Partial<ModelTraits> = {}): ModelTraits {
  return { modelType: '', architectures: [], template, hasResponseTemplate: false, hasToken: () => false, ...more };
}

const THINKS = '{% if enable_thinking is false %}<think>\n\n</think>{% endif %}';

/** Parts of templates as the families' own show calls and reasoning: what they are, the tool format, the reasoning format. */
const FAMILIES: readonly (readonly [string, Partial<ModelTraits>, string, string | null, string | null])[] = [
  ['Qwen 2.5', { modelType: 'qwen2' }, '<tool_call>{"name": f, "arguments": a}</tool_call>', 'hermes', null],
  ['Qwen 3', { modelType: 'qwen3' }, `<tool_call>{{ call }}</tool_call>${THINKS}`, 'hermes', 'qwen3'],
  ['Qwen3-Coder', { modelType: 'qwen3_moe' }, '<tool_call>\n<function=f>\n<parameter=p>', 'qwen3_coder', null],
  ['Qwen3.5', { modelType: 'qwen3_5' }, `<tool_call>\n<function=f>\n<parameter=p>${THINKS}`, 'qwen3_coder', 'qwen3'],
  ['MiMo', { architectures: ['MiMoV2FlashForCausalLM'] }, `<function=f><parameter=p>${THINKS}`, 'mimo', 'qwen3'],
  ['Nemotron 3', { modelType: 'nemotron_h' }, `<function=f>\n<parameter=p>${THINKS}`, 'qwen3_coder', 'nemotron_v3'],
  ['Step-3.5', { modelType: 'step3p5' }, '<function=f><parameter=p><think>', 'step3p5', 'step3p5'],
  ['Step 3', { modelType: 'step3_text' }, '<steptml:invoke name="f">', 'step3', 'step3'],
  ['Seed-OSS', {}, '<seed:tool_call><function=f><parameter=p><seed:think>', 'seed_oss', 'seed_oss'],
  ['GLM-4.7', { modelType: 'glm4_moe' }, `<tool_call>f<arg_key>k</arg_key>${THINKS}`, 'glm47', 'glm47'],
  [
    'DeepSeek R1',
    { modelType: 'deepseek_v3' },
    "<｜Assistant｜><｜tool▁calls▁begin｜>\n```json\n{{ content.split('</think>') }}",
    'deepseek_v3',
    'deepseek_r1',
  ],
  [
    'DeepSeek V3.1',
    { modelType: 'deepseek_v3' },
    '<｜tool▁calls▁begin｜>{% if thinking %}<think>{% endif %}',
    'deepseek_v31',
    'deepseek_v3',
  ],
  ['DeepSeek V3.2', { architectures: ['DeepseekV32ForCausalLM'] }, '', 'deepseek_v32', 'deepseek_v3'],
  ['DeepSeek V4', { modelType: 'deepseek_v4' }, '', 'deepseek_v4', 'deepseek_v4'],
  ['Kimi K2 Instruct', { modelType: 'kimi_k2' }, '<|tool_calls_section_begin|>', 'kimi_k2', null],
  ['Kimi K2 Thinking', { modelType: 'kimi_k2' }, '<|tool_calls_section_begin|><think>', 'kimi_k2', 'kimi_k2'],
  ['MiniMax M2', {}, '<minimax:tool_call><think>', 'minimax_m2', 'minimax_m2'],
  ['Mistral', { modelType: 'mistral' }, '[TOOL_CALLS]', 'mistral', null],
  ['Magistral, without a template', { modelType: 'mistral', hasToken: () => true }, '', 'mistral', 'mistral'],
  ['gpt-oss', { modelType: 'gpt_oss' }, '', 'openai', 'openai_gptoss'],
  ['Llama 3.1', { modelType: 'llama', hasToken: (token) => token === '<|python_tag|>' }, '"parameters": ', 'llama3_json', null],
  ['Llama 4', { modelType: 'llama4' }, '[func_name1(param=value)]', 'llama4_pythonic', null],
  ['Llama 3.2, small', { modelType: 'llama' }, '[func_name1(param=value)]', 'pythonic', null],
  ['Gemma 4', {}, '<|tool_call>call:f{}<tool_call|><|channel>thought', 'gemma4', 'gemma4'],
  ['FunctionGemma', {}, '<start_function_call>', 'functiongemma', null],
  ['Granite 3.3', { modelType: 'granite' }, '<|tool_call|> Here is my thought process:', 'granite', 'granite'],
  ['Granite 4', { modelType: 'granitemoehybrid' }, '<tool_call>', 'granite4', null],
  ['Command A Reasoning', {}, '<|START_THINKING|><|START_ACTION|>', 'cohere_command3', 'cohere_command3'],
  ['Hunyuan A13B', { modelType: 'hunyuan_v1_moe' }, '<tool_calls><think></think><answer>', 'hunyuan_a13b', 'hunyuan_a13b'],
  ['Jamba', { modelType: 'jamba' }, '<tool_calls>', 'jamba', null],
  ['InternLM 2.5', {}, '<|action_start|><|plugin|>', 'internlm', null],
  ['Phi-4-mini', { modelType: 'phi3' }, 'functools[', 'phi4_mini_json', null],
  ['LFM2', {}, '<|tool_call_start|>', 'lfm2', null],
  ['Ernie 4.5', { modelType: 'ernie4_5_moe' }, '<tool_call><think></think>', 'ernie45', 'ernie45'],
  ['Olmo 3 Think', { modelType: 'olmo3' }, '<function_calls><think>', 'olmo3', 'olmo3'],
  ['Laguna', { architectures: ['LagunaForCausalLM'] }, '<tool_call>', 'poolside_v1', 'poolside_v1'],
  ['a checkpoint that describes itself', { hasResponseTemplate: true }, '', 'hf', 'hf'],
  ['a base model', { modelType: 'llama' }, '{{ messages }}', null, null],
];

describe('formats chosen by the model', () => {
  it.each(FAMILIES)('%s', (_name, traits, template, tool, reasoning) => {
    expect(autoToolFormat(model(template, traits))?.name ?? null).toBe(tool);
    expect(autoReasoningFormat(model(template, traits))?.name ?? null).toBe(reasoning);
  });

  it('says why', () => {
    const traits = { modelType: 'nemotron_h', hasToken: () => true };
    expect(autoToolFormat(model('<function=f><parameter=p>', traits))?.because).toBe(
      'its chat template has "<function=" and "<parameter="',
    );
    expect(autoReasoningFormat(model('</think>', traits))?.because).toBe('the model is a nemotron_h, and its chat template has "think>"');
  });

  it('names registered formats only', () => {
    expect(TOOL_RULES.map(({ name }) => name).filter((name) => !toolParserNames().includes(name))).toEqual([]);
    expect(REASONING_RULES.map(({ name }) => name).filter((name) => !reasoningParserNames().includes(name))).toEqual([]);
  });

  it('can choose every format whose markers tell it apart', () => {
    const chosen = (rules: readonly { name: string }[], find: (name: string) => unknown): Set<unknown> =>
      new Set(rules.map(({ name }) => find(name)));
    const tools = chosen(TOOL_RULES, toolFormatNamed);
    const reasonings = chosen(REASONING_RULES, reasoningFormatNamed);
    expect(toolParserNames().filter((name) => !tools.has(toolFormatNamed(name)))).toEqual(['xlam']);
    expect(reasoningParserNames().filter((name) => !reasonings.has(reasoningFormatNamed(name)))).toEqual([
      'minimax-append-think',
      'minimax_append_think',
      'minimax_m2_append_think',
    ]);
  });
});

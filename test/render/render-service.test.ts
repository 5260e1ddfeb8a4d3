import { describe, expect, it } from 'vitest';
import { PythonNumber } from '../../src/core/python-json.ts';
import { letterRender, textOf } from './letter-render.ts';
import type { LetterFlags } from './letter-render.ts';

const user = { role: 'user', content: 'x' };
const f = { type: 'function', function: { name: 'f', parameters: { type: 'object', properties: {} } } };

async function prompt(body: Record<string, unknown>, flags: LetterFlags = {}, raw?: string): Promise<string> {
  return textOf((await letterRender(flags).chat({ messages: [user], ...body }, raw)).token_ids);
}

const rejects = async (promise: Promise<unknown>, param: string | null): Promise<void> => {
  await expect(promise).rejects.toMatchObject({ status: 400, param });
};

describe('a chat as a prompt', () => {
  it('has its messages, and the beginning of the answer where that is asked for', async () => {
    expect(await prompt({})).toBe('[user:x]>');
    expect(await prompt({ add_generation_prompt: false })).toBe('[user:x]');
    expect(await prompt({ add_special_tokens: true })).toBe('^[user:x]>$');
  });

  it('has content in the form that the template reads, or that the server says', async () => {
    const content = [
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b' },
    ];
    const messages = [{ role: 'user', content }];
    expect(await prompt({ messages })).toBe('[user:a\nb]>');
    expect(await prompt({ messages }, { settings: { chatTemplateContentFormat: 'openai' } })).toBe(
      '[user:[{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]]>',
    );
    const template = '{% for m in messages %}{% for p in m.content %}<{{ p.text }}>{% endfor %}{% endfor %}';
    expect(await prompt({ messages }, { template })).toBe('<a><b>');
  });

  it('has calls with arguments as objects, numbers as they were written', async () => {
    const called = (args: string) => ({
      role: 'assistant',
      content: 'y',
      tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: args } }],
    });
    expect(await prompt({ messages: [called('{"n": 2.0, "10": 1, "2": 12345678901234567890}')] })).toBe(
      '[assistant:y!f{"n": 2.0, "10": 1, "2": 12345678901234567890}]>',
    );
    expect(await prompt({ messages: [called('{"n": ')] })).toBe('[assistant:y!f{}]>');
    expect(await prompt({ messages: [called('')] })).toBe('[assistant:y!f{}]>');
  });

  it('has tools as the body has them', async () => {
    const raw =
      '{"messages": [{"role": "user", "content": "x"}], "tool_choice": "none", "tools": [{"function": {"name": "f", "parameters": {"a": 1.0, "10": 2, "2": 3}}}]}';
    expect(await prompt({}, {}, raw)).toBe(
      '[user:x]T[{"type": "function", "function": {"name": "f", "description": null, "parameters": {"a": 1.0, "10": 2, "2": 3}}}]>',
    );
    const hidden = { settings: { excludeToolsWhenToolChoiceNone: true } };
    expect(await prompt({}, hidden, raw)).toBe('[user:x]>');
  });

  it('has arguments of the server, and of the request over them', async () => {
    const flags = { settings: { defaultChatTemplateKwargs: { mode: 'server' } } };
    expect(await prompt({}, flags)).toBe('[user:x]>server');
    expect(await prompt({ chat_template_kwargs: { mode: 'mine' } }, flags)).toBe('[user:x]>mine');
    expect(await prompt({ chat_template_kwargs: { mode: null } }, flags)).toBe('[user:x]>server');
    const effort = { template: '{{ reasoning_effort }} {{ enable_thinking }}', settings: { reasoningEffortMap: { high: 'max' } } };
    expect(await prompt({ reasoning_effort: 'high' }, effort)).toBe('max True');
    expect(await prompt({ reasoning_effort: 'none' }, effort)).toBe('none False');
  });

  it('goes on with the last message', async () => {
    const messages = [user, { role: 'assistant', content: 'The answer is ' }];
    expect(await prompt({ messages, continue_final_message: true, add_generation_prompt: false })).toBe(
      '[user:x][assistant:The answer is ',
    );
    const template = '{{ messages[0].content }}';
    await rejects(prompt({ messages, continue_final_message: true, add_generation_prompt: false }, { template }), null);
  });

  it('sees the clock that the server was given', async () => {
    expect(await prompt({}, { template: "{{ strftime_now('%d %B %Y %H:%M') }}" })).toBe('01 December 2026 09:30');
  });

  it('is told as token offsets where that is asked for', async () => {
    const { token_offsets: offsets, token_ids: ids } = await letterRender({ template: '👋{{ messages[0].content }}' }).chat({
      messages: [user],
      return_token_offsets: true,
    });
    expect(textOf(ids)).toBe('👋x');
    expect(offsets).toEqual([
      [0, 1],
      [1, 2],
    ]);
  });

  it('may be token ids that are there already', async () => {
    const render = letterRender();
    const kv = { prompt_token_ids: [5, 6], other: 1 };
    const { token_ids: ids, kv_transfer_params: left } = await render.chat({ messages: [user], kv_transfer_params: kv });
    expect([ids, left]).toEqual([[5, 6], { other: 1 }]);
    await rejects(
      render.chat({ messages: [user], kv_transfer_params: { prompt_token_ids: [2 ** 30] } }),
      'kv_transfer_params.prompt_token_ids',
    );
    await rejects(render.chat({ messages: [user], kv_transfer_params: { prompt_token_ids: 'x' } }), 'kv_transfer_params.prompt_token_ids');
  });

  it.each([
    ['{% broken', {}],
    ["{{ raise_exception('no') }}", {}],
    ['{{ 1 + "a" }}', {}],
    ['', {}],
    [null, {}],
  ])('is refused where the template is %j', async (template, body) => {
    await rejects(prompt(body, { template }), null);
  });

  it.each([
    [{ chat_template: '{{ 1 }}' }, null],
    [{ chat_template_kwargs: { chat_template: '{{ 1 }}' } }, null],
    [{ chat_template_kwargs: { tokenizer: 1 } }, null],
    [{ chat_template_kwargs: { sanitize_control_tokens: true } }, null],
    [{ mm_processor_kwargs: { a: 1 } }, 'mm_processor_kwargs'],
    [{ use_beam_search: true }, null],
    [{ max_tokens: 2000 }, 'max_tokens'],
    [{ max_completion_tokens: 2000 }, 'max_completion_tokens'],
    [{ messages: [] }, null],
    [{ messages: [{ role: 'user', content: [{ type: 'prompt_embeds', data: '' }] }] }, 'prompt_embeds'],
    [{ messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'x' } }] }] }, null],
    [{ tools: [f], tool_choice: 'required' }, null],
  ])('is refused with %j', async (body, param) => {
    await rejects(prompt(body), param);
  });

  it('may have a template of its own where clients are trusted', async () => {
    expect(await prompt({ chat_template: 'own' }, { settings: { trustRequestChatTemplate: true } })).toBe('own');
  });

  it('hands on media that the template has a place for', async () => {
    const template =
      "{% for m in messages %}{% for p in m.content %}{{ p.text if p.type == 'text' else '<' ~ p.type ~ '>' }}{% endfor %}{% endfor %}";
    const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } };
    const content = [{ type: 'text', text: 'see ' }, image];
    const rendered = await letterRender({ template }).chat({ messages: [{ role: 'user', content }], return_token_offsets: true });
    const engine = { type: 'image_url', url: 'data:image/png;base64,AAAA' };
    expect([textOf(rendered.token_ids), rendered.content_parts, rendered.token_offsets]).toEqual(['see <image>', [engine], null]);
    const url = 'http://x.invalid/a';
    const sources = [
      [
        { type: 'image_url', image_url: { url }, uuid: 'u' },
        { type: 'image_url', url, uuid: 'u' },
      ],
      [
        { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } },
        { type: 'audio_url', url: 'data:audio/wav;base64,AAAA' },
      ],
      [
        { type: 'video_url', video_url: { url } },
        { type: 'video_url', url },
      ],
    ] as const;
    const parts = sources.map(([part]) => part);
    const several = await letterRender({ template }).chat({ messages: [{ role: 'user', content: parts }] });
    expect([textOf(several.token_ids), several.content_parts]).toEqual(['<image><audio><video>', sources.map(([, part]) => part)]);
    const input = [{ role: 'user', content: [{ type: 'input_image', image_url: url }] }];
    const response = await letterRender({ template }).responses({ input });
    expect([textOf(response.token_ids), response.content_parts]).toEqual(['^<image>$', [{ type: 'image_url', url }]]);
    const source = { type: 'base64', media_type: 'image/png', data: 'AAAA' };
    const messages = [{ role: 'user', content: [{ type: 'image', source }] }];
    expect((await letterRender({ template }).messages({ model: 'm', max_tokens: 1, messages })).content_parts).toEqual([engine]);
    const nowhere = [{ role: 'user', content: [{ type: 'input_image', file_id: 'f' }] }];
    await rejects(letterRender({ template }).responses({ input: nowhere }), null);
    const blind = '{% for m in messages %}{% for p in m.content %}{{ p.text }}{% endfor %}{% endfor %}';
    await rejects(letterRender({ template: blind }).chat({ messages: [{ role: 'user', content }] }), null);
  });
});

describe('what goes with a prompt', () => {
  it('keeps numbers that JavaScript has no place for', async () => {
    const raw =
      '{"messages": [{"role": "user", "content": "x"}], "seed": 9223372036854775807, "kv_transfer_params": {"a": 1.0}, "vllm_xargs": {"b": [2.0, true]}}';
    const { sampling_params: params, kv_transfer_params: kv } = await letterRender().chat({}, raw);
    expect(params.seed).toEqual(new PythonNumber('9223372036854775807', false));
    expect(kv).toEqual({ a: new PythonNumber('1.0', true) });
    expect(params.extra_args).toEqual({ b: [new PythonNumber('2.0', true), 1] });
    await rejects(letterRender().chat({}, raw.replace('807,', '808,')), 'body.seed');
    await rejects(letterRender().chat({}, raw.replace('2.0', '18446744073709551616')), 'extra_args');
  });

  it('says whether reasoning is over, and what the parsers were told', async () => {
    const parsers = { tool: null, reasoning: 'qwen3', promptReasoningEnded: (ids: readonly number[]) => textOf(ids).includes('</think>') };
    const ask = (content: string, more = {}) =>
      letterRender({ parsers }).chat({ messages: [{ role: 'user', content }], chat_template_kwargs: { mode: 1 }, ...more });
    const over = await ask('</think>');
    expect(over.reasoning_ended).toBe(true);
    expect(over.reasoning_parser_kwargs).toMatchObject({ chat_template_kwargs: { mode: 1, add_generation_prompt: true } });
    expect((await ask('x')).reasoning_ended).toBe(false);
    expect((await ask('x', { include_reasoning: false })).reasoning_ended).toBe(true);
    expect((await letterRender().chat({ messages: [user] })).reasoning_ended).toBeNull();
  });

  it('is what parsing the answer needs', async () => {
    const parsers = { tool: 'hermes', reasoning: null, promptReasoningEnded: () => true };
    const call = { id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } };
    const messages = [user, { role: 'assistant', tool_calls: [call, call] }, { role: 'tool', tool_call_id: 'a', content: 'y' }];
    const { parse_context: context } = await letterRender({ parsers }).chat({ messages, tools: [f] });
    expect(context).toMatchObject({
      tool_choice: 'auto',
      parallel_tool_calls: true,
      history_tool_call_cnt: 2,
      tools: [{ function: { name: 'f' } }],
    });
  });

  it('has the id of the header, numbered where there are several prompts', async () => {
    expect((await letterRender().chat({ messages: [user], request_id: 'own' })).request_id).toBe('chatcmpl-r');
    const rendered = await letterRender().completion({ prompt: ['a', 'b'] });
    expect(rendered.map(({ request_id: id }) => id)).toEqual(['cmpl-r-0', 'cmpl-r-1']);
  });
});

describe('completions', () => {
  it('are one request a prompt', async () => {
    const rendered = await letterRender().completion({ prompt: ['ab', 'c'], add_special_tokens: false });
    expect(rendered.map(({ token_ids: ids }) => textOf(ids))).toEqual(['ab', 'c']);
    const ids = await letterRender().completion({ prompt: [[5, 6], [7]] });
    expect(ids.map(({ token_ids: one }) => one)).toEqual([[5, 6], [7]]);
  });

  it.each([
    [{ prompt: 'x', suffix: 'y' }, 'suffix'],
    [{ prompt: [] }, 'prompt'],
    [{ prompt: 'x', prompt_embeds: 'AAAA' }, 'prompt_embeds'],
    [{ prompt: '', add_special_tokens: false, prompt_embeds: [] }, 'prompt'],
    [{ prompt: 'x'.repeat(2000) }, 'input_tokens'],
    [{ prompt: Array.from({ length: 1001 }, () => 5) }, 'input_tokens'],
  ])('are refused with %j', async (body, param) => {
    await rejects(letterRender().completion(body), param);
  });

  it('take no embeddings where they are an empty list', async () => {
    expect(await letterRender().completion({ prompt: 'x', prompt_embeds: [] })).toHaveLength(1);
  });
});

describe('other APIs', () => {
  it('make a chat of an Anthropic request', async () => {
    const raw =
      '{"model": "m", "max_tokens": 5, "system": "S", "messages": [{"role": "user", "content": "x"}, {"role": "assistant", "content": [' +
      '{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "y"}, {"type": "tool_use", "id": "a", "name": "f", "input": {"n": 1.0}}]}, ' +
      '{"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a", "content": "z"}]}]}';
    const { token_ids: ids } = await letterRender().messages({}, raw);
    expect(textOf(ids)).toBe('[system:S][user:x][assistant:y~hm!f{"n": 1.0}][tool:z]>');
  });

  it('make a chat of a Responses request', async () => {
    const input = [
      { role: 'user', content: [{ type: 'input_text', text: 'x' }] },
      { type: 'reasoning', id: 'r', summary: [], content: [{ type: 'reasoning_text', text: 'hm' }] },
      { type: 'function_call', call_id: 'a', name: 'f', arguments: '{"n": 1.0}' },
      { type: 'function_call_output', call_id: 'a', output: 'z' },
    ];
    const { token_ids: ids, request_id: id } = await letterRender().responses({ input, instructions: 'S' });
    expect(textOf(ids)).toBe('^[system:S][user:x][assistant:~hm!f{"n": 1.0}][tool:z]>$');
    expect(id).toMatch(/^resp_[0-9a-f]{32}$/);
    await rejects(letterRender().responses({ input: 'x', previous_response_id: 'a' }), 'previous_response_id');
  });
});

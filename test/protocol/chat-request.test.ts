import { describe, expect, it } from 'vitest';
import { parseChatRequest } from '../../src/protocol/chat-request.ts';
import type { ChatRequest } from '../../src/protocol/chat-request.ts';
import { bad, invalid, refusal } from './thrown.ts';

const messages = [{ role: 'user', content: 'x' }];
const tool = { type: 'function', function: { name: 'f' } };

const parse = (members: Record<string, unknown>): ChatRequest => parseChatRequest({ messages, ...members });
const refused = (members: Record<string, unknown>): unknown => refusal(() => parse(members));

describe('members of a chat request', () => {
  it('have defaults', () => {
    expect(parse({})).toMatchObject({
      model: null,
      temperature: null,
      stop: [],
      n: 1,
      tool_choice: 'none',
      include_reasoning: true,
      add_generation_prompt: true,
      add_special_tokens: false,
      spaces_between_special_tokens: true,
      skip_special_tokens: null,
      parallel_tool_calls: true,
    });
  });

  it('are read in all the ways in which they may be written', () => {
    const read = parse({
      max_tokens: '5',
      temperature: '0.5',
      n: 2.0,
      stream: 'yes',
      ignore_eos: 1,
      logit_bias: { '5': '1.5' },
      seed: '7',
    });
    expect(read).toMatchObject({ max_tokens: 5, temperature: 0.5, n: 2, stream: true, ignore_eos: true, logit_bias: { 5: 1.5 }, seed: 7 });
  });

  it.each([
    [{ max_tokens: 'x' }, 'max_tokens'],
    [{ max_tokens: 1.5 }, 'max_tokens'],
    [{ temperature: 'hot' }, 'temperature'],
    [{ stop: ['a', 'b', 'c', 'd', 'e'] }, 'stop'],
    [{ stop: ['a', 5] }, 'stop.1'],
    [{ logit_bias: { 5: [] } }, 'logit_bias.5'],
    [{ seed: 2 ** 64 }, 'seed'],
    [{ reasoning_effort: 'extreme' }, 'reasoning_effort'],
    [{ documents: [{ title: 5 }] }, 'documents.0.title'],
    [{ response_format: { type: 'xml' } }, 'response_format.type'],
    [{ response_format: { type: 'json_schema', json_schema: { schema: {} } } }, 'response_format.json_schema.name'],
    [{ vllm_xargs: { a: {} } }, 'vllm_xargs.a'],
    [{ chat_template_kwargs: [] }, 'chat_template_kwargs'],
    [{ tools: [{ type: 'function', function: { name: 'f', parameters: 'x' } }] }, 'tools.0.function.parameters'],
  ])('are refused by their place: %j', (members, path) => {
    expect(refused(members)).toEqual(invalid(`body.${path}`));
  });

  it.each([
    [{ stream_options: { include_usage: true } }, 'stream_options'],
    [{ tools: [] }, 'tools'],
    [{ tools: [tool], tool_choice: 'sometimes' }, 'tool_choice'],
    [{ tool_choice: 'required' }, 'tool_choice'],
    [{ tools: [tool], tool_choice: { type: 'function', function: { name: 'g' } } }, 'tool_choice'],
    [{ cache_salt: '' }, 'cache_salt'],
    [{ top_logprobs: 5 }, 'top_logprobs'],
    [{ thinking_token_budget: -5 }, 'thinking_token_budget'],
    [{ response_format: { type: 'json_schema' } }, 'response_format'],
    [{ continue_final_message: true, add_generation_prompt: true }, null],
  ])('are refused by rules: %j', (members, param) => {
    expect(refused(members)).toEqual(bad(param));
  });

  it('of tools are kept where they were given', () => {
    const { tools, tool_choice: choice } = parse({ tools: [{ function: { name: 'f', strict: true, other: 1 } }] });
    expect(tools).toEqual([{ type: 'function', function: { name: 'f', description: null, parameters: null, strict: true } }]);
    expect(choice).toBe('auto');
  });
});

describe('messages', () => {
  const list = (...given: unknown[]): unknown => parseChatRequest({ messages: given }).messages.list;

  it('keep their members, known and not', () => {
    expect(list({ role: 'user', content: 'x', name: 'n', weight: 0 })).toEqual([{ role: 'user', content: 'x', name: 'n', weight: 0 }]);
  });

  it('have one name for reasoning', () => {
    expect(list({ role: 'assistant', content: 'x', reasoning_content: 'r' })).toEqual([
      { role: 'assistant', content: 'x', reasoning: 'r' },
    ]);
    expect(list({ role: 'assistant', reasoning_content: 'older', reasoning: 'r' })).toEqual([{ role: 'assistant', reasoning: 'r' }]);
  });

  it('keep calls in one order of members', () => {
    const call = { type: 'function', function: { name: 'f', arguments: '{}', x: 1 }, id: 'a' };
    expect(JSON.stringify(list({ role: 'assistant', tool_calls: [call] }))).toBe(
      '[{"role":"assistant","tool_calls":[{"id":"a","function":{"arguments":"{}","name":"f","x":1},"type":"function"}]}]',
    );
  });

  it.each([
    [[], null],
    [[{ role: 'tool', content: 'x', tool_call_id: 'a' }], null],
    [[{ role: 'moderator', content: 'x' }], null],
    [[{ role: 'assistant' }], null],
    ['x', invalid('body.messages')],
    [[5], invalid('body.messages.0')],
    [[{ role: 'user' }], null],
    [[{ content: 'x' }], invalid('body.messages.0.role')],
  ])('%j', (given, wanted) => {
    expect(refusal(() => parseChatRequest({ messages: given }))).toEqual(wanted);
  });

  it('of wrong parts are refused where they are rendered', () => {
    expect(parseChatRequest({ messages: [{ role: 'user', content: [{ type: 'text' }] }] }).messages.partsError).not.toBeNull();
    expect(parseChatRequest({ messages: [{ role: 'user', content: [{ type: 'text', text: 'x' }] }] }).messages.partsError).toBeNull();
  });
});

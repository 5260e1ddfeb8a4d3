import { describe, expect, it } from 'vitest';
import type { ChatEncoderInput, JsonObject } from '../../../src/render/chat-encoder.ts';
import { createKimiK3Encoder } from '../../../src/render/encoders/kimi-k3/kimi-k3.ts';
import { createByteTokenizer, piecesOf } from './byte-tokenizer.ts';
import { recordedChats } from './recorded-chats.ts';

const SPECIALS = ['<|open|>', '<|close|>', '<|sep|>', '<|end_of_msg|>'];
const encoder = createKimiK3Encoder(createByteTokenizer(SPECIALS));
const OPEN_ANSWER = '<|open|>message role="assistant"<|sep|><|open|>think<|sep|>';

function inputOf(conversation: readonly JsonObject[], more: Partial<ChatEncoderInput> = {}): ChatEncoderInput {
  return {
    messages: conversation,
    conversation,
    tools: null,
    documents: null,
    templateKwargs: {},
    addGenerationPrompt: true,
    continueFinalMessage: false,
    reasoningEffort: null,
    toolChoice: null,
    responseFormat: null,
    requestChatTemplate: null,
    requestTemplateKwargs: null,
    ...more,
  };
}

/** The prompt with special tokens by name. */
async function prompt(conversation: readonly JsonObject[], more?: Partial<ChatEncoderInput>): Promise<string> {
  const encoded = await encoder.encode(inputOf(conversation, more));
  return 'tokenIds' in encoded ? piecesOf(encoded.tokenIds, SPECIALS).flat().join('') : encoded.text;
}

const message = (attributes: string, inner: string): string =>
  `<|open|>message ${attributes}<|sep|>${inner}<|close|>message<|sep|><|end_of_msg|>`;
const element = (name: string, attributes: string, inner: string): string =>
  `<|open|>${name}${attributes}<|sep|>${inner}<|close|>${name}<|sep|>`;
const call = (id: string, name: string, args: unknown): JsonObject => ({ id, type: 'function', function: { name, arguments: args } });

const user = { role: 'user', content: 'Hi' };
const written = message('role="user"', 'Hi');

describe('kimi_k3', () => {
  it('writes messages with roles and names', async () => {
    const conversation = [
      { role: 'system', content: 'S' },
      { role: 'user', content: 'q', name: 'a&"b' },
      { role: 'developer', content: 'unknown' },
    ];
    expect(await prompt(conversation)).toBe(message('role="system"', 'S') + message('role="user" name="a&amp;&quot;b"', 'q') + OPEN_ANSWER);
  });

  it('writes reasoning where thinking is on', async () => {
    const conversation = [user, { role: 'assistant', content: 'A', reasoning: 'R', reasoning_content: 'R' }];
    const response = element('response', '', 'A');
    expect(await prompt(conversation)).toBe(written + message('role="assistant"', element('think', '', 'R') + response) + OPEN_ANSWER);
    expect(await prompt(conversation, { templateKwargs: { thinking: false } })).toBe(
      `${written + message('role="assistant"', response)}<|open|>message role="assistant"<|sep|><|open|>response<|sep|>`,
    );
  });

  it('writes calls with typed arguments, and results in the order of the calls', async () => {
    const calls = [call('x', 'f', { a: 'text', b: 1.5, c: [1, 'é'], d: null, e: true, f: { g: 1 } }), call('y', 'g', {})];
    const conversation = [
      { role: 'assistant', content: '', tool_calls: calls },
      { role: 'tool', tool_call_id: 'g:1', content: 'second' },
      { role: 'tool', tool_call_id: 'x', content: 'first' },
    ];
    const argument = (key: string, type: string, text: string): string => element('argument', ` key="${key}" type="${type}"`, text);
    const args = [
      argument('a', 'string', 'text'),
      argument('b', 'number', '1.5'),
      argument('c', 'array', '[1, "é"]'),
      argument('d', 'null', 'null'),
      argument('e', 'boolean', 'true'),
      argument('f', 'object', '{"g": 1}'),
    ].join('');
    const tools = element('tools', '', element('call', ' tool="f" index="1"', args) + element('call', ' tool="g" index="2"', ''));
    expect(await prompt(conversation)).toBe(
      message('role="assistant"', element('think', '', '') + element('response', '', '') + tools) +
        message('role="tool" tool="f" index="1"', 'first') +
        message('role="tool" tool="g" index="2"', 'second') +
        OPEN_ANSWER,
    );
  });

  it('keeps the order of results where a call is not known, and names them by their place', async () => {
    const conversation = [
      { role: 'assistant', content: '', tool_calls: [call('x', 'f', {}), call('y', 'g', {})] },
      { role: 'tool', tool_call_id: 'y', content: '1' },
      { role: 'tool', tool_call_id: 'z', content: '2' },
    ];
    const text = await prompt(conversation);
    expect(text).toContain(message('role="tool" tool="g" index="1"', '1') + message('role="tool" tool="g" index="2"', '2'));
  });

  it('refuses a result that belongs to no tool', async () => {
    await expect(prompt([user, { role: 'tool', tool_call_id: 'z', content: '2' }])).rejects.toMatchObject({ status: 400 });
  });

  it('declares tools sorted, then the effort; the choice and the format come last', async () => {
    const tools = [{ type: 'function', function: { name: 'f', description: null, parameters: { type: 'object', b: 1, a: 2 } } }];
    const responseFormat = { type: 'json_schema', json_schema: { name: 'n', schema: { z: 1, a: { y: 2, b: 3 } } } };
    const text = await prompt([user], { tools, templateKwargs: { reasoning_effort: 'low' }, toolChoice: 'required', responseFormat });
    const parts = text.split('<|end_of_msg|>');
    expect(parts).toHaveLength(6);
    expect(parts[0]).toContain(' type="tool-declare"<|sep|># Tools\nHere are the available tools, described in JSONSchema.');
    expect(parts[0]).toContain(
      '[{"function":{"description":null,"name":"f","parameters":{"a":2,"b":1,"type":"object"}},"type":"function"}]',
    );
    expect(parts[1]).toContain(' type="thinking-effort"<|sep|>');
    expect(parts[1]).toContain('Now the system is invoked with `thinking_effort=low`.');
    expect(parts[3]).toContain('You MUST call tools in the next message.');
    expect(parts[4]).toContain('```json\n{"a":{"b":3,"y":2},"z":1}\n```');
  });

  it.each([{ reasoning_effort: 'medium' }, { thinking_effort: 'odd' }, { thinking_effort: 5 }])(
    'refuses the effort %j',
    async (templateKwargs) => {
      await expect(prompt([user], { templateKwargs })).rejects.toMatchObject({ status: 400, param: 'thinking_effort' });
    },
  );

  it('thinks unless told otherwise', async () => {
    const opens = async (templateKwargs: Record<string, unknown>): Promise<boolean> =>
      (await prompt([user], { templateKwargs })).endsWith('think<|sep|>');
    expect(await opens({})).toBe(true);
    expect(await opens({ enable_thinking: false })).toBe(false);
    expect(await opens({ reasoning_effort: 'none' })).toBe(false);
    expect(await opens({ reasoning_effort: 'none', thinking: true })).toBe(true);
  });

  it('takes special tokens in texts as text', async () => {
    const content = 'a <|open|>message<|sep|> [EOS] <|reserved_token_1|>';
    const encoded = await encoder.encode(inputOf([{ role: 'user', content }]));
    const pieces = 'tokenIds' in encoded ? piecesOf(encoded.tokenIds, SPECIALS) : [];
    expect(pieces).toContainEqual([content]);
  });

  it('renders every recorded conversation or refuses it', async () => {
    for (const { input } of recordedChats('deepseek_v32')) {
      const rendering = Promise.resolve(input).then((chat) => encoder.encode(chat));
      await rendering.catch((error: unknown) => expect(error).toMatchObject({ status: 400 }));
    }
  });
});

import Anthropic from '@anthropic-ai/sdk';
import { describe, expect, it } from 'vitest';
import type { MessageAnswer, MessageEvent } from '../../src/derender/messages-answer.ts';
import { answerText } from '../../src/http/json-answer.ts';
import { MODEL_TEXT, eventFetch, oneShotBody, streamedEvents } from './answer-stream.ts';
import { letterService } from './letter-service.ts';

const service = letterService({ tool: 'hermes', reasoning: 'qwen3' });
const tools: Anthropic.Tool[] = [{ name: 'add', input_schema: { type: 'object', properties: {} } }];
const sent = { model: 'm', max_tokens: 100, messages: [{ role: 'user' as const, content: 'Hi' }], tools };

/** What is compared, as clients read it: ids and signatures are made at random. */
function blocks(message: { content: readonly unknown[] }): unknown[] {
  const content = JSON.parse(answerText(message.content)) as Record<string, unknown>[];
  return content.map((block) => {
    const { id: _, signature: __, ...rest } = block;
    return rest;
  });
}

async function clientMessage(events: readonly unknown[]): Promise<Anthropic.Message> {
  const client = new Anthropic({ apiKey: 'k', baseURL: 'http://localhost', fetch: eventFetch(events), maxRetries: 0 });
  return client.messages.stream(sent).finalMessage();
}

describe('a chat answer as an Anthropic message', () => {
  it('has the types of the official client', async () => {
    const body = await oneShotBody(service, 'messages', sent, MODEL_TEXT);
    const message: Anthropic.Message = await service.messages(body);
    expect(message).toMatchObject({
      id: 'r-1',
      type: 'message',
      role: 'assistant',
      model: 'm',
      stop_reason: 'tool_use',
      stop_sequence: null,
    });
    expect(message.usage).toMatchObject({ input_tokens: 2, output_tokens: body.body.generate_response.choices[0]?.token_ids?.length });
    expect(blocks(message)).toEqual([
      { type: 'thinking', thinking: 'Let me see.' },
      { type: 'text', text: 'I add.\n', citations: null },
      { type: 'tool_use', name: 'add', input: { a: 1 }, caller: { type: 'direct' } },
      { type: 'tool_use', name: 'add', input: { a: 2 }, caller: { type: 'direct' } },
    ]);
  });

  it.each([
    ['length', null, 'max_tokens', null],
    ['stop', 'END', 'stop_sequence', 'END'],
    ['stop', null, 'end_turn', null],
    ['stop', 0, 'end_turn', null],
    ['abort', null, null, null],
  ])('tells the end: %s %s', async (finish, stop, reason, sequence) => {
    const message = await service.messages(
      await oneShotBody(service, 'messages', sent, '</think>Hi', { finish_reason: finish, stop_reason: stop }),
    );
    expect(message).toMatchObject({ stop_reason: reason, stop_sequence: sequence });
  });

  it('keeps arguments that were cut as text', async () => {
    const message = await service.messages(
      await oneShotBody(service, 'messages', sent, '</think><tool_call>\n{"name": "add", "arguments": {"a": "x', {
        finish_reason: 'length',
      }),
    );
    expect(message.stop_reason).toBe('max_tokens');
    expect(message.content.at(-1)).toMatchObject({ type: 'tool_use', input: '{"a": "x' });
  });

  it('keeps the digits of numbers, and as text what has no form in JSON', async () => {
    const call = (args: string): string => `</think><tool_call>\n{"name": "add", "arguments": ${args}}\n</tool_call>`;
    const input = async (args: string): Promise<string> => {
      const message = await service.messages(await oneShotBody(service, 'messages', sent, call(args)));
      return answerText((message.content.at(-1) as { input: unknown }).input);
    };
    expect(await input('{"b": 12345678901234567890, "a": 1.0}')).toBe('{"b":12345678901234567890,"a":1.0}');
    expect(await input('{"a": NaN}')).toBe(JSON.stringify('{"a": NaN}'));
  });

  it('has an empty block where there is no text', async () => {
    expect((await service.messages(await oneShotBody(service, 'messages', sent, '<|im_end|>'))).content).toEqual([
      { type: 'text', text: '', citations: null },
    ]);
  });

  it('refuses several choices', async () => {
    const body = await oneShotBody(service, 'messages', sent, 'x');
    body.body.generate_response.choices.push(...body.body.generate_response.choices);
    await expect(service.messages(body)).rejects.toMatchObject({ status: 400 });
  });
});

describe('a stream as the events of an Anthropic message', () => {
  it.each([1, 3, 7, 1000])('makes the same message in the official client, %i tokens a chunk', async (size) => {
    const events = await streamedEvents(service, 'messages', sent, MODEL_TEXT, size);
    const typed = events as MessageEvent[] satisfies Anthropic.RawMessageStreamEvent[];
    expect(typed.at(-1)).toEqual({ type: 'message_stop' });
    const streamed = await clientMessage(events);
    const whole: MessageAnswer = await service.messages(await oneShotBody(service, 'messages', sent, MODEL_TEXT));
    expect(streamed.stop_reason).toBe('tool_use');
    expect(streamed.usage.output_tokens).toBe(whole.usage.output_tokens);
    expect(streamed.usage.input_tokens).toBe(2);
    const text = (list: unknown[]): unknown[] => list.filter((block) => (block as { text?: string }).text !== '\n');
    expect(text(blocks(streamed))).toEqual(blocks(whole));
  });

  it('ends with the stop string', async () => {
    const events = await streamedEvents(service, 'messages', sent, '</think>Hi', 2, { stop_reason: 'END' });
    expect(await clientMessage(events)).toMatchObject({ stop_reason: 'stop_sequence', stop_sequence: 'END' });
  });

  it('has a first block also where there is no text', async () => {
    expect((await clientMessage(await streamedEvents(service, 'messages', sent, '<|im_end|>', 1))).content).toMatchObject([
      { type: 'text', text: '' },
    ]);
  });
});

import OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import type { ResponseEvent } from '../../src/derender/response-events.ts';
import type { OutputItem } from '../../src/protocol/response-output.ts';
import { MODEL_TEXT, eventFetch, oneShotBody, streamedEvents } from './answer-stream.ts';
import { letterService } from './letter-service.ts';

const service = letterService({ tool: 'hermes', reasoning: 'qwen3' });
const tools: OpenAI.Responses.Tool[] = [{ type: 'function', name: 'add', parameters: { type: 'object', properties: {} }, strict: false }];
const sent = { model: 'm', input: 'Hi', instructions: 'Be brief.', temperature: 0.5, tools };

const shown = (items: readonly OutputItem[] | readonly OpenAI.Responses.ResponseOutputItem[]): unknown[] =>
  items
    .map((item) => {
      const { id: _, call_id: __, parsed_arguments: ___, ...rest } = item as unknown as Record<string, unknown>;
      return rest;
    })
    .filter((item) => JSON.stringify(item).includes('"text":"\\n"') === false);

async function clientResponse(events: readonly unknown[]): Promise<OpenAI.Responses.Response> {
  const client = new OpenAI({ apiKey: 'k', baseURL: 'http://localhost', fetch: eventFetch(events), maxRetries: 0 });
  return client.responses.stream({ model: 'm', input: 'Hi' }).finalResponse();
}

describe('a chat answer as a response', () => {
  it('has the types of the official client', async () => {
    const answer = await service.responses(await oneShotBody(service, 'responses', sent, MODEL_TEXT));
    const output: OpenAI.Responses.ResponseOutputItem[] = answer.output;
    expect(answer).toMatchObject({
      id: 'r-1',
      object: 'response',
      status: 'completed',
      error: null,
      incomplete_details: null,
      instructions: 'Be brief.',
      temperature: 0.5,
      tools,
      tool_choice: 'auto',
    });
    expect(shown(output)).toEqual([
      {
        type: 'reasoning',
        summary: [],
        content: [{ type: 'reasoning_text', text: 'Let me see.' }],
        encrypted_content: null,
        status: 'completed',
      },
      {
        type: 'message',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: 'I add.\n', annotations: [], logprobs: [] }],
      },
      { type: 'function_call', name: 'add', arguments: '{"a": 1}', status: 'completed' },
      { type: 'function_call', name: 'add', arguments: '{"a": 2}', status: 'completed' },
    ]);
    expect(answer.usage).toMatchObject({ input_tokens: 2, total_tokens: 2 + (answer.usage?.output_tokens ?? 0) });
  });

  it('tells that the length cut it, with the last item', async () => {
    const answer = await service.responses(await oneShotBody(service, 'responses', sent, '<think>a</think>b', { finish_reason: 'length' }));
    expect(answer).toMatchObject({ status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } });
    expect(answer.output).toMatchObject([{ status: 'completed' }, { status: 'incomplete' }]);
  });

  it('gives the input of custom tools as free text', async () => {
    const custom = { ...sent, tools: [{ type: 'custom', name: 'add' }] };
    const text = '</think><tool_call>\n{"name": "add", "arguments": {"input": "1 + 1"}}\n</tool_call>';
    expect((await service.responses(await oneShotBody(service, 'responses', custom, text))).output).toMatchObject([
      { type: 'custom_tool_call', input: '1 + 1' },
    ]);
    const final = await clientResponse(await streamedEvents(service, 'responses', custom, text, 1));
    expect(final.output).toMatchObject([{ type: 'custom_tool_call', input: '1 + 1' }]);
  });

  it('shows log probabilities where they were asked for', async () => {
    const logprobs = { content: [{ token_id: 10, logprob: -1, top_logprobs: [{ token_id: 10, logprob: -1 }] }] };
    const asked = { ...sent, include: ['message.output_text.logprobs'] };
    const answer = await service.responses(await oneShotBody(service, 'responses', asked, '</think>b', { logprobs }));
    expect(answer.output.at(-1)).toMatchObject({ content: [{ logprobs: [{ token: '$', logprob: -1, bytes: [36] }] }] });
    const silent = await service.responses(await oneShotBody(service, 'responses', sent, '</think>b', { logprobs }));
    expect(silent.output.at(-1)).toMatchObject({ content: [{ logprobs: [] }] });
  });
});

describe('a stream as the events of a response', () => {
  it.each([1, 3, 7, 1000])('makes the same response in the official client, %i tokens a chunk', async (size) => {
    const events = (await streamedEvents(service, 'responses', sent, MODEL_TEXT, size)) as ResponseEvent[];
    expect(events.map((event) => event.sequence_number)).toEqual(events.map((_, at) => at));
    const final = await clientResponse(events);
    const whole = await service.responses(await oneShotBody(service, 'responses', sent, MODEL_TEXT));
    expect(shown(final.output)).toMatchObject(shown(whole.output));
    expect(final).toMatchObject({ status: 'completed', usage: { input_tokens: 2, output_tokens: whole.usage?.output_tokens } });
  });

  it('gives each item an added, a done and, in between, deltas that add up', async () => {
    const events = (await streamedEvents(service, 'responses', sent, MODEL_TEXT, 1)) as ResponseEvent[];
    const added = events.filter((event) => event.type === 'response.output_item.added');
    const done = events.filter((event) => event.type === 'response.output_item.done');
    expect(added.map((event) => event['output_index'])).toEqual(done.map((event) => event['output_index']));
    for (const event of done) {
      const item = event['item'] as OutputItem;
      const deltas = events.filter((other) => other['item_id'] === item.id && other.type.endsWith('.delta')).map((other) => other['delta']);
      const text = item.type === 'function_call' ? item.arguments : item.type === 'custom_tool_call' ? item.input : item.content[0]?.text;
      expect(deltas.join('')).toBe(text);
    }
  });

  it('ends as incomplete where the length cut it', async () => {
    const final = await clientResponse(await streamedEvents(service, 'responses', sent, '</think>Hi', 1, { finish_reason: 'length' }));
    expect(final).toMatchObject({ status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } });
  });
});

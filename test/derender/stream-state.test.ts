import { describe, expect, it } from 'vitest';
import type { ServiceFlags } from './letter-service.ts';
import { chatChunkBody, letterService } from './letter-service.ts';
import { letterIds } from './letter-tokenizer.ts';

const PARSERS: ServiceFlags = { tool: 'hermes', reasoning: 'qwen3' };
const PROMPT = letterIds('Hi');
const tools = [{ type: 'function', function: { name: 'add', parameters: { type: 'object', properties: {} } } }];
const request = { model: 'm', messages: [{ role: 'user', content: 'Hi' }], tools };

type State = Record<string, unknown>;
type Service = ReturnType<typeof letterService>;

function chunk(service: Service, text: string, state: unknown, members: Record<string, unknown> = {}): { text: string; state: State } {
  const body = {
    generate_chunk: { request_id: 'r', choices: [{ index: 0, token_ids: letterIds(text), finish_reason: null }] },
    stream_state: state,
    prompt_token_ids: PROMPT,
    chat_request: request,
    ...members,
  };
  const { chunk: answer, stream_state: next } = service.chatStream(chatChunkBody(body));
  return { text: answer.choices[0]?.delta.content ?? '', state: JSON.parse(JSON.stringify(next)) as State };
}

const error = (run: () => unknown): { status: number; type: string; message: string } => {
  try {
    run();
  } catch (thrown) {
    return thrown as { status: number; type: string; message: string };
  }
  throw new Error('nothing was thrown');
};

describe('a compact state', () => {
  it('counts the output instead of carrying it, and stays small', () => {
    const service = letterService(PARSERS);
    let state: unknown = null;
    let largest = 0;
    for (let at = 0; at < 300; at += 1) {
      const text =
        at === 0
          ? '<think>ok</think>'
          : at % 10 === 0
            ? '<tool_call>\n{"name": "add", "arguments": {"a": 1}}\n</tool_call>'
            : 'some words ';
      ({ state } = chunk(service, text, state));
      largest = Math.max(largest, JSON.stringify(state).length);
    }
    expect(state).toMatchObject({ output_token_ids: [], parser_state: { prompt_tokens: 2, tool_calls: 29 } });
    expect((state as { output_chunk_lens: number[] }).output_chunk_lens).toHaveLength(1);
    expect((state as { last_tool_call_ids: string[] }).last_tool_call_ids).toHaveLength(1);
    expect(largest).toBeLessThan(2048);
  });

  it('makes prompt_token_ids optional after the first chunk', () => {
    const service = letterService(PARSERS);
    const { state } = chunk(service, '<think>a', null);
    expect(chunk(service, '</think>b', state, { prompt_token_ids: null }).text).toBe('b');
    expect(error(() => chunk(service, 'b', null, { prompt_token_ids: null }))).toMatchObject({ status: 400, type: 'BadRequestError' });
  });

  it.each([
    ['a count that is not the output length', { output_chunk_lens: [7] }],
    ['a history besides', { output_token_ids: [1] }],
    ['no lengths', { output_chunk_lens: [] }],
    ['offsets outside its window', { read_offset: 9 }],
  ])('is refused with %s', (_name, change) => {
    const service = letterService(PARSERS);
    const { state } = chunk(service, '<think>a', null);
    expect(error(() => chunk(service, 'b', { ...state, ...change }))).toMatchObject({ status: 400, type: 'Bad Request' });
  });

  it('is refused by a server with other parsers, and where the snapshot is damaged', () => {
    const { state } = chunk(letterService(PARSERS), '<think>a', null);
    for (const flags of [{}, { tool: 'hermes' }, { tool: 'qwen3_coder', reasoning: 'qwen3' }]) {
      expect(error(() => chunk(letterService(flags), 'b', state))).toMatchObject({ status: 400, type: 'BadRequestError' });
    }
    const damaged = { ...state, parser_state: { ...(state['parser_state'] as State), snapshot: { tool: 5 } } };
    expect(error(() => chunk(letterService(PARSERS), 'b', damaged)).message).toMatch(/stream_state/);
  });
});

describe('a state with the whole history', () => {
  const history = { output_token_ids: letterIds('<think>x</think>Hel'), output_chunk_lens: [2, 4] };

  it('is read in either mode and goes on in the mode in force', () => {
    const compact = chunk(letterService(PARSERS), 'lo', history);
    expect(compact.text).toBe('lo');
    expect(compact.state).toMatchObject({ output_token_ids: [], output_chunk_lens: [8] });
    const full = chunk(letterService({ ...PARSERS, streamState: 'vllm' }), 'lo', history);
    expect(full.text).toBe('lo');
    expect(full.state).toMatchObject({
      output_token_ids: letterIds('<think>x</think>Hello'),
      output_chunk_lens: [2, 4, 2],
      prev_tokens: [],
    });
    expect(full.state).not.toHaveProperty('parser_state');
  });

  it('goes on from what the server kept as from a replay', () => {
    const kept = letterService({ ...PARSERS, streamState: 'vllm' });
    const one = chunk(kept, '<think>x', null);
    const two = chunk(kept, '</think>He', one.state);
    const replayed = chunk(letterService({ ...PARSERS, streamState: 'vllm' }), 'llo', two.state);
    expect(chunk(kept, 'llo', two.state)).toEqual(replayed);
  });

  it('answers a last chunk that is sent twice the same way', () => {
    const service = letterService({ ...PARSERS, streamState: 'vllm' });
    const { state } = chunk(service, '<think>x</think>He<tool', null);
    const last = { generate_chunk: { choices: [{ index: 0, token_ids: [], finish_reason: 'stop' }] } };
    const once = chunk(service, '', state, last);
    expect(once.text).toBe('<tool');
    expect(chunk(service, '', state, last)).toEqual(once);
    expect(chunk(service, '', once.state, { generate_chunk: { choices: [], usage: {} } }).state).toEqual(once.state);
  });

  it('keeps the ids that calls were given before', () => {
    const state = { ...history, last_tool_call_ids: ['first'], role_sent: true };
    const body = {
      generate_chunk: { choices: [{ index: 0, token_ids: letterIds('<tool_call>\n{"name": "add", "arguments": {}}\n</tool_call>') }] },
      stream_state: state,
      prompt_token_ids: PROMPT,
      chat_request: request,
    };
    const { chunk: answer } = letterService(PARSERS).chatStream(chatChunkBody(body));
    expect(answer.choices[0]?.delta.tool_calls?.[0]?.id).toBe('first');
  });

  it('has no room for text that is held back: stop strings are refused', () => {
    const service = letterService({ ...PARSERS, streamState: 'vllm' });
    expect(error(() => chunk(service, 'a', null, { chat_request: { ...request, stop: 'END' } }))).toMatchObject({
      status: 400,
      type: 'BadRequestError',
    });
  });
});

describe('a signed state', () => {
  const service = letterService({ ...PARSERS, streamStateKey: 'secret' });
  const first = chunk(service, '<think>a', null).state;

  it('is taken as it was given, whatever the order of its members', () => {
    const turned = Object.fromEntries(Object.entries(first).reverse());
    expect(chunk(service, '</think>b', turned).text).toBe('b');
  });

  it.each([
    ['without signature', { ...first, signature: undefined }],
    ['with another member', { ...first, role_sent: false }],
    ['of a reference server', { role_sent: true }],
  ])('is refused %s', (_name, state) => {
    expect(error(() => chunk(service, 'b', state))).toMatchObject({ status: 400, type: 'BadRequestError' });
  });

  it('is refused with another request, or by a server with another key', () => {
    const other = { ...request, messages: [{ role: 'user', content: 'Ho' }] };
    expect(error(() => chunk(service, 'b', first, { chat_request: other }))).toMatchObject({ status: 400 });
    expect(error(() => chunk(letterService({ ...PARSERS, streamStateKey: 'x' }), 'b', first))).toMatchObject({ status: 400 });
  });
});

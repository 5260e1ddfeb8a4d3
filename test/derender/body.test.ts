import { describe, expect, it } from 'vitest';
import { ApiError } from '../../src/core/errors.ts';
import { parseChatDerender } from '../../src/protocol/derender-chat.ts';
import { parseCompletionDerender } from '../../src/protocol/derender-completion.ts';
import { rememberRequests } from '../../src/protocol/remembered-requests.ts';
import { chatBody, completionBody, letterService } from './letter-service.ts';

function failure(run: () => unknown): ApiError {
  try {
    run();
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

const choice = (members: Record<string, unknown> = {}): Record<string, unknown> => ({ index: 0, token_ids: [9], ...members });
const whole = (members: Record<string, unknown> = {}): Record<string, unknown> => ({
  generate_response: { choices: [choice()] },
  ...members,
});

describe('the body of a derender request', () => {
  it('names the first form in param, whichever was meant', () => {
    expect(failure(() => parseChatDerender({ stream: true, generate_chunk: {} }))).toMatchObject({
      type: 'Bad Request',
      param: 'body.DerenderChatRequest.stream',
    });
    expect(failure(() => parseCompletionDerender({ stream: true, generate_chunk: {} })).param).toBe('body.stream');
    expect(failure(() => parseChatDerender({})).param).toBe('body.DerenderChatRequest.generate_response');
    expect(failure(() => parseCompletionDerender({})).param).toBe('body.generate_responses');
  });

  it('names what is wrong inside the rendered request, after what is wrong before it', () => {
    expect(failure(() => parseChatDerender(whole({ chat_request: {} }))).param).toBe('body.DerenderChatRequest.chat_request.messages');
    expect(failure(() => parseChatDerender(whole({ prompt_tokens: 'x', chat_request: {} }))).param).toBe(
      'body.DerenderChatRequest.prompt_tokens',
    );
    const badChoice = { messages: [], tool_choice: 'auto' };
    expect(failure(() => parseChatDerender({ generate_response: 5, chat_request: badChoice }))).toMatchObject({
      type: 'BadRequestError',
      param: 'tool_choice',
    });
  });

  it.each([
    [{ content: [{ logprob: -1 }] }, 'content.0.token_id'],
    [{ content: [{ token: 'Hello', logprob: -1 }] }, 'content.0.token_id'],
    [{ content: [{ token_id: 1 }] }, 'content.0.logprob'],
    [{ content: [{ token_id: 1, logprob: -1, top_logprobs: [{ token_id: 1, logprob: 'x' }] }] }, 'content.0.top_logprobs.0.logprob'],
    [{ content: [{ token_id: 1, logprob: -1, rank: 'x' }] }, 'content.0.rank'],
    [{ content: {} }, 'content'],
    [{ content: [5] }, 'content.0'],
  ])('names what is wrong in logprobs %j', (logprobs, path) => {
    const body = { generate_response: { choices: [choice({ logprobs })] } };
    expect(failure(() => parseChatDerender(body)).param).toBe(`body.DerenderChatRequest.generate_response.choices.0.logprobs.${path}`);
  });

  it('is read in a few milliseconds with 100,000 ids', () => {
    const ids = Array.from({ length: 100_000 }, (_, at) => at);
    const body = { generate_response: { choices: [choice({ token_ids: ids })] }, prompt_token_ids: ids };
    const times = Array.from({ length: 10 }, () => {
      const started = performance.now();
      parseChatDerender(body);
      return performance.now() - started;
    });
    expect(Math.min(...times) / 2).toBeLessThan(5);
  });
});

describe('sizes beyond the limits', () => {
  const service = letterService({ maxModelLen: 3 });
  const long = [9, 9, 9, 9];
  const logprob = { token_id: 9, logprob: -1, top_logprobs: [] };

  it.each([
    ['ids', { choices: [choice({ token_ids: long })] }],
    ['logprobs', { choices: [choice({ logprobs: { content: long.map(() => logprob) } })] }],
    [
      'candidates',
      { choices: [choice({ logprobs: { content: [{ ...logprob, top_logprobs: Array.from({ length: 21 }, () => logprob) }] } })] },
    ],
    ['prompt logprobs', { choices: [choice()], prompt_logprobs: [null, null, null, null] }],
    ['choices', { choices: Array.from({ length: 16_385 }, () => choice()) }],
    ['no ids', { choices: [choice({ token_ids: [] })] }],
  ])('are refused: %s', async (_name, response) => {
    await expect(service.chat(chatBody({ generate_response: response }))).rejects.toMatchObject({ status: 400, type: 'BadRequestError' });
    await expect(service.completion(completionBody({ generate_responses: [response] }))).rejects.toMatchObject({ status: 400 });
  });

  it('are refused: prompts', async () => {
    await expect(service.chat(chatBody(whole({ prompt_token_ids: long })))).rejects.toMatchObject({ status: 400 });
  });
});

describe('logprobs of older engines', () => {
  it('hold their ids in placeholders', async () => {
    const content = [
      { token: 'token_id:10', logprob: -1, bytes: null, top_logprobs: [{ token: 'token_id:11', logprob: -2, bytes: null }] },
    ];
    const { choices } = await letterService().chat(chatBody({ generate_response: { choices: [choice({ logprobs: { content } })] } }));
    expect(choices[0]?.logprobs?.content).toEqual([
      { token: '$', logprob: -1, bytes: [36], top_logprobs: [{ token: '%', logprob: -2, bytes: [37] }] },
    ]);
  });
});

describe('remembered requests', () => {
  it('are parsed once, and forgotten when there are too many', () => {
    let parsed = 0;
    const parse = rememberRequests((value) => {
      parsed += 1;
      return { value };
    }, 30);
    expect(parse({ a: 'xxxxxxxx' })).toBe(parse({ a: 'xxxxxxxx' }));
    expect(parsed).toBe(1);
    parse({ b: 'xxxxxxxx' });
    parse({ a: 'xxxxxxxx' });
    expect(parsed).toBe(3);
  });

  it('are not remembered where they are refused', () => {
    const parse = rememberRequests(() => {
      throw new Error('refused');
    });
    expect(() => parse(1)).toThrow('refused');
    expect(() => parse(1)).toThrow('refused');
  });
});

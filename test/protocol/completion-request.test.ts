import { describe, expect, it } from 'vitest';
import { parseCompletionRequest } from '../../src/protocol/completion-request.ts';
import { bad, invalid, refusal } from './thrown.ts';

const refused = (body: Record<string, unknown>): unknown => refusal(() => parseCompletionRequest(body));

describe('the prompt of a completion', () => {
  it.each(['x', ['x', 'y'], [1, 2], [[1], [2, 3]], ['x', '']])('may be %j', (prompt) => {
    expect(parseCompletionRequest({ prompt }).prompt).toEqual(prompt);
  });

  it('may have ids that are written as text', () => {
    expect(parseCompletionRequest({ prompt: [1, '2'] }).prompt).toEqual([1, 2]);
  });

  it.each([undefined, null, ''])('must be there: %j', (prompt) => {
    expect(refused({ prompt })).toEqual(bad('prompt'));
  });

  it.each([[{}], [[1, 'x']], [['x', 1]], [[[1], 'x']], [5], [[1, 2 ** 53]], [[['9007199254740992']]]])('may not be %j', (prompt) => {
    expect(refused({ prompt })).toMatchObject({ status: 400, type: 'Bad Request' });
  });

  it('may be at most 1024', () => {
    expect(refused({ prompt: Array.from({ length: 1024 }, () => 'x') })).toBeNull();
    expect(refused({ prompt: Array.from({ length: 1025 }, () => 'x') })).toEqual(bad('prompt'));
    expect(refused({ prompt: Array.from({ length: 1025 }, () => 1) })).toBeNull();
  });
});

describe('members of a completion', () => {
  it('have defaults', () => {
    expect(parseCompletionRequest({ prompt: 'x' })).toMatchObject({
      max_tokens: 16,
      n: 1,
      echo: false,
      add_special_tokens: true,
      suffix: null,
    });
    expect(parseCompletionRequest({ prompt: 'x', max_tokens: null }).max_tokens).toBe(16);
  });

  it.each([
    [{ logprobs: -2 }, bad('logprobs')],
    [{ prompt_logprobs: 1, stream: true }, bad('prompt_logprobs')],
    [{ logprob_token_ids: [1] }, bad('logprob_token_ids')],
    [{ structured_outputs: { json: {}, regex: 'x' } }, bad('structured_outputs')],
    [{ n: 'x' }, invalid('body.n')],
    [{ add_special_tokens: 5 }, invalid('body.add_special_tokens')],
  ])('are refused: %j', (members, wanted) => {
    expect(refused({ prompt: 'x', ...members })).toEqual(wanted);
  });
});

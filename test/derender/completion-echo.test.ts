import { describe, expect, it } from 'vitest';
import { completionBody, completionChunkBody, letterService } from './letter-service.ts';
import { letterIds } from './letter-tokenizer.ts';

const service = letterService();
const prompt = letterIds('Ab');
const [first = 0, second = 0] = prompt;
const promptLogprobs = [
  null,
  { [second]: { logprob: -3, rank: 9, decoded_token: 'b' }, 40: { logprob: -1, rank: 1 }, 41: { logprob: -2, rank: 2 } },
];
const outputLogprobs = {
  content: letterIds('cd').map((id) => ({ token_id: id, logprob: -0.5, top_logprobs: [{ token_id: id, logprob: -0.5 }] })),
};

function response(members: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    choices: [{ index: 0, token_ids: letterIds('cd'), finish_reason: 'length', logprobs: outputLogprobs }],
    prompt_token_ids: prompt,
    prompt_logprobs: promptLogprobs,
    ...members,
  };
}

async function completed(
  request: Record<string, unknown>,
  responses = [response()],
): Promise<Awaited<ReturnType<typeof service.completion>>['choices']> {
  const body = { generate_responses: responses, completion_request: { model: 'm', prompt: 'Ab', echo: true, ...request } };
  return (await service.completion(completionBody(body))).choices;
}

describe('echo of a completion prompt', () => {
  it('puts the prompt in front, with its logprobs', async () => {
    const [choice] = await completed({ logprobs: 1 });
    expect(choice?.text).toBe('Abcd');
    expect(choice?.logprobs).toEqual({
      text_offset: [0, 1, 2, 3],
      tokens: ['A', 'b', 'c', 'd'],
      token_logprobs: [null, -3, -0.5, -0.5],
      top_logprobs: [null, { b: -3, B: -1 }, { c: -0.5 }, { d: -0.5 }],
    });
  });

  it('is the prompt alone with max_tokens 0', async () => {
    const [choice] = await completed({ logprobs: 0, max_tokens: 0 });
    expect(choice).toMatchObject({ text: 'Ab', logprobs: { tokens: ['A', 'b'] } });
  });

  it('is left out of the text where token ids are returned', async () => {
    const [choice] = await completed({ return_token_ids: true });
    expect(choice).toMatchObject({ text: 'cd', prompt_token_ids: prompt, token_ids: letterIds('cd') });
  });

  it('decodes prompts that were sent as ids, or shortened', async () => {
    expect((await completed({ prompt: [first, second] }))[0]?.text).toBe('Abcd');
    expect((await completed({ prompt: 'xxxAb', truncate_prompt_tokens: 2 }))[0]?.text).toBe('Abcd');
  });

  it('goes with the right one of several prompts, once for each choice', async () => {
    const two = response({
      choices: [0, 1].map((index) => ({ index, token_ids: letterIds('x'), finish_reason: 'stop' })),
      prompt_logprobs: null,
    });
    const choices = await completed({ prompt: ['Ab', 'Yz'] }, [response({ prompt_logprobs: null }), two]);
    expect(choices.map(({ text }) => text)).toEqual(['Abcd', 'Yzx', 'Yzx']);
  });

  it.each([
    ['logprobs without those of the prompt', { logprobs: 1 }, [response({ prompt_logprobs: null })]],
    ['logprobs without those of the output', { logprobs: 1 }, [response({ choices: [{ index: 0, token_ids: [9] }] })]],
    ['logprobs without the prompt ids', { logprobs: 1 }, [response({ prompt_token_ids: null })]],
    ['prompt logprobs of another length', { logprobs: 1 }, [response({ prompt_logprobs: [null] })]],
    ['prompt logprobs of other tokens', { logprobs: 1 }, [response({ prompt_logprobs: [null, {}] })]],
    ['more prompts than answers', { prompt: ['a', 'b'] }, [response()]],
    ['a shortened prompt without ids', { truncate_prompt_tokens: 1 }, [response({ prompt_token_ids: null })]],
  ])('is refused with %s', async (_name, request, responses) => {
    await expect(completed(request, responses)).rejects.toMatchObject({ status: 400, type: 'BadRequestError' });
  });

  it('comes once in a stream', () => {
    const texts: (string | undefined)[] = [];
    let state: unknown = null;
    for (const text of ['c', 'd', '']) {
      const body = {
        generate_chunk: { choices: [{ index: 0, token_ids: letterIds(text) }] },
        stream_state: state,
        completion_request: { model: 'm', prompt: 'Ab', echo: true },
      };
      const answer = service.completionStream(completionChunkBody(body));
      state = JSON.parse(JSON.stringify(answer.stream_state));
      texts.push(answer.chunk.choices[0]?.text);
    }
    expect(texts).toEqual(['Abc', 'd', '']);
  });

  it.each([
    ['logprobs', { logprobs: 1 }],
    ['several prompts', { prompt: ['a', 'b'] }],
  ])('is refused in a stream with %s', (_name, request) => {
    const body = {
      generate_chunk: { choices: [{ index: 0, token_ids: [9] }] },
      completion_request: { model: 'm', prompt: 'Ab', echo: true, ...request },
    };
    expect(() => service.completionStream(completionChunkBody(body))).toThrowError();
  });
});

describe('prompt_logprobs of a completion', () => {
  it('are kept for each choice, infinities replaced', async () => {
    const infinite = response({ prompt_logprobs: [null, { [second]: { logprob: '-inf' } }] });
    const [choice] = await completed({ echo: false }, [infinite]);
    expect(choice?.prompt_logprobs).toEqual([null, { [second]: { logprob: -9999, rank: null, decoded_token: null } }]);
  });
});

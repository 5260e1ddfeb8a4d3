import { describe, expect, it } from 'vitest';
import { samplingDefaults, outputTokenLimit } from '../../src/render/default-sampling.ts';
import { bad, refusal } from '../protocol/thrown.ts';
import { letterRender } from './letter-render.ts';
import type { LetterFlags } from './letter-render.ts';

async function params(members: Record<string, unknown> = {}, flags: LetterFlags = {}): Promise<Record<string, unknown>> {
  const { sampling_params: sampling } = await letterRender(flags).chat({ messages: [{ role: 'user', content: 'x' }], ...members });
  return sampling as unknown as Record<string, unknown>;
}

describe('sampling parameters', () => {
  it('leave out what the engine does anyway', async () => {
    expect(await params()).toEqual({
      presence_penalty: 0,
      frequency_penalty: 0,
      repetition_penalty: 1,
      temperature: 1,
      top_p: 1,
      min_p: 0,
      stop: [],
      stop_token_ids: [],
      bad_words: [],
      output_kind: 2,
      skip_clone: true,
      skip_reading_prefix_cache: false,
      max_tokens: 991,
    });
  });

  it('have what the request asks for', async () => {
    const asked = {
      n: 2,
      top_k: 5,
      seed: 7,
      stop: 'END',
      stop_token_ids: [5, 5, 6],
      min_tokens: 3,
      max_tokens: 10,
      logprobs: true,
      top_logprobs: 4,
      ignore_eos: true,
      stream: true,
      skip_special_tokens: false,
      logit_bias: { ' 5 ': 200, 6: -200 },
    };
    expect(await params(asked)).toMatchObject({
      n: 2,
      top_k: 5,
      seed: 7,
      stop: ['END'],
      output_text_buffer_length: 2,
      stop_token_ids: [5, 6],
      min_tokens: 3,
      max_tokens: 10,
      logprobs: 4,
      ignore_eos: true,
      output_kind: 1,
      skip_special_tokens: false,
      logit_bias: { 5: 100, 6: -100 },
    });
  });

  it('are those of one candidate where the temperature is 0', async () => {
    const greedy = await params({ temperature: 0, top_k: 5, top_p: 0.5 });
    expect(greedy).not.toHaveProperty('top_p');
    expect(greedy).not.toHaveProperty('top_k');
    expect((await params({ temperature: 0.001 }))['temperature']).toBe(0.01);
  });

  it('come from the model, the server and the request, in this order', async () => {
    const flags = {
      generationConfig: { temperature: 0.6, top_k: 20, max_new_tokens: 30 },
      settings: { overrideGenerationConfig: { top_k: 30 } },
    };
    expect(await params({}, flags)).toMatchObject({ temperature: 0.6, top_k: 30, max_tokens: 30 });
    expect(await params({ temperature: 0.9, max_tokens: 40 }, flags)).toMatchObject({ temperature: 0.9, max_tokens: 40 });
    expect(await params({}, { ...flags, settings: { generationConfig: 'vllm' } })).toMatchObject({ temperature: 1, max_tokens: 991 });
  });

  it.each([
    [{ n: 0 }, null],
    [{ n: 20_000 }, null],
    [{ n: 2, temperature: 0 }, null],
    [{ temperature: 3 }, 'temperature'],
    [{ temperature: -1 }, 'temperature'],
    [{ temperature: 'nan' }, 'temperature'],
    [{ top_p: 0 }, 'top_p'],
    [{ top_k: -2 }, null],
    [{ min_p: 2 }, null],
    [{ presence_penalty: 3 }, null],
    [{ frequency_penalty: -3 }, null],
    [{ repetition_penalty: 0 }, null],
    [{ min_tokens: -1 }, null],
    [{ min_tokens: 11, max_tokens: 10 }, null],
    [{ max_tokens: 0 }, 'max_tokens'],
    [{ stop: [''] }, null],
    [{ bad_words: [''] }, null],
    [{ logit_bias: { x: 1 } }, 'logit_bias'],
  ])('are refused with %j', async (members, param) => {
    await expect(params(members)).rejects.toMatchObject(bad(param));
  });
});

describe('the limit on output tokens', () => {
  const limits = (source: string, config: Record<string, unknown>, overrides = {}) => ({
    maxModelLen: 100,
    defaults: samplingDefaults(source, config, overrides),
  });

  it('is the room in the context, less where something says so', () => {
    expect(outputTokenLimit(limits('auto', {}), null, 30, null)).toBe(70);
    expect(outputTokenLimit(limits('auto', {}), 80, 30, null)).toBe(70);
    expect(outputTokenLimit(limits('auto', { max_new_tokens: 20 }), null, 30, null)).toBe(20);
    expect(outputTokenLimit(limits('auto', { max_new_tokens: 20 }), 50, 30, null)).toBe(50);
  });

  it('cannot be passed where the operator set it', () => {
    expect(outputTokenLimit(limits('auto', {}, { max_new_tokens: 20 }), 50, 30, null)).toBe(20);
    expect(outputTokenLimit(limits('/folder', { max_new_tokens: 20 }), 50, 30, null)).toBe(20);
  });

  it('counts a prompt as long as it is left', () => {
    expect(outputTokenLimit(limits('auto', {}), null, 300, 40)).toBe(60);
    expect(outputTokenLimit(limits('auto', {}), null, 300, -1)).toBe(0);
    expect(refusal(() => outputTokenLimit(limits('auto', {}), null, 101, null))).toEqual(bad(null));
  });
});

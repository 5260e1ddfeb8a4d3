import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { letterService } from './letter-service.ts';
import { letterIds, letterTokenizer } from './letter-tokenizer.ts';
import { streamedChat, streamedCompletion, wholeChat, wholeCompletion } from './stream-sum.ts';
import type { Output } from './stream-sum.ts';

const cuts = fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 60 });
const anyIds = fc.array(fc.nat(letterTokenizer.size + 3), { minLength: 1, maxLength: 40 });
const finish = fc.constantFrom('stop', 'length');
const endingIds = fc.tuple(anyIds, fc.boolean()).map(([ids, ended]) => (ended ? [...ids, 1] : ids));

const stops = fc.array(fc.constantFrom('END', 'STOP', 'the', ' t', 'ND', '}', 'a', 'STOPEND'), { minLength: 1, maxLength: 3 });
const stopRequest = fc.record({
  stop: stops,
  include_stop_str_in_output: fc.boolean(),
  min_tokens: fc.nat(5),
  skip_special_tokens: fc.boolean(),
  ignore_eos: fc.boolean(),
  stop_token_ids: fc.constantFrom([], [101], [1, 102]),
});

const tools = [{ type: 'function', function: { name: 'add', parameters: { type: 'object', properties: { a: { type: 'string' } } } } }];

/** Outputs of a model that thinks, talks and calls, with whatever the generator makes of it. */
const words = fc.constantFrom(
  'Hello',
  ' END ',
  '<think>',
  '</think>',
  '<tool_call>\n{"name": "add", "arguments": {"a": "END of it"}}\n</tool_call>',
  '<tool_call>',
  '</tool_call>',
  '{"name": "add", "arguments": {}}',
  '\n\n',
  'STOP',
  ' the end',
  '<',
  '{"a": [1, "}"]}',
);
const modelText = fc.array(words, { minLength: 1, maxLength: 8 }).map((parts) => letterIds(parts.join('')));

const pick = ({ content, reasoning, calls, finishReason, stopReason }: Awaited<ReturnType<typeof wholeChat>>): unknown => ({
  content,
  reasoning,
  calls: calls.map(({ name, arguments: text }) => ({ name, arguments: text })),
  finishReason,
  stopReason,
});

describe('a stream without parsers', () => {
  const service = letterService();

  it('adds up to the complete answer, logprobs too', async () => {
    await fc.assert(
      fc.asyncProperty(endingIds, cuts, finish, fc.boolean(), async (ids, sizes, finishReason, skip) => {
        const output: Output = {
          ids,
          finishReason,
          withLogprobs: true,
          request: { logprobs: true, top_logprobs: 1, skip_special_tokens: skip },
        };
        const whole = await wholeChat(service, output);
        const parts = streamedChat(service, output, sizes);
        expect(pick(parts)).toEqual(pick(whole));
        expect(parts.logprobs.map(({ token }) => token)).toEqual(whole.logprobs.map(({ token }) => token));
        expect(parts.roles).toBe(1);
      }),
      { numRuns: 150 },
    );
  });

  it('is cut at stop strings as the complete answer is', async () => {
    await fc.assert(
      fc.asyncProperty(endingIds, cuts, finish, stopRequest, fc.boolean(), async (ids, sizes, finishReason, request, finishApart) => {
        const output: Output = { ids, finishReason, request, finishApart };
        expect(pick(streamedChat(service, output, sizes))).toEqual(pick(await wholeChat(service, output)));
      }),
      { numRuns: 300 },
    );
  });

  it('adds up to the complete text completion, offsets too', async () => {
    await fc.assert(
      fc.asyncProperty(endingIds, cuts, finish, fc.option(stopRequest), async (ids, sizes, finishReason, request) => {
        const output: Output = { ids, finishReason, withLogprobs: true, request: { logprobs: 1, ...request } };
        expect(streamedCompletion(service, output, sizes)).toEqual(await wholeCompletion(service, output));
      }),
      { numRuns: 200 },
    );
  });
});

describe.each([
  { tool: 'hermes', reasoning: 'qwen3' },
  { tool: 'hermes', reasoning: 'deepseek_r1' },
  { tool: 'qwen3_coder', reasoning: 'qwen3' },
] as const)('a stream with $tool and $reasoning', (parsers) => {
  const compact = letterService(parsers);
  const history = letterService({ ...parsers, streamState: 'vllm' });

  it('says the same in any chunking and with either kind of state', () => {
    fc.assert(
      fc.property(modelText, cuts, finish, fc.boolean(), (text, sizes, finishReason, ended) => {
        const ids = ended ? [...text, 1] : text;
        const output: Output = { ids, finishReason, request: { tools } };
        const whole = pick(streamedChat(compact, output, [ids.length]));
        expect(pick(streamedChat(compact, output, sizes))).toEqual(whole);
        expect(pick(streamedChat(history, output, sizes))).toEqual(whole);
      }),
      { numRuns: 150 },
    );
  });

  it('is cut at stop strings before the parsers see the text', () => {
    fc.assert(
      fc.property(modelText, cuts, finish, stops, fc.boolean(), fc.boolean(), (ids, sizes, finishReason, stop, include, finishApart) => {
        const output: Output = { ids, finishReason, request: { tools, stop, include_stop_str_in_output: include }, finishApart };
        const whole = pick(streamedChat(compact, { ...output, finishApart: false }, [ids.length]));
        expect(pick(streamedChat(compact, output, sizes))).toEqual(whole);
      }),
      { numRuns: 150 },
    );
  });
});

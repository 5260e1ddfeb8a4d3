import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ApiError } from '../../src/core/errors.ts';
import { letterRender } from './letter-render.ts';

const f = { type: 'function', function: { name: 'f', parameters: { type: 'object', properties: {} } } };

describe('any request that is well formed', () => {
  const text = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 8 }), fc.constantFrom('', '</think>', '{"a": 1.0}', '{'));
  const part = fc.oneof(
    text,
    fc.record({ type: fc.constant('text'), text }),
    fc.record({ type: fc.constant('image_url'), image_url: fc.record({ url: text }) }),
    fc.jsonValue({ maxDepth: 1 }),
  );
  const call = fc.oneof(
    fc.record({ id: text, type: fc.constant('function'), function: fc.record({ name: text, arguments: text }) }),
    fc.jsonValue({ maxDepth: 1 }),
  );
  const message = fc.record(
    {
      role: fc.constantFrom('user', 'assistant', 'system', 'developer', 'tool', 'critic'),
      content: fc.oneof(text, fc.array(part, { maxLength: 3 }), fc.constant(null)),
      tool_calls: fc.array(call, { maxLength: 2 }),
      tool_call_id: text,
      name: text,
      reasoning: text,
    },
    { requiredKeys: ['role'] },
  );
  const body = fc.record(
    {
      messages: fc.array(message, { maxLength: 4 }),
      tools: fc.constantFrom([f], null),
      tool_choice: fc.constantFrom('auto', 'none', 'required', { type: 'function', function: { name: 'f' } }),
      chat_template_kwargs: fc.dictionary(
        fc.constantFrom('mode', 'messages', 'tools', 'documents', 'bos_token'),
        fc.jsonValue({ maxDepth: 1 }),
      ),
      continue_final_message: fc.boolean(),
      add_generation_prompt: fc.boolean(),
      truncate_prompt_tokens: fc.integer({ min: -1, max: 20 }),
      reasoning_effort: fc.constantFrom('none', 'high'),
      response_format: fc.constantFrom({ type: 'json_object' }, { type: 'text' }),
      parallel_tool_calls: fc.boolean(),
    },
    { requiredKeys: ['messages'] },
  );

  it.each([null, 'hermes', 'pythonic', 'mistral', 'kimi_k3'])(
    'is rendered, or refused with an error for the client (tool parser: %s)',
    async (tool) => {
      const parsers = tool === null ? null : { tool, reasoning: null, promptReasoningEnded: () => false };
      const render = letterRender({ parsers });
      await fc.assert(
        fc.asyncProperty(body, async (given) => {
          try {
            const { token_ids: ids } = await render.chat(given);
            expect(ids.length).toBeGreaterThan(0);
          } catch (error) {
            if (!(error instanceof ApiError)) throw error;
            expect(error.status).toBe(400);
          }
        }),
        { numRuns: 400 },
      );
    },
  );
});

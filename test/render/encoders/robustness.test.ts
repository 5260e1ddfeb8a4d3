import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ApiError } from '../../../src/core/errors.ts';
import type { ChatEncoder, ChatEncoderInput, JsonObject } from '../../../src/render/chat-encoder.ts';
import { chooseEncoder, type TokenizerMode } from '../../../src/render/encoders/choose.ts';
import { createMistralEncoder } from '../../../src/render/encoders/mistral/mistral.ts';
import { createByteTokenizer } from './byte-tokenizer.ts';

const SPECIALS = [
  '<|start|> <|message|> <|channel|> <|constrain|> <|end|> <|call|> <|open|> <|close|> <|sep|> <|end_of_msg|> <|end_message|>',
  '<|message_user|> <|message_model|> <|message_system|> <|message_tool|> <|content_text|> <|content_thinking|> <|content_xml|>',
  '<|content_invoke_tool_json|> <|content_model_end_sampling|> <s> </s> [INST] [/INST] [AVAILABLE_TOOLS] [/AVAILABLE_TOOLS]',
  '[TOOL_RESULTS] [/TOOL_RESULTS] [TOOL_CALLS] [SYSTEM_PROMPT] [/SYSTEM_PROMPT] [TOOL_CONTENT] [ARGS] [CALL_ID] [THINK] [/THINK]',
].flatMap((line) => line.split(' '));
const tokenizer = createByteTokenizer(SPECIALS);

function encoderFor(mode: TokenizerMode, modelType: string): ChatEncoder {
  const files = { name: 'm', tokenizerConfig: {}, config: {}, fileNames: [], readFile: () => undefined };
  const encoder = chooseEncoder({ mode, model: { modelType, tokenizer: files }, tokenizer, now: () => new Date(0) });
  if (encoder === null) throw new Error('no encoder');
  return encoder;
}

const ENCODERS = [
  encoderFor('hf', 'gpt_oss'),
  ...(['deepseek_v32', 'deepseek_v4', 'deepseek_v41', 'inkling', 'kimi_k3', 'cohere'] as const).map((mode) => encoderFor(mode, '')),
  ...([1, 2, 3, 7, 11, 13] as const).map((version) => createMistralEncoder(tokenizer, { version, isTekken: true, settings: null })),
];

const odd = fc.jsonValue({ maxDepth: 2 });
const text = fc.constantFrom('', 'a', 'two words', '{"x": 1.0}', '<|end|>');
const part = fc.oneof(fc.record({ type: fc.constantFrom('text', 'thinking', 'refusal', 'odd'), text, thinking: text }), text, odd);
const content = fc.oneof(
  { weight: 5, arbitrary: text },
  { weight: 2, arbitrary: fc.array(part, { maxLength: 3 }) },
  { weight: 1, arbitrary: odd },
);
const args = fc.oneof(fc.dictionary(text, odd, { maxKeys: 3 }), text, odd);
const call = fc.oneof(
  fc.record({ id: fc.oneof(text, fc.constant('abcdefghi'), odd), function: fc.record({ name: fc.oneof(text, odd), arguments: args }) }),
  odd,
);
const message = fc.record(
  {
    role: fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom('system', 'developer', 'user', 'assistant', 'tool') },
      { weight: 1, arbitrary: odd },
    ),
    content,
    reasoning: fc.oneof(text, odd),
    tool_calls: fc.oneof(fc.array(call, { maxLength: 3 }), odd),
    tool_call_id: fc.oneof(fc.constant('abcdefghi'), odd),
    name: odd,
    task: fc.oneof(fc.constant('title'), odd),
    tools: odd,
  },
  { requiredKeys: ['role'] },
);
const kwargs = fc.dictionary(
  fc.constantFrom(
    'thinking',
    'enable_thinking',
    'reasoning_effort',
    'thinking_effort',
    'cohere_format',
    'grounding',
    'documents',
    'json_schema',
  ),
  odd,
  { maxKeys: 3 },
);
const tools = fc.option(
  fc.array(
    fc.oneof(fc.record({ type: fc.constant('function'), function: fc.oneof(fc.record({ name: text, parameters: odd }), odd) }), odd),
    { maxLength: 2 },
  ),
);

const input = fc
  .record({ messages: fc.array(message, { maxLength: 5 }), tools, kwargs, continues: fc.boolean(), format: odd })
  .map(({ messages, tools: offered, kwargs: templateKwargs, continues, format }): ChatEncoderInput => ({
    messages: messages as JsonObject[],
    conversation: messages as JsonObject[],
    tools: offered as JsonObject[] | null,
    documents: null,
    templateKwargs: templateKwargs,
    addGenerationPrompt: !continues,
    continueFinalMessage: continues,
    reasoningEffort: null,
    toolChoice: null,
    responseFormat: { type: 'json_schema', json_schema: format },
    requestChatTemplate: null,
    requestTemplateKwargs: null,
  }));

describe.each(ENCODERS.map((encoder, index) => [`${encoder.name} ${index}`, encoder] as const))('%s', (_name, encoder) => {
  it('renders any conversation or refuses it with status 400', async () => {
    await fc.assert(
      fc.asyncProperty(input, async (chat) => {
        try {
          const encoded = await encoder.encode(chat);
          expect('text' in encoded || encoded.tokenIds.every(Number.isInteger)).toBe(true);
        } catch (error) {
          if (!(error instanceof ApiError)) throw error;
          expect(error.status).toBe(400);
        }
      }),
      { numRuns: 400 },
    );
  });
});

import { z } from 'zod';

/** The forms of the answers in Anthropic's and OpenAI's Responses API, for the OpenAPI document; answers are not checked against them when they are sent. */

const count = z.number().meta({ type: 'integer' });
const nothing = z.null();
const carriedState = z.record(z.string(), z.unknown()).meta({ description: 'To be sent back with the next chunk, unchanged.' });

const contentBlock = z.discriminatedUnion('type', [
  z.object({ type: z.literal('thinking'), thinking: z.string(), signature: z.string() }),
  z.object({ type: z.literal('text'), text: z.string(), citations: nothing }),
  z.object({
    type: z.literal('tool_use'),
    id: z.string(),
    name: z.string(),
    input: z.unknown(),
    caller: z.object({ type: z.literal('direct') }),
  }),
]);

export const messageAnswer: z.ZodType = z.looseObject({
  id: z.string(),
  type: z.literal('message'),
  role: z.literal('assistant'),
  content: z.array(contentBlock),
  model: z.string(),
  stop_reason: z.enum(['end_turn', 'max_tokens', 'stop_sequence', 'tool_use']).nullable(),
  stop_sequence: z.string().nullable(),
  usage: z.looseObject({ input_tokens: count, output_tokens: count }),
});

const messageEvent = z.looseObject({
  type: z.enum(['message_start', 'content_block_start', 'content_block_delta', 'content_block_stop', 'message_delta', 'message_stop']),
});

/** The events that one chunk of the engine's stream gives, perhaps none. */
export const messageEventsAnswer: z.ZodType = z.object({ events: z.array(messageEvent), stream_state: carriedState });

export const responseAnswer: z.ZodType = z.looseObject({
  id: z.string(),
  object: z.literal('response'),
  created_at: count,
  status: z.enum(['completed', 'incomplete', 'cancelled']),
  model: z.string(),
  output: z.array(z.looseObject({ type: z.enum(['reasoning', 'message', 'function_call', 'custom_tool_call']), id: z.string() })),
  usage: z.looseObject({ input_tokens: count, output_tokens: count, total_tokens: count }),
});

/** The events that one chunk of the engine's stream gives, perhaps none. */
export const responseEventsAnswer: z.ZodType = z.object({
  events: z.array(z.looseObject({ type: z.string(), sequence_number: count })),
  stream_state: carriedState,
});

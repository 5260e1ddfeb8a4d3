import { z } from 'zod';
import { messageStream, responseStream } from './answer-stream-state.ts';
import type { MessageStreamMember, ResponseStreamMember } from './answer-stream-state.ts';
import { laxBoolean, laxInteger, tokenIds } from './lax.ts';

/** The compact form of a parser's progress, in place of the output's whole history. */
export interface ParserStateMember {
  /** The parsers that wrote it, each with the version of its state, for example `tool:hermes/1 reasoning:qwen3/1`. */
  parsers: string;
  /** The parsers' own state. */
  snapshot: unknown;
  prompt_tokens: number;
  output_tokens: number;
  /** Tool calls begun so far. */
  tool_calls: number;
}

/** Text of one output token that is held back: `[text, added token's id or null]`. */
export type HeldPiece = [text: string, tokenId: number | null];

/** Text that may belong to a stop string, or that stands behind one, while the engine has not said why it ended. */
export interface StopHoldMember {
  pieces: HeldPiece[];
  /** Output tokens decoded so far, capped at `min_tokens`. */
  tokens: number;
  /** UTF-16 length of the held text that lies within `min_tokens`, where no stop string may end. */
  guarded: number;
  /** A complete stop string stands in the held text. */
  matched: boolean;
}

/** What the client carries from chunk to chunk. The first ten members are the reference's. */
export interface StreamState {
  prev_tokens: string[];
  prefix_offset: number;
  read_offset: number;
  role_sent: boolean;
  logprob_context_token_ids: number[];
  logprob_text_offset: number;
  output_token_ids: number[];
  output_chunk_lens: number[];
  tools_streamed: boolean;
  last_tool_call_ids: string[];
  parser_state?: ParserStateMember;
  stop_hold?: StopHoldMember;
  /** An end token of the last chunk, which did not say whether it was the end. */
  held_token?: number;
  /** Where the chat stream is given out as the events of another API. */
  message_stream?: MessageStreamMember;
  response_stream?: ResponseStreamMember;
  /** HMAC over the other members and the request, where the server signs states. */
  signature?: string;
}

const MAX_WINDOW = 1024;
const MAX_LOGPROB_CONTEXT = 4;

const offset = laxInteger.refine((value) => value >= 0, { error: 'Input should be greater than or equal to 0' });
const count = z.int().min(0);

const windowTokens = z.array(z.string()).refine((tokens) => tokens.length <= MAX_WINDOW, { error: `at most ${MAX_WINDOW} tokens` });

const contextIds = tokenIds().refine((ids) => ids.length <= MAX_LOGPROB_CONTEXT, { error: `at most ${MAX_LOGPROB_CONTEXT} token ids` });

const chunkLens = tokenIds().refine((lens) => lens.every((length) => length > 0), { error: 'every length must be greater than 0' });

const parserState: z.ZodType<ParserStateMember> = z.object({
  parsers: z.string(),
  snapshot: z.unknown(),
  prompt_tokens: count,
  output_tokens: count,
  tool_calls: count,
});

const stopHold: z.ZodType<StopHoldMember> = z.object({
  pieces: z.array(z.tuple([z.string(), z.int().nullable()])),
  tokens: count,
  guarded: count,
  matched: z.boolean(),
});

const members = z.object({
  prev_tokens: windowTokens.default([]),
  prefix_offset: offset.default(0),
  read_offset: offset.default(0),
  role_sent: laxBoolean.default(false),
  logprob_context_token_ids: contextIds.default([]),
  logprob_text_offset: offset.default(0),
  output_token_ids: tokenIds().default([]),
  output_chunk_lens: chunkLens.default([]),
  tools_streamed: laxBoolean.default(false),
  last_tool_call_ids: z.array(z.string()).default([]),
  parser_state: parserState.nullish(),
  stop_hold: stopHold.nullish(),
  held_token: count.nullish(),
  message_stream: messageStream.nullish(),
  response_stream: responseStream.nullish(),
  signature: z.string().nullish(),
});

function sum(lengths: readonly number[]): number {
  let total = 0;
  for (const length of lengths) total += length;
  return total;
}

/**
 * `stream_state` of a request. A compact state has no history: its one chunk length is the number of output tokens that the parser state
 * counts. Any other state's chunk lengths add up to its history.
 */
export const streamState: z.ZodType<StreamState> = members
  .refine(
    ({ output_token_ids: ids, output_chunk_lens: lens, parser_state: compact }) => {
      if (!compact) return sum(lens) === ids.length;
      return ids.length === 0 && lens.length === (compact.output_tokens > 0 ? 1 : 0) && sum(lens) === compact.output_tokens;
    },
    { error: 'output_chunk_lens must add up to the number of output tokens' },
  )
  .refine((state) => state.prefix_offset <= state.read_offset && state.read_offset <= state.prev_tokens.length, {
    error: 'the offsets must lie inside prev_tokens',
  })
  .transform(
    ({
      parser_state: compact,
      stop_hold: hold,
      held_token: token,
      message_stream: message,
      response_stream: response,
      signature,
      ...rest
    }) => ({
      ...rest,
      ...(compact ? { parser_state: compact } : {}),
      ...(hold ? { stop_hold: hold } : {}),
      ...(token === null || token === undefined ? {} : { held_token: token }),
      ...(message ? { message_stream: message } : {}),
      ...(response ? { response_stream: response } : {}),
      ...(signature ? { signature } : {}),
    }),
  );

/** The state of a stream of which nothing has been seen. */
export function emptyStreamState(): StreamState {
  return {
    prev_tokens: [],
    prefix_offset: 0,
    read_offset: 0,
    role_sent: false,
    logprob_context_token_ids: [],
    logprob_text_offset: 0,
    output_token_ids: [],
    output_chunk_lens: [],
    tools_streamed: false,
    last_tool_call_ids: [],
  };
}

import { z } from 'zod';
import { outputItem } from './response-output.ts';
import type { OutputItem } from './response-output.ts';

const count = z.int().min(0);

/** How far the events of an Anthropic message have come. */
export interface MessageStreamMember {
  started: boolean;
  finished: boolean;
  /** Index of the open content block, or of the next one. */
  index: number;
  block: 'text' | 'thinking' | 'tool_use' | null;
  /** Index of the call in the open `tool_use` block. */
  call: number;
  input_tokens: number;
  output_tokens: number;
  tool_used: boolean;
  /** Where the last call's arguments stand: open brackets, inside a string, behind a backslash. */
  depth: number;
  in_string: boolean;
  escaped: boolean;
}

export const messageStream: z.ZodType<MessageStreamMember> = z.object({
  started: z.boolean(),
  finished: z.boolean(),
  index: count,
  block: z.enum(['text', 'thinking', 'tool_use']).nullable(),
  call: count,
  input_tokens: count,
  output_tokens: count,
  tool_used: z.boolean(),
  depth: count,
  in_string: z.boolean(),
  escaped: z.boolean(),
});

export function startMessageStream(): MessageStreamMember {
  return {
    started: false,
    finished: false,
    index: 0,
    block: null,
    call: 0,
    input_tokens: 0,
    output_tokens: 0,
    tool_used: false,
    depth: 0,
    in_string: false,
    escaped: false,
  };
}

/**
 * How far the events of a response have come. The API repeats the whole output in its last events, so that the state holds it: the one state that grows
 * with the text.
 */
export interface ResponseStreamMember {
  started: boolean;
  finished: boolean;
  id: string;
  created_at: number;
  /** The next event's number. */
  sequence: number;
  items: OutputItem[];
  /** The last item is not complete. */
  open: boolean;
  /** Index of the last item's call. */
  call: number;
  input_tokens: number;
  output_tokens: number;
}

export const responseStream: z.ZodType<ResponseStreamMember> = z.object({
  started: z.boolean(),
  finished: z.boolean(),
  id: z.string(),
  created_at: count,
  sequence: count,
  items: z.array(outputItem),
  open: z.boolean(),
  call: count,
  input_tokens: count,
  output_tokens: count,
});

export function startResponseStream(id: string, createdAt: number): ResponseStreamMember {
  return {
    started: false,
    finished: false,
    id,
    created_at: createdAt,
    sequence: 0,
    items: [],
    open: false,
    call: 0,
    input_tokens: 0,
    output_tokens: 0,
  };
}

import { z } from 'zod';

/** Items of a response's output, in the form of OpenAI's Responses API. */

export type ItemStatus = 'in_progress' | 'completed' | 'incomplete';

export interface TokenText {
  token: string;
  logprob: number;
  bytes: number[];
}

export interface OutputLogprob extends TokenText {
  top_logprobs: TokenText[];
}

export interface ReasoningItem {
  type: 'reasoning';
  id: string;
  summary: never[];
  content: { type: 'reasoning_text'; text: string }[];
  encrypted_content: null;
  status: ItemStatus;
}

export interface MessageItem {
  type: 'message';
  id: string;
  role: 'assistant';
  content: { type: 'output_text'; text: string; annotations: never[]; logprobs: OutputLogprob[] }[];
  status: ItemStatus;
}

export interface FunctionCallItem {
  type: 'function_call';
  id: string;
  call_id: string;
  name: string;
  /** Only for functions inside a namespace. */
  namespace?: string;
  arguments: string;
  status: ItemStatus;
}

/** A call of a tool that takes free text. */
export interface CustomCallItem {
  type: 'custom_tool_call';
  id: string;
  call_id: string;
  name: string;
  input: string;
}

export type OutputItem = ReasoningItem | MessageItem | FunctionCallItem | CustomCallItem;

const status: z.ZodType<ItemStatus> = z.enum(['in_progress', 'completed', 'incomplete']);
const tokenText = { token: z.string(), logprob: z.number(), bytes: z.array(z.int()) };
const logprob: z.ZodType<OutputLogprob> = z.object({ ...tokenText, top_logprobs: z.array(z.object(tokenText)) });

export const outputItem: z.ZodType<OutputItem> = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('reasoning'),
    id: z.string(),
    summary: z.array(z.never()),
    content: z.array(z.object({ type: z.literal('reasoning_text'), text: z.string() })),
    encrypted_content: z.null(),
    status,
  }),
  z.object({
    type: z.literal('message'),
    id: z.string(),
    role: z.literal('assistant'),
    content: z.array(
      z.object({ type: z.literal('output_text'), text: z.string(), annotations: z.array(z.never()), logprobs: z.array(logprob) }),
    ),
    status,
  }),
  z
    .object({
      type: z.literal('function_call'),
      id: z.string(),
      call_id: z.string(),
      name: z.string(),
      namespace: z.string().optional(),
      arguments: z.string(),
      status,
    })
    .transform(({ namespace, ...item }) => (namespace === undefined ? item : { ...item, namespace })),
  z.object({ type: z.literal('custom_tool_call'), id: z.string(), call_id: z.string(), name: z.string(), input: z.string() }),
]);

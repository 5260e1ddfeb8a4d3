import type { OutputItem } from '../protocol/response-output.ts';

/** OpenAI's `response` object and stream events. */

export type ResponseStatus = 'in_progress' | 'completed' | 'incomplete' | 'cancelled';

export interface ResponseUsage {
  input_tokens: number;
  input_tokens_details: { cached_tokens: number; cache_write_tokens: number };
  output_tokens: number;
  output_tokens_details: { reasoning_tokens: number };
  total_tokens: number;
}

/** The request's members that a response repeats, with the API's defaults. */
const REPEATED = {
  instructions: null,
  metadata: null,
  parallel_tool_calls: true,
  temperature: null,
  tool_choice: 'auto',
  tools: [],
  top_p: null,
  background: false,
  max_output_tokens: null,
  max_tool_calls: null,
  previous_response_id: null,
  prompt: null,
  prompt_cache_key: null,
  reasoning: null,
  safety_identifier: null,
  service_tier: 'auto',
  text: { format: { type: 'text' } },
  top_logprobs: 0,
  truncation: 'disabled',
  user: null,
} as const satisfies Record<string, unknown>;

export interface ResponseAnswer {
  id: string;
  object: 'response';
  created_at: number;
  status: ResponseStatus;
  error: null;
  incomplete_details: { reason: 'max_output_tokens' } | null;
  model: string;
  output: OutputItem[];
  usage: ResponseUsage | null;
  /** The request's members, as sent. */
  [member: string]: unknown;
}

/** What the conversions know of the request. */
export interface ResponsesContext {
  /** The request as sent. */
  sent: Readonly<Record<string, unknown>>;
  /** Names of its custom tools, whose input is free text. */
  customTools: ReadonlySet<string>;
  /** Log probabilities of the text were asked for. */
  withLogprobs: boolean;
}

function namesOfCustomTools(tools: unknown): ReadonlySet<string> {
  const names = new Set<string>();
  for (const tool of Array.isArray(tools) ? (tools as unknown[]) : []) {
    const { type, name } = (tool ?? {}) as { type?: unknown; name?: unknown };
    if (type === 'custom' && typeof name === 'string') names.add(name);
  }
  return names;
}

/** @param sent the request as sent; it has been checked */
export function responsesContext(sent: unknown): ResponsesContext {
  const members = (sent ?? {}) as Record<string, unknown>;
  const { include } = members;
  return {
    sent: members,
    customTools: namesOfCustomTools(members['tools']),
    withLogprobs: Array.isArray(include) && include.includes('message.output_text.logprobs'),
  };
}

export function responseUsage(inputTokens: number, outputTokens: number): ResponseUsage {
  return {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: inputTokens + outputTokens,
  };
}

/** The status of a response that ended for a reason; null while it goes on. */
export function responseStatus(finishReason: string | null): ResponseStatus {
  if (finishReason === null) return 'in_progress';
  if (finishReason === 'length') return 'incomplete';
  return finishReason === 'abort' ? 'cancelled' : 'completed';
}

/** What differs from answer to answer. */
export interface ResponseParts {
  id: string;
  createdAt: number;
  model: string;
  status: ResponseStatus;
  output: OutputItem[];
  usage: ResponseUsage | null;
}

export function responseObject({ sent }: ResponsesContext, { id, createdAt, model, status, output, usage }: ResponseParts): ResponseAnswer {
  const repeated = Object.entries(REPEATED).map(([name, value]) => [name, sent[name] ?? value]);
  return {
    id,
    object: 'response',
    created_at: createdAt,
    status,
    error: null,
    incomplete_details: status === 'incomplete' ? { reason: 'max_output_tokens' } : null,
    ...Object.fromEntries(repeated),
    model,
    output,
    usage,
  };
}

/** The free text of a custom tool's call, which models write as `{"input": "..."}`; anything else is passed on as it is. */
export function customInput(text: string): string {
  try {
    const value = JSON.parse(text) as { input?: unknown } | null;
    return typeof value?.input === 'string' ? value.input : text;
  } catch {
    return text;
  }
}

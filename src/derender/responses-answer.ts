import type { OutputItem } from '../protocol/response-output.ts';
import { flatToolName } from '../protocol/responses-tools.ts';
import { isRecord } from '../protocol/typed-shape.ts';
import { INCLUDE_LOGPROBS } from './responses-chat-request.ts';

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

/** A tool as the request declares it. */
export interface CalledTool {
  name: string;
  /** Null for a function that is in none. */
  namespace: string | null;
  /** It takes free text. */
  custom: boolean;
}

/** What the conversions know of the request. */
export interface ResponsesContext {
  /** The request as sent. */
  sent: Readonly<Record<string, unknown>>;
  /** The tool that a call names. */
  tool(name: string): CalledTool;
  /** Log probabilities of the text were asked for. */
  withLogprobs: boolean;
}

/** The tools whose names differ from what the model sees, or that are no functions. */
function specialTools(tools: unknown): Map<string, CalledTool> {
  const known = new Map<string, CalledTool>();
  for (const tool of Array.isArray(tools) ? (tools as unknown[]) : []) {
    if (!isRecord(tool)) continue;
    const { type, tools: inner } = tool;
    const name = String(tool['name']);
    if (type === 'custom') known.set(name, { name, namespace: null, custom: true });
    if (type !== 'namespace' || !Array.isArray(inner)) continue;
    for (const one of inner.filter(isRecord)) {
      const local = String(one['name']);
      known.set(flatToolName(name, local), { name: local, namespace: name, custom: false });
    }
  }
  return known;
}

/** @param sent the request as sent; it has been checked */
export function responsesContext(sent: unknown): ResponsesContext {
  const members = isRecord(sent) ? sent : {};
  const { include } = members;
  const special = specialTools(members['tools']);
  return {
    sent: members,
    tool: (name) => special.get(name) ?? { name, namespace: null, custom: false },
    withLogprobs: Array.isArray(include) && include.includes(INCLUDE_LOGPROBS),
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

import { z } from 'zod';
import { badRequest } from '../core/errors.ts';
import { laxBoolean } from './lax.ts';
import { iterate, truthy } from './python-truth.ts';
import type { RawBody } from './request-checks.ts';
import { jsonObject, nullableText } from './sampling-members.ts';
import { isRecord } from './typed-shape.ts';

/** A function that the model may call. `strict` and `defer_loading` are absent where they were not given. */
export interface ToolFunction {
  name: string;
  description: string | null;
  parameters: Readonly<Record<string, unknown>> | null;
  strict?: boolean;
  defer_loading?: boolean;
}

export interface ChatTool {
  type: 'function';
  function: ToolFunction;
  defer_loading?: boolean;
}

export interface NamedToolChoice {
  readonly function: { readonly name: string; readonly [member: string]: unknown };
  readonly type: 'function';
  readonly [member: string]: unknown;
}

export type ToolChoice = 'none' | 'auto' | 'required' | NamedToolChoice | null;

const flag = laxBoolean.nullable().optional();

/** Unknown members go; null flags too. */
const chatTool: z.ZodType<ChatTool> = z
  .object({
    type: z.literal('function').default('function'),
    function: z.object({
      name: z.string(),
      description: nullableText,
      parameters: jsonObject.nullable().default(null),
      strict: flag,
      defer_loading: flag,
    }),
    defer_loading: flag,
  })
  .transform(({ type, function: { name, description, parameters, strict, defer_loading: own }, defer_loading: outer }): ChatTool => {
    const deferred = own ?? outer ?? null;
    return {
      type,
      function: {
        name,
        description,
        parameters,
        ...((strict ?? null) === null ? {} : { strict: strict as boolean }),
        ...(deferred === null ? {} : { defer_loading: deferred }),
      },
      ...((outer ?? null) === null ? {} : { defer_loading: outer as boolean }),
    };
  });

/** `tools` of a chat request. */
export const chatTools: z.ZodType<ChatTool[]> = z.array(chatTool);

/** `tool_choice` after {@link checkToolUsage}. */
export const toolChoice: z.ZodType<ToolChoice> = z.union([
  z.enum(['none', 'auto', 'required']),
  z.looseObject({ function: z.looseObject({ name: z.string() }), type: z.literal('function').default('function') }),
  z.null(),
]) as z.ZodType<ToolChoice>;

const USAGE = 'A named tool is given as {"type": "function", "function": {"name": "my_function"}}.';

function namedTool(choice: Readonly<Record<string, unknown>>): string {
  const { function: called } = choice;
  if (!isRecord(called)) throw badRequest(`\`function\` in \`tool_choice\` must be an object. ${USAGE}`, 'tool_choice.function');
  const { name } = called;
  if (typeof name !== 'string' || name === '') {
    throw badRequest(`\`name\` in \`tool_choice.function\` must be a text that is not empty. ${USAGE}`, 'tool_choice.function.name');
  }
  return name;
}

function toolName(entry: unknown): unknown {
  const called = isRecord(entry) ? entry['function'] : undefined;
  if (!isRecord(called) || !Object.hasOwn(called, 'name')) throw badRequest('Each of `tools` must have a `function` with a `name`.');
  return called['name'];
}

/**
 * Checks `tools` and `tool_choice` of a raw body.
 * @returns the body, with `tool_choice: "auto"` where there are tools and no choice
 * @throws ApiError 400
 */
export function checkToolUsage(body: RawBody): RawBody {
  const { tools } = body;
  if (Array.isArray(tools) && tools.length === 0)
    throw badRequest('`tools` must not be empty. Give one tool at least, or leave it out.', 'tools');
  if (!Object.hasOwn(body, 'tool_choice')) return truthy(tools) ? { ...body, tool_choice: 'auto' } : body;
  const choice = body['tool_choice'];
  if (choice === 'none' || choice === null || choice === undefined) return body;
  if (tools === undefined || tools === null) throw badRequest('With `tool_choice`, `tools` must be given.', 'tool_choice');
  if (choice === 'auto' || choice === 'required') return body;
  if (!isRecord(choice)) throw badRequest('`tool_choice` must be "none", "auto", "required" or a named tool.', 'tool_choice');
  const name = namedTool(choice);
  if (!iterate(tools, 'tools').some((entry) => toolName(entry) === name)) {
    throw badRequest('The tool that `tool_choice` names is none of `tools`.', 'tool_choice');
  }
  return body;
}

import { z } from 'zod';
import { badRequest } from '../core/errors.ts';
import type { RawBody } from './request-checks.ts';
import { truthy } from './python-truth.ts';
import { matchTool } from './responses-tool-forms.ts';
import { isRecord } from './typed-shape.ts';

/** A tool of a Responses request. Only functions, and what can be shown as one, reach the prompt. */
export type ResponsesTool = Readonly<Record<string, unknown>>;

/** `none`, `auto`, `required`, or an object with a type. */
export type ResponsesToolChoice = 'none' | 'auto' | 'required' | Readonly<Record<string, unknown>>;

const CHOICE_TYPES: ReadonlySet<unknown> = new Set([
  'allowed_tools',
  'file_search',
  'web_search_preview',
  'computer',
  'computer_use_preview',
  'computer_use',
  'code_interpreter',
  'web_search_preview_2025_03_11',
  'image_generation',
  'function',
  'mcp',
  'custom',
  'programmatic_tool_calling',
  'apply_patch',
  'shell',
]);

export const responsesTools: z.ZodType<ResponsesTool[]> = z
  .unknown()
  .transform((value, context): ResponsesTool[] => {
    if (!Array.isArray(value)) {
      context.addIssue({ code: 'custom', message: 'Input should be a valid list', input: value });
      return z.NEVER;
    }
    for (const [index, tool] of value.entries()) {
      const match = matchTool(tool);
      if ('failedAt' in match)
        context.addIssue({
          code: 'custom',
          message: 'Input has no form that a tool of its type may have',
          input: tool,
          path: [index, ...match.failedAt],
        });
    }
    return value as ResponsesTool[];
  })
  .meta({ type: 'array', items: { type: 'object', required: ['type'], properties: { type: { type: 'string' } } } });

export const responsesToolChoice: z.ZodType<ResponsesToolChoice> = z
  .unknown()
  .transform((value, context): ResponsesToolChoice => {
    if (value === 'none' || value === 'auto' || value === 'required') return value;
    if (isRecord(value) && CHOICE_TYPES.has(value['type'])) return value;
    context.addIssue({
      code: 'custom',
      message: "Input should be 'none', 'auto', 'required' or an object that names a tool",
      input: value,
    });
    return z.NEVER;
  })
  .meta({ anyOf: [{ type: 'string', enum: ['none', 'auto', 'required'] }, { type: 'object' }] });

const NOT_FOUND = 'The tool that `tool_choice` names is none of `tools`.';

/** The name of a function inside a namespace, as the model sees it. */
export function flatToolName(namespace: string, name: string): string {
  return `${namespace}__${name}`;
}

function inNamespaces(tools: readonly unknown[], name: string): string[] {
  return tools.flatMap((tool) => {
    if (!isRecord(tool) || tool['type'] !== 'namespace' || !Array.isArray(tool['tools'])) return [];
    const local = tool['tools'].some((one) => isRecord(one) && one['name'] === name);
    return local ? [flatToolName(String(tool['name']), name)] : [];
  });
}

/** The full name of the tool that is chosen: a function of a namespace may be named without it where that is clear. */
function resolveName(name: string, tools: readonly unknown[]): string {
  const known = tools.some((tool) => {
    if (!isRecord(tool)) return false;
    if (tool['type'] !== 'namespace') return tool['name'] === name;
    return (
      Array.isArray(tool['tools']) &&
      tool['tools'].some((one) => isRecord(one) && flatToolName(String(tool['name']), String(one['name'])) === name)
    );
  });
  if (known) return name;
  const candidates = inNamespaces(tools, name);
  const [only] = candidates;
  if (only === undefined) throw badRequest(NOT_FOUND, 'tool_choice');
  if (candidates.length > 1)
    throw badRequest(`The tool '${name}' is in several namespaces: name one of ${candidates.join(', ')}.`, 'tool_choice');
  return only;
}

function checkCustomTools(tools: unknown): void {
  if (!Array.isArray(tools)) return;
  const hasGrammar = tools.some(
    (tool) => isRecord(tool) && tool['type'] === 'custom' && isRecord(tool['format']) && tool['format']['type'] === 'grammar',
  );
  if (hasGrammar) throw badRequest('Custom tools with a grammar are not supported; those of free text are.', 'tools');
}

/**
 * Checks `tools` and `tool_choice` of a raw body.
 * @returns the body, with `tool_choice` as it is to be read
 * @throws ApiError 400
 */
export function checkResponsesTools(body: RawBody): RawBody {
  const { tools } = body;
  const choice = Object.hasOwn(body, 'tool_choice') ? body['tool_choice'] : 'auto';
  if (typeof tools === 'number' || typeof tools === 'boolean') throw badRequest('`tools` must be a list.');
  const named = isRecord(choice) && (choice['type'] === 'function' || choice['type'] === 'custom');
  if (!truthy(tools)) {
    if (choice === 'auto' || choice === 'none') return { ...body, tool_choice: 'none' };
    if (choice === 'required') throw badRequest('Tool choice "required" needs `tools`.', 'tool_choice');
    if (named) throw badRequest(NOT_FOUND, 'tool_choice');
  } else if (named) {
    const name = choice['name'];
    if (typeof name !== 'string' || name === '') throw badRequest(NOT_FOUND, 'tool_choice');
    const resolved = resolveName(name, Array.isArray(tools) ? tools : []);
    if (resolved !== name) {
      checkCustomTools(tools);
      return { ...body, tool_choice: { ...choice, name: resolved } };
    }
  }
  checkCustomTools(tools);
  return body;
}

import type { ChatTool, ToolChoice } from '../protocol/chat-tools.ts';
import type { ResponsesRequest } from '../protocol/responses-request.ts';
import { flatToolName } from '../protocol/responses-tools.ts';
import type { ResponsesTool } from '../protocol/responses-tools.ts';
import { isRecord } from '../protocol/typed-shape.ts';
import { exactly } from './exact-members.ts';
import type { RawJson } from './raw-json.ts';

/** A custom tool takes one text: it is shown as a function with one argument. */
const CUSTOM_PARAMETERS = {
  type: 'object',
  properties: { input: { type: 'string', description: 'The freeform text payload for this tool.' } },
  required: ['input'],
  additionalProperties: false,
};

function functionTool(tool: ResponsesTool, name: string, parameters: unknown): ChatTool {
  const { description, strict, defer_loading: deferred } = tool;
  return {
    type: 'function',
    function: {
      name,
      description: typeof description === 'string' ? description : null,
      parameters: isRecord(parameters) ? parameters : null,
      ...(typeof strict === 'boolean' ? { strict } : {}),
      ...(typeof deferred === 'boolean' ? { defer_loading: deferred } : {}),
    },
  };
}

/** Tools that a model can be shown, in order. Hosted tools are none. */
export function shownTools(request: ResponsesRequest, raw: RawJson | null): ChatTool[] {
  return request.tools.flatMap((tool, index): ChatTool[] => {
    const name = String(tool['name']);
    if (tool['type'] === 'custom') return [functionTool({ description: tool['description'] }, name, CUSTOM_PARAMETERS)];
    if (tool['type'] === 'function') return [functionTool(tool, name, exactly(raw, tool['parameters'], 'tools', index, 'parameters'))];
    if (tool['type'] !== 'namespace' || !Array.isArray(tool['tools'])) return [];
    const inner = tool['tools'].filter((one): one is ResponsesTool => isRecord(one) && one['type'] === 'function');
    return inner.map((one) => functionTool(one, flatToolName(name, String(one['name'])), one['parameters']));
  });
}

/** The choice as a chat has it; choices of hosted tools and of several are not for a grammar to enforce. */
export function chatToolChoice({ tool_choice: choice }: ResponsesRequest): ToolChoice {
  if (typeof choice === 'string') return choice;
  if (choice['type'] !== 'function' && choice['type'] !== 'custom') return null;
  return { type: 'function', function: { name: String(choice['name']) } };
}

import { parseChatRequest } from '../protocol/chat-request.ts';
import type { ChatRequest } from '../protocol/chat-request.ts';
import type { ChatTool, ToolChoice } from '../protocol/chat-tools.ts';
import { parseResponsesRequest } from '../protocol/responses-request.ts';
import type { ResponsesRequest } from '../protocol/responses-request.ts';
import { flatToolName } from '../protocol/responses-tools.ts';
import type { ResponsesTool } from '../protocol/responses-tools.ts';
import { isRecord } from '../protocol/typed-shape.ts';

/** The `include` entry that asks for log probabilities. */
export const INCLUDE_LOGPROBS = 'message.output_text.logprobs';

/** A custom tool's text comes as the one argument of a function. */
const CUSTOM_PARAMETERS = { type: 'object', properties: { input: { type: 'string' } }, required: ['input'] };

function chatTool(tool: ResponsesTool, name: string, parameters: unknown): ChatTool {
  const { description } = tool;
  return {
    type: 'function',
    function: {
      name,
      description: typeof description === 'string' ? description : null,
      parameters: isRecord(parameters) ? parameters : null,
    },
  };
}

/** The tools that the model was shown: functions, also those inside namespaces, and custom tools. */
function chatTools(tools: readonly ResponsesTool[]): ChatTool[] {
  return tools.flatMap((tool): ChatTool[] => {
    const name = String(tool['name']);
    if (tool['type'] === 'function') return [chatTool(tool, name, tool['parameters'])];
    if (tool['type'] === 'custom') return [chatTool(tool, name, CUSTOM_PARAMETERS)];
    if (tool['type'] !== 'namespace' || !Array.isArray(tool['tools'])) return [];
    const inner = tool['tools'].filter((one): one is ResponsesTool => isRecord(one) && one['type'] === 'function');
    return inner.map((one) => chatTool(one, flatToolName(name, String(one['name'])), one['parameters']));
  });
}

function chatToolChoice({ tool_choice: choice }: ResponsesRequest): ToolChoice {
  if (typeof choice === 'string') return choice;
  const named = choice['type'] === 'function' || choice['type'] === 'custom';
  return named ? { type: 'function', function: { name: String(choice['name']) } } : null;
}

/** Calls of earlier turns, as a message that has that many: ids of some models count on from them. */
function historyMessage({ input }: ResponsesRequest): ChatRequest['messages']['list'] {
  const calls = typeof input === 'string' ? [] : input.filter(({ type }) => type === 'function_call');
  return [{ role: 'assistant', tool_calls: calls }];
}

/**
 * What derendering needs of a Responses request, as a chat request: how the output is decoded and parsed. It is not the request that was
 * rendered: the conversation itself is left out.
 * @throws ApiError 400
 */
export function chatRequestOfResponses(value: unknown): ChatRequest {
  const request = parseResponsesRequest(value);
  const tools = chatTools(request.tools);
  const wantsLogprobs = request.include?.includes(INCLUDE_LOGPROBS) === true;
  return {
    ...parseChatRequest({ messages: [] }),
    messages: { list: historyMessage(request), partsError: null },
    tools: tools.length > 0 ? tools : null,
    tool_choice: tools.length > 0 ? chatToolChoice(request) : 'none',
    parallel_tool_calls: request.parallel_tool_calls,
    include_reasoning: request.include_reasoning,
    reasoning_effort: request.reasoning?.effort ?? null,
    chat_template_kwargs: request.chat_template_kwargs,
    stop: request.stop,
    stop_token_ids: request.stop_token_ids,
    ignore_eos: request.ignore_eos,
    include_stop_str_in_output: request.include_stop_str_in_output,
    skip_special_tokens: request.skip_special_tokens,
    logprobs: wantsLogprobs,
    top_logprobs: request.top_logprobs,
  };
}

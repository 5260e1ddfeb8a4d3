import { ApiError, badRequest } from '../core/errors.ts';
import { parseChatRequest } from '../protocol/chat-request.ts';
import type { ChatRequest, ReasoningEffort } from '../protocol/chat-request.ts';
import type { ChatTool, ToolChoice } from '../protocol/chat-tools.ts';
import type { GenerateRequest } from '../protocol/generate-request.ts';
import type { MessagesTool } from '../protocol/messages-blocks.ts';
import type { MessagesRequest } from '../protocol/messages-request.ts';
import { renderChat } from './chat-render.ts';
import { members } from './encoders/json-value.ts';
import { exactExtraArguments, exactly, exactMembers } from './exact-members.ts';
import { RawJson } from './raw-json.ts';
import type { RenderContext } from './generate-request-parts.ts';
import { chatMessagesOf } from './messages-conversation.ts';
import type { RenderEnvironment } from './render-environment.ts';
import type { TemplateProbe } from './template-probe.ts';

/** The tools in force at the end of the conversation, whose system messages may add and remove some. */
function toolsInForce(request: MessagesRequest): MessagesTool[] | null {
  const changes = request.messages.flatMap(({ content }) =>
    typeof content === 'string' ? [] : content.filter(({ tool }) => tool !== null),
  );
  const declared = changes.filter(({ type }) => type === 'tool_addition' || type === 'tool_removal');
  if (declared.length === 0) return request.tools;
  const tools = new Map((request.tools ?? []).map((tool) => [tool.name, tool]));
  const removed = new Set<string>();
  for (const { type, tool } of declared) {
    if (tool === null) continue;
    const name = tool.type === 'tool_definition' ? tool.definition.name : tool.name;
    const known = tools.get(name);
    if (tool.type === 'tool_definition') tools.set(name, tool.definition);
    else if (known === undefined) throw badRequest(`A ${type} block names the tool '${name}', which is not declared in \`tools\`.`);
    else if (type === 'tool_addition') tools.set(name, { ...known, defer_loading: null });
    if (type === 'tool_removal') removed.add(name);
    else removed.delete(name);
  }
  return [...tools.values()].filter(({ name }) => !removed.has(name));
}

function chatTool(tool: MessagesTool): ChatTool {
  const { name, description, input_schema: parameters, strict, defer_loading: deferred } = tool;
  return {
    type: 'function',
    function: {
      name,
      description,
      parameters,
      ...(strict === null ? {} : { strict }),
      ...(deferred === null ? {} : { defer_loading: deferred }),
    },
  };
}

function chatTools(request: MessagesRequest, raw: RawJson | null): ChatTool[] | null {
  const tools = toolsInForce(request);
  if (tools === null) return null;
  const places = new Map((request.tools ?? []).map((tool, index) => [tool, index]));
  return tools.map((tool) => {
    const index = places.get(tool);
    if (index === undefined) return chatTool(tool);
    const schema = exactly(raw, tool.input_schema, 'tools', index, 'input_schema');
    return chatTool({
      ...tool,
      input_schema: schema instanceof Map && !schema.has('type') ? (new Map([...schema, ['type', 'object']]) as never) : schema,
    });
  });
}

function toolChoice(request: MessagesRequest, tools: ChatTool[] | null): ToolChoice {
  const { tool_choice: choice } = request;
  if (choice === null) return tools === null ? null : 'auto';
  if (choice.type === 'tool') return { type: 'function', function: { name: choice.name ?? '' } };
  return choice.type === 'any' ? 'required' : choice.type;
}

function reasoningEffort(request: MessagesRequest, disabledEffort: ReasoningEffort): ReasoningEffort | null {
  return request.thinking?.type === 'disabled' ? disabledEffort : (request.output_config?.effort ?? null);
}

/** The members that both kinds of request have, checked as a chat's. */
function baseRequest(request: MessagesRequest, raw: RawJson | null, messages: readonly unknown[]): ChatRequest {
  try {
    return parseChatRequest({
      model: request.model,
      messages,
      max_tokens: request.max_tokens,
      max_completion_tokens: request.max_tokens,
      stop: request.stop_sequences,
      temperature: request.temperature,
      top_p: request.top_p,
      top_k: request.top_k,
      watermarking: request.watermarking,
      cache_salt: request.cache_salt,
      kv_transfer_params: exactMembers(raw, request.kv_transfer_params, 'kv_transfer_params'),
      ec_transfer_params: exactMembers(raw, request.ec_transfer_params, 'ec_transfer_params'),
      vllm_xargs: exactExtraArguments(raw, request.vllm_xargs),
      chat_template_kwargs: exactMembers(raw, request.chat_template_kwargs, 'chat_template_kwargs'),
    });
  } catch (error) {
    // Members are named as the chat has them, so they say nothing about this request.
    throw error instanceof ApiError && error.type === 'Bad Request' ? badRequest(error.message) : error;
  }
}

/**
 * The chat request that asks for the same.
 * @param disabledEffort what tells the template to think least, for `thinking: {type: "disabled"}`
 * @throws ApiError 400
 */
export function chatRequestOf(
  request: MessagesRequest,
  raw: RawJson | null,
  probe: { mergeInlineSystem: boolean; disabledEffort: ReasoningEffort },
): ChatRequest {
  const base = baseRequest(request, raw, chatMessagesOf(request, raw, probe.mergeInlineSystem));
  const tools = chatTools(request, raw);
  const schema = exactly(raw, request.output_config?.format?.schema ?? null, 'output_config', 'format', 'schema');
  const hasSchema = members(schema).length > 0;
  return {
    ...base,
    stream: request.stream === true,
    stream_options: request.stream ? { include_usage: true, continuous_usage_stats: true } : null,
    response_format: hasSchema ? { type: 'json_schema', json_schema: { name: 'json_schema', schema } } : null,
    reasoning_effort: reasoningEffort(request, probe.disabledEffort),
    thinking_token_budget: request.thinking?.type === 'enabled' ? request.thinking.budget_tokens : null,
    parallel_tool_calls: request.tool_choice === null ? true : !request.tool_choice.disable_parallel_tool_use,
    tool_choice: toolChoice(request, tools),
    tools,
  };
}

/**
 * What the engine generates an Anthropic message from.
 * @throws ApiError 400
 */
export async function renderMessages(
  environment: RenderEnvironment,
  probe: TemplateProbe,
  request: MessagesRequest,
  context: RenderContext,
): Promise<GenerateRequest> {
  const raw = new RawJson(context.rawBody);
  const disabledEffort = request.thinking?.type === 'disabled' ? await probe.disabledThinkingEffort() : 'none';
  const chat = chatRequestOf(request, raw, { mergeInlineSystem: probe.mergeInlineSystem(), disabledEffort });
  return renderChat(environment, chat, { ...context, rawBody: '' });
}

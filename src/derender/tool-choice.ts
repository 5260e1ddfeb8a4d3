import type { ToolChoice, ToolDefinition } from '../core/stream-parser.ts';
import type { ChatRequest } from '../protocol/chat-request.ts';

/** A chat request's members about tools. */
export type ToolRequest = Pick<ChatRequest, 'tools' | 'tool_choice' | 'parallel_tool_calls'>;

/** What `tool_choice` asks for. Null means `auto` where there are tools: the reference parses the calls too, but then loses them. */
export function toolChoiceOf({ tool_choice: choice, tools }: ToolRequest): ToolChoice {
  if (choice === null) return tools && tools.length > 0 ? 'auto' : 'none';
  if (typeof choice === 'object') return { name: choice.function.name };
  return choice;
}

export function toolDefinitions({ tools }: ToolRequest): ToolDefinition[] {
  return (tools ?? []).map(({ function: { name, description, parameters } }) => ({ name, description, parameters }));
}

/**
 * Whether calls that a parser finds are part of the answer: always where they were forced, and for `auto` where the request has tools and the
 * server a tool parser.
 */
export function keepsToolCalls(request: ToolRequest, hasToolParser: boolean): boolean {
  const choice = toolChoiceOf(request);
  if (choice === 'required' || typeof choice === 'object') return true;
  return choice === 'auto' && hasToolParser && (request.tools ?? []).length > 0;
}

/** Whether only the first call is part of the answer. */
export function firstCallOnly(request: ToolRequest): boolean {
  return request.parallel_tool_calls === false;
}

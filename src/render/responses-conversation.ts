import { badRequest } from '../core/errors.ts';
import { dumps } from '../core/python-json.ts';
import type { ChatMessage } from '../protocol/chat-messages.ts';
import { isOutputMessage } from '../protocol/responses-items.ts';
import type { ResponsesItem } from '../protocol/responses-items.ts';
import type { ResponsesRequest } from '../protocol/responses-request.ts';
import { flatToolName } from '../protocol/responses-tools.ts';
import { isRecord } from '../protocol/typed-shape.ts';
import { textOf } from './encoders/json-value.ts';

/** Items of a Responses request as chat messages: reasoning, text and calls of one turn become one assistant message. */

type Draft = { role: string; [member: string]: unknown };

function firstText(parts: unknown): unknown {
  const [first] = Array.isArray(parts) ? (parts as readonly unknown[]) : [];
  return isRecord(first) ? first['text'] : undefined;
}

function callOf(item: ResponsesItem): Record<string, unknown> | null {
  const isCustom = item['type'] === 'custom_tool_call';
  if (!isCustom && item['type'] !== 'function_call') return null;
  const namespace = item['namespace'];
  const name = typeof namespace === 'string' && namespace !== '' ? flatToolName(namespace, String(item['name'])) : item['name'];
  const given = isCustom ? dumps(new Map([['input', textOf(item['input'])]])) : item['arguments'];
  return { id: item['call_id'], function: { name, arguments: given }, type: 'function' };
}

function reasoningText(item: ResponsesItem): string {
  if (item['encrypted_content']) throw badRequest('Encrypted reasoning cannot be read.', 'input');
  return textOf(firstText(item['content']) ?? firstText(item['summary']));
}

/** Adds a member to the assistant message before it, or begins a new one where that has it already. */
function joined(messages: Draft[], member: 'reasoning' | 'content', text: unknown): void {
  const previous = messages.at(-1);
  if (previous?.role === 'assistant' && (previous[member] ?? null) === null) previous[member] = text;
  else messages.push({ role: 'assistant', [member]: text });
}

function addCall(messages: Draft[], call: Record<string, unknown>): void {
  const previous = messages.at(-1);
  if (previous?.role !== 'assistant') messages.push({ role: 'assistant', tool_calls: [call] });
  else if (Array.isArray(previous['tool_calls'])) previous['tool_calls'].push(call);
  else previous['tool_calls'] = [call];
}

function addItem(messages: Draft[], item: ResponsesItem): void {
  const { type, role, content } = item;
  const call = callOf(item);
  if (call !== null) return addCall(messages, call);
  if (type === 'reasoning') return joined(messages, 'reasoning', reasoningText(item));
  if (type === 'function_call_output' || type === 'custom_tool_call_output') {
    messages.push({ role: 'tool', content: item['output'], tool_call_id: item['call_id'] });
    return undefined;
  }
  if (role === 'assistant') {
    const text = typeof content === 'string' ? content : firstText(content);
    if (text !== undefined) return joined(messages, 'content', text);
    if (isOutputMessage(item)) throw badRequest('An assistant message must begin with a part of text.', 'input');
  }
  if (typeof role !== 'string') throw badRequest(`Input items of type '${String(type)}' are not supported.`, 'input');
  messages.push({ ...item, role });
  return undefined;
}

/**
 * The messages of a chat that says the same.
 * @throws ApiError 400 for items that no prompt can show
 */
export function chatMessagesOfItems(request: ResponsesRequest): ChatMessage[] {
  const messages: Draft[] = [];
  if (request.instructions) messages.push({ role: 'system', content: request.instructions });
  if (typeof request.input === 'string') messages.push({ role: 'user', content: request.input });
  else for (const item of request.input) addItem(messages, item);
  return messages;
}

/** Whether the input ends in an unfinished answer, which the model is to go on with. */
export function continuesFinalMessage(input: string | readonly ResponsesItem[]): boolean {
  const last = typeof input === 'string' ? undefined : input.at(-1);
  const type = last?.['type'] ?? 'message';
  if (last === undefined || (type !== 'message' && type !== 'reasoning')) return false;
  return last['status'] === 'in_progress' || last['status'] === 'incomplete';
}

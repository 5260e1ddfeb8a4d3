import { badRequest } from '../../../core/errors.ts';
import type { JsonObject } from '../../chat-encoder.ts';
import { items, member, textOf } from '../json-value.ts';
import { flatText, partTexts } from './content-text.ts';
import type { HarmonyMessage } from './message.ts';
import { developerMessage } from './preamble.ts';

/** Messages of a chat request as Harmony messages. */

/** A call of a function: arguments as sent, not read. */
export function callMessage(name: string, args: string): HarmonyMessage {
  return { role: 'assistant', channel: 'commentary', recipient: `functions.${name}`, contentType: 'json', contents: [args] };
}

/** What a function gave back. */
export function resultMessage(name: string, output: string): HarmonyMessage {
  return { role: 'tool', name, channel: 'commentary', recipient: 'assistant', contents: [output] };
}

/** Text of the assistant on a channel. */
export function assistantMessage(channel: 'analysis' | 'commentary' | 'final', ...contents: string[]): HarmonyMessage {
  return { role: 'assistant', channel, contents };
}

function callOf(toolCall: unknown): { id: unknown; name: string; args: string } {
  const called = member(toolCall, 'function');
  return { id: member(toolCall, 'id'), name: textOf(member(called, 'name')), args: textOf(member(called, 'arguments')) };
}

function reasoningMessages(message: JsonObject): HarmonyMessage[] {
  const reasoning = message['reasoning'] ?? '';
  if (typeof reasoning !== 'string') throw badRequest('The reasoning of an assistant message must be text.');
  return reasoning === '' ? [] : [assistantMessage('analysis', reasoning)];
}

function assistantMessages(message: JsonObject): HarmonyMessage[] {
  const calls = items(message['tool_calls']).map(callOf);
  const text = flatText(message['content']) ?? '';
  if (calls.length > 0) {
    const commentary = text === '' ? [] : [assistantMessage('commentary', text)];
    return [...commentary, ...reasoningMessages(message), ...calls.map(({ name, args }) => callMessage(name, args))];
  }
  const contents = partTexts(message['content']);
  return [...reasoningMessages(message), ...(contents[0] === '' ? [] : [assistantMessage('final', ...contents)])];
}

/**
 * Harmony messages of a chat, without the preamble.
 * @throws ApiError (400) for roles that Harmony does not have
 */
export function chatMessages(messages: readonly JsonObject[]): HarmonyMessage[] {
  const names = new Map(messages.flatMap(({ tool_calls: calls }) => items(calls).map((call) => [callOf(call).id, callOf(call).name])));
  return messages.flatMap((message): HarmonyMessage[] => {
    const { role, content } = message;
    if (role === 'assistant') return assistantMessages(message);
    if (role === 'tool') return [resultMessage(`functions.${names.get(message['tool_call_id']) ?? ''}`, flatText(content) ?? '')];
    if (role === 'user') return [{ role, contents: partTexts(content) }];
    if (role !== 'system' && role !== 'developer') throw badRequest(`The role ${JSON.stringify(role)} is not known to this model.`);
    const instructions = flatText(content);
    return instructions === undefined ? [] : [developerMessage(instructions, [])];
  });
}

import { ApiError } from '../../../core/errors.ts';
import type { JsonObject } from '../../chat-encoder.ts';
import { items, member, textOf } from '../json-value.ts';
import { assistantMessage, callMessage, chatMessages, resultMessage } from './chat-messages.ts';
import { flatText, partTexts } from './content-text.ts';
import type { HarmonyMessage } from './message.ts';
import { developerMessage } from './preamble.ts';

/** Items of a Responses request as Harmony messages. */

const ROLES = ['user', 'assistant', 'system', 'developer', 'tool'] as const;

function badInput(message: string): ApiError {
  return new ApiError(400, 'invalid_request_error', message, 'input');
}

function readRole(role: unknown): HarmonyMessage['role'] {
  const known = ROLES.find((name) => name === role);
  if (known === undefined) throw badInput(`The role ${JSON.stringify(role)} is not known to this model.`);
  return known;
}

function messageItem({ role, content }: JsonObject): HarmonyMessage[] {
  if (role === 'system' || role === 'developer') {
    const text = flatText(content) ?? '';
    return text === '' ? [] : [developerMessage(text, [])];
  }
  const contents = partTexts(content);
  return [role === 'assistant' ? assistantMessage('final', ...contents) : { role: readRole(role), contents }];
}

function reasoningItem({ content }: JsonObject): HarmonyMessage[] {
  const texts = items(content).map((part) => textOf(member(part, 'text')));
  return texts.length === 0 ? [] : [assistantMessage('analysis', texts.join('\n'))];
}

/**
 * Harmony messages of the input items.
 * @throws ApiError (400 `invalid_request_error`, param `input`) for outputs of unknown calls and for unknown items
 */
export function inputMessages(input: readonly JsonObject[]): HarmonyMessage[] {
  const calls = new Map<unknown, string>();
  return input.flatMap((item): HarmonyMessage[] => {
    switch (item['type'] ?? 'message') {
      case 'message':
        return messageItem(item);
      case 'reasoning':
        return reasoningItem(item);
      case 'function_call':
        calls.set(item['call_id'], textOf(item['name']));
        return [callMessage(textOf(item['name']), textOf(item['arguments']))];
      case 'function_call_output': {
        const name = calls.get(item['call_id']);
        if (name === undefined) throw badInput(`There is no call ${JSON.stringify(item['call_id'])} before its output.`);
        if (typeof item['output'] !== 'string') throw badInput('The output of a call must be text.');
        return [resultMessage(`functions.${name}`, item['output'])];
      }
      default:
        throw badInput(`Items of type ${JSON.stringify(item['type'])} are not supported.`);
    }
  });
}

/** A message written as Harmony has it (`{author: {role, name}, channel, recipient, content_type, content}`). */
function harmonyForm(message: JsonObject): HarmonyMessage {
  const author = message['author'];
  const optional = (key: string, member: 'channel' | 'recipient' | 'contentType'): Partial<HarmonyMessage> => {
    const value = textOf(message[key]);
    return value === '' ? {} : { [member]: value };
  };
  const name = textOf(member(author, 'name'));
  return {
    role: readRole(member(author, 'role')),
    ...(name === '' ? {} : { name }),
    ...optional('channel', 'channel'),
    ...optional('recipient', 'recipient'),
    ...optional('content_type', 'contentType'),
    contents: partTexts(message['content']),
  };
}

function chatForm(message: JsonObject): HarmonyMessage[] {
  const { role, content } = message;
  if (role === 'assistant' && items(message['tool_calls']).length > 0)
    return chatMessages([message]).filter(({ recipient }) => recipient !== undefined);
  if (role !== 'tool') return [{ role: readRole(role), contents: partTexts(content) }];
  const name = textOf(message['name']);
  return [resultMessage(name === '' || name.startsWith('functions.') ? name : `functions.${name}`, flatText(content) ?? '')];
}

/** Messages of earlier turns, in Harmony's or the chat form. System and developer messages are left out: instructions come with each request. */
export function previousMessages(messages: readonly JsonObject[]): HarmonyMessage[] {
  const read = messages.flatMap((message) =>
    member(message['author'], 'role') === undefined ? chatForm(message) : [harmonyForm(message)],
  );
  return read.filter(({ role }) => role !== 'system' && role !== 'developer');
}

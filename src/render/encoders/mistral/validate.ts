import { badRequest } from '../../../core/errors.ts';
import type { Call, Message, Role } from './message.ts';
import type { MistralVersion } from './version.ts';

/** What Mistral's models were trained to see; anything else is refused rather than rendered into something else. */

const FOLLOWERS: Readonly<Record<Role, readonly Role[]>> = {
  system: ['user', 'assistant', 'system'],
  user: ['assistant', 'system', 'user'],
  assistant: ['assistant', 'user', 'tool'],
  tool: ['assistant', 'tool', 'user'],
};
const FUNCTION_NAME = /^[a-zA-Z0-9_-]{1,64}\n?$/;
const SHORT_ID = /^[a-zA-Z0-9]{9}\n?$/;

/** @throws ApiError (400) for a name that a function cannot have */
export function checkFunctionName(name: string): void {
  if (!FUNCTION_NAME.test(name))
    throw badRequest(`The function name ${JSON.stringify(name)} must be 1 to 64 letters, digits, underscores and dashes.`);
}

function checkId(id: string, version: MistralVersion): void {
  if (version < 3) return;
  const fits = version < 13 ? SHORT_ID.test(id) : id !== '';
  if (!fits || id === 'null')
    throw badRequest(`The tool call id ${JSON.stringify(id)} must be ${version < 13 ? '9 letters and digits' : 'set'}.`);
}

function checkOrder(messages: readonly Message[]): void {
  messages.slice(1).forEach(({ role }, index) => {
    const previous = messages[index]?.role;
    if (previous !== undefined && !FOLLOWERS[previous].includes(role))
      throw badRequest(`A message of role ${role} cannot follow one of role ${previous}.`);
  });
}

/** Up to v7 results are only counted. The first message is not looked at: it cannot be an answer to anything. */
function checkResultCounts(messages: readonly Message[]): void {
  let expected = 0;
  for (const { role, calls } of messages.slice(1)) {
    if (role === 'tool') expected -= 1;
    if (role !== 'assistant') continue;
    if (expected !== 0) throw badRequest('There must be as many tool results as tool calls.');
    expected = calls.length;
  }
}

/** Since v11 results must name the calls that they answer. */
function checkResultIds(messages: readonly Message[]): void {
  let expected = new Set<string>();
  let seen = new Set<string>();
  for (const { role, calls, toolCallId } of messages.slice(1)) {
    if (role === 'tool') {
      const id = toolCallId ?? '';
      if (seen.has(id)) throw badRequest(`There are two results for the tool call ${JSON.stringify(id)}.`);
      if (!expected.has(id)) throw badRequest(`There is no tool call ${JSON.stringify(id)} for a result.`);
      seen.add(id);
    } else if (role === 'assistant') {
      if (expected.size !== seen.size) throw badRequest('There must be as many tool results as tool calls.');
      expected = new Set(calls.map(({ id }) => id));
      if (expected.size !== calls.length) throw badRequest('Two tool calls of a message have the same id.');
      seen = new Set();
    }
  }
}

function thinks({ content }: Message): boolean {
  return Array.isArray(content) && content.some(({ type }: { type: string }) => type === 'thinking');
}

function checkCall({ id, name }: Call, version: MistralVersion): void {
  checkId(id, version);
  checkFunctionName(name);
}

function checkContent(message: Message, version: MistralVersion): void {
  const { role, content, calls, name, toolCallId } = message;
  if (role === 'assistant') {
    if (thinks(message) && version < 11) throw badRequest('This model has no thinking parts in assistant messages.');
    if (version < 7 && (content ?? '').length > 0 === calls.length > 0)
      throw badRequest('An assistant message must have either content or tool calls.');
    for (const call of calls) checkCall(call, version);
  } else if (role === 'tool') {
    if (name !== null) checkFunctionName(name);
    checkId(toolCallId ?? '', version);
  } else if (role === 'system' && thinks(message) && (version < 7 || version >= 15)) {
    throw badRequest('This model has no thinking parts in system messages.');
  }
}

/** @throws ApiError (400) for messages that the version has no form for */
export function checkMessages(messages: readonly Message[], version: MistralVersion): void {
  const last = messages.at(-1);
  if (last === undefined) throw badRequest('The conversation has no messages.');
  if (messages.length === 1 && (last.role === 'assistant' || last.role === 'tool'))
    throw badRequest('A conversation must begin with a user or system message.');
  if (last.role === 'assistant' && !last.isPrefix)
    throw badRequest('The last message must be a user or tool message, or one to be continued.');
  checkOrder(messages);
  if (version < 11) checkResultCounts(messages);
  else checkResultIds(messages);
  for (const message of messages) checkContent(message, version);
}

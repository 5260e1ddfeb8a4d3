import { badRequest } from '../../../core/errors.ts';
import { tryLoads } from '../../../core/python-json.ts';
import type { Tokenizer } from '../../../tokenizer/tokenizer.ts';
import type { ChatEncoder, ChatEncoderInput, JsonObject } from '../../chat-encoder.ts';
import { isObject, items, member, members, textOf, truthy } from '../json-value.ts';
import { mergeToolResults, sortToolResults, type TurnBlock } from './tool-results.ts';
import { fimPrompt } from './v4.ts';
import { renderTurns, type V4Dialect } from './v4-turns.ts';

/** The prompt of DeepSeek V4.1, which reads the messages as sent: text parts are joined by an empty line. */

const SYSTEM = '<｜System｜>';
const IMAGE = '<｜deepseek_image｜>';
const ROLES = new Set<unknown>(['system', 'developer', 'user', 'assistant', 'tool']);
const TEXT_PARTS = new Set<unknown>(['text', 'input_text', 'output_text']);
const EFFORTS = new Map<unknown, number>([
  ['low', 50],
  ['high', 75],
  ['xhigh', 75],
  ['max', 100],
]);

/** Arguments that are no object are passed as one parameter, `arguments`. */
function readArguments(args: unknown): [string, unknown][] {
  const value = typeof args === 'string' ? tryLoads(args) : args;
  const inner = typeof value === 'string' ? tryLoads(value) : value;
  return isObject(inner) ? members(inner) : [['arguments', args]];
}

function dialectFor(effort: number): V4Dialect {
  return {
    block: ' calls',
    invoke: ' invoke',
    parameter: ' parameter',
    argumentsOf: readArguments,
    // A system message in the middle counts; tool results alone do not ask anything.
    isQuestion({ role, blocks }, index) {
      if (role !== 'user' && role !== 'developer' && !(role === 'system' && index > 0)) return false;
      return blocks === undefined || blocks.length === 0 || blocks.some(({ type }) => type === 'text');
    },
    head({ role }, thinking) {
      const budget = `Reasoning Effort: ${effort} (range 1-100, the higher the value, the more thorough the reasoning)\n\n`;
      return (thinking || role === 'system' ? SYSTEM : '') + (thinking ? budget : '');
    },
    systemMark: (index) => (index > 0 ? SYSTEM : ''),
    opensAnswer: (index) => index > 0,
  };
}

function readEffort(value: unknown): number {
  const effort = EFFORTS.get(value ?? 'high') ?? value;
  if (typeof effort === 'number' && Number.isInteger(effort) && effort >= 1 && effort <= 100) return effort;
  throw badRequest('reasoning_effort must be low, high, xhigh, max, or an integer from 1 to 100 in chat_template_kwargs.');
}

function plainText(text: unknown): string {
  if (textOf(text).includes(IMAGE)) throw badRequest(`A message's text must not contain the image token ${IMAGE}.`);
  return textOf(text);
}

function partText(part: unknown): string {
  const type = member(part, 'type');
  if (TEXT_PARTS.has(type)) return plainText(member(part, 'text'));
  throw badRequest(`Content parts of type ${JSON.stringify(type)} are not supported here; send text.`);
}

function contentText(content: unknown): string | null {
  if (Array.isArray(content)) return content.map(partText).join('\n\n');
  return typeof content === 'string' ? plainText(content) : null;
}

function readMessage(message: JsonObject, calls: unknown): JsonObject {
  if (!ROLES.has(message['role'])) throw badRequest(`The role ${JSON.stringify(message['role'])} is not known to this model.`);
  const reasoning = message['reasoning'] === undefined ? message['reasoning_content'] : message['reasoning'];
  plainText(reasoning);
  const content = contentText(message['content']);
  if (message['role'] === 'tool') return { ...message, content: content ?? 'None' };
  return { ...message, content, reasoning, tool_calls: calls ?? null };
}

function userBlocks(message: JsonObject): TurnBlock[] {
  if (message['content_blocks'] === undefined) return [{ type: 'text', text: message['content'] }];
  return items(message['content_blocks']).map((block) => ({
    type: textOf(member(block, 'type')),
    text: member(block, 'text'),
    content: member(block, 'content'),
    toolCallId: textOf(member(block, 'tool_use_id')),
  }));
}

function withTools(messages: JsonObject[], tools: readonly JsonObject[] | null): JsonObject[] {
  if (tools === null || tools.length === 0) return messages;
  const at = messages.findIndex(({ role }) => role === 'system');
  return at < 0 ? [{ role: 'system', content: '', tools }, ...messages] : messages.with(at, { ...messages[at], tools });
}

function render({ messages, conversation, tools, templateKwargs }: ChatEncoderInput): string {
  // The arguments of tool calls are used as a template gets them: already read, broken ones empty.
  const read = withTools(
    messages.map((message, index) => readMessage(message, conversation[index]?.['tool_calls'])),
    tools,
  );
  const chosen = 'thinking' in templateKwargs || 'enable_thinking' in templateKwargs;
  const wanted = !chosen || truthy(templateKwargs['thinking']) || truthy(templateKwargs['enable_thinking']);
  const none = templateKwargs['reasoning_effort'] === 'none';
  const effort = readEffort(none ? null : templateKwargs['reasoning_effort']);
  const dropThinking = templateKwargs['drop_thinking'] === undefined || truthy(templateKwargs['drop_thinking']);
  const turns = sortToolResults(mergeToolResults(read, userBlocks));
  return renderTurns(turns, dialectFor(effort), wanted && !none, dropThinking);
}

/** The encoder for DeepSeek V4.1: token ids of a text whose special tokens count as such. */
export function createDeepseekV41Encoder(tokenizer: Tokenizer): ChatEncoder {
  return {
    name: 'deepseek_v41',
    contentFormat: 'openai',
    encode: async (input) => ({ tokenIds: await tokenizer.encode(render(input), false) }),
    completionSuffix: fimPrompt,
  };
}

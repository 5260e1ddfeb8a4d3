import { badRequest } from '../../../core/errors.ts';
import type { Tokenizer } from '../../../tokenizer/tokenizer.ts';
import type { ChatEncoder, ChatEncoderInput, JsonObject } from '../../chat-encoder.ts';
import { items, textOf, truthy } from '../json-value.ts';
import {
  ASSISTANT,
  BEGIN_OF_SENTENCE,
  dsmlCalls,
  dsmlElement,
  END_OF_SENTENCE,
  END_THINK,
  readArguments,
  THINK,
  toolSchemas,
  USER,
} from './dsml.ts';
import type { DsmlDialect } from './dsml.ts';

/** The prompt of DeepSeek V3.2, as its makers publish it (`encoding_dsv32.py` in the model's repository). */

const DIALECT: DsmlDialect = { block: 'function_calls', invoke: 'invoke', parameter: 'parameter' };

function toolsText(tools: unknown): string {
  const parameter = dsmlElement('parameter', ' name="$PARAMETER_NAME" string="true|false"', '$PARAMETER_VALUE');
  const first = dsmlElement('invoke', ' name="$FUNCTION_NAME"', `\n${parameter}\n...\n`);
  const second = dsmlElement('invoke', ' name="$FUNCTION_NAME2"', '\n...\n');
  return `## Tools
You have access to a set of tools you can use to answer the user's question.
You can invoke functions by writing a "<｜DSML｜function_calls>" block like the following as part of your reply to the user:
${dsmlElement('function_calls', '', `\n${first}\n${second}\n`)}
String and scalar parameters should be specified as is without any escaping or quotes, while lists and objects should use JSON format. The "string" attribute should be set to "true" for string type parameters and "false" for other types (numbers, booleans, arrays, objects).
If the thinking_mode is enabled, then after function results you should strongly consider outputting a thinking block. Here is an example:
${dsmlElement('function_calls', '', '\n...\n')}
<function_results>
...
</function_results>
${THINK}...thinking about results${END_THINK}
Here are the functions available in JSONSchema format:
<functions>
${toolSchemas(tools)}
</functions>
`;
}

interface Turns {
  readonly messages: readonly JsonObject[];
  readonly thinking: boolean;
  readonly lastUser: number;
  /** For each message: the nearest one before it that is no tool message, or -1. */
  readonly callers: readonly number[];
}

function lastUserIndex(messages: readonly JsonObject[]): number {
  return messages.findLastIndex(({ role }) => role === 'user' || role === 'developer');
}

/**
 * Before the last question assistant turns lose their reasoning.
 * @throws ApiError (400) for a developer turn there: the format has no place for it
 */
function withoutOldThinking(messages: readonly JsonObject[]): JsonObject[] {
  const lastUser = lastUserIndex(messages);
  return messages.map((message, index) => {
    if (index >= lastUser || ['user', 'system', 'tool'].includes(textOf(message['role']))) return message;
    if (message['role'] === 'assistant') return { ...message, reasoning: null };
    throw badRequest(`With thinking on, a message of role ${JSON.stringify(message['role'])} cannot stand before the last user message.`);
  });
}

function callersOf(messages: readonly JsonObject[]): number[] {
  let caller = -1;
  return messages.map((_, index) => {
    if (messages[index - 1]?.['role'] !== 'tool') caller = index - 1;
    return caller;
  });
}

function openAnswer(thinks: boolean): string {
  return thinks ? THINK : END_THINK;
}

function developerTurn(message: JsonObject, index: number, turns: Turns): string {
  if (!truthy(message['content'])) throw badRequest('A developer message must have content.');
  const tools = truthy(message['tools']) ? `\n\n${toolsText(message['tools'])}` : '';
  const question = `${tools}\n\n# The user's message is: ${textOf(message['content'])}`;
  return `${USER}${question}${ASSISTANT}${openAnswer(turns.thinking && index === turns.lastUser)}`;
}

/** Results stand in one block after their calls; the block opens with the first and closes with the last expected one. */
function toolTurn(message: JsonObject, index: number, turns: Turns): string {
  const caller = turns.callers[index] ?? -1;
  const calls = items(turns.messages[caller]?.['tool_calls']);
  const order = index - caller;
  if (turns.messages[caller]?.['role'] !== 'assistant' || calls.length < order) {
    throw badRequest('A tool message must follow an assistant message with a tool call for it.');
  }
  const begin = order === 1 ? '\n\n<function_results>' : '';
  const result = `\n<result>${textOf(message['content'])}</result>`;
  if (order < calls.length) return begin + result;
  return `${begin}${result}\n</function_results>\n\n${openAnswer(turns.thinking && index >= turns.lastUser)}`;
}

function assistantTurn(message: JsonObject, index: number, turns: Turns): string {
  const toolCalls = items(message['tool_calls']);
  const calls = toolCalls.length > 0 ? `\n\n${dsmlCalls(toolCalls, DIALECT, readArguments)}` : '';
  let thinking = '';
  if (turns.thinking && index > turns.lastUser) {
    if (!truthy(message['reasoning']) && toolCalls.length === 0) {
      throw badRequest('With thinking on, an assistant message after the last user message needs reasoning or tool calls.');
    }
    thinking = textOf(message['reasoning']) + END_THINK;
  }
  return thinking + textOf(message['content']) + calls + END_OF_SENTENCE;
}

function turn(message: JsonObject, index: number, turns: Turns): string {
  switch (message['role']) {
    case 'system':
      return textOf(message['content']) + (truthy(message['tools']) ? `\n\n${toolsText(message['tools'])}` : '');
    case 'developer':
      return developerTurn(message, index, turns);
    case 'user':
      return `${USER}${textOf(message['content'])}${ASSISTANT}${openAnswer(turns.thinking && index === turns.lastUser)}`;
    case 'tool':
      return toolTurn(message, index, turns);
    case 'assistant':
      return assistantTurn(message, index, turns);
    default:
      throw badRequest(`The role ${JSON.stringify(message['role'])} is not known to this model.`);
  }
}

function render({ conversation, tools, templateKwargs }: ChatEncoderInput): string {
  let messages = tools !== null && tools.length > 0 ? [{ role: 'system', tools }, ...conversation] : conversation;
  if (messages.length === 0) throw badRequest('The conversation has no messages.');
  const thinking = truthy(templateKwargs['thinking']) || truthy(templateKwargs['enable_thinking']);
  if (thinking && messages.at(-1)?.['role'] === 'user') messages = withoutOldThinking(messages);
  const turns: Turns = { messages, thinking, lastUser: lastUserIndex(messages), callers: callersOf(messages) };
  return BEGIN_OF_SENTENCE + messages.map((message, index) => turn(message, index, turns)).join('');
}

/** The encoder for DeepSeek V3.2: token ids of a text whose special tokens count as such. */
export function createDeepseekV32Encoder(tokenizer: Tokenizer): ChatEncoder {
  return {
    name: 'deepseek_v32',
    contentFormat: 'string',
    encode: async (input) => ({ tokenIds: await tokenizer.encode(render(input), false) }),
  };
}

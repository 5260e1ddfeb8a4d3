import { badRequest } from '../../../core/errors.ts';
import { dumps } from '../../../core/python-json.ts';
import type { Tokenizer } from '../../../tokenizer/tokenizer.ts';
import type { ChatEncoder, ChatEncoderInput, JsonObject } from '../../chat-encoder.ts';
import { isObject, items, member, textOf, toPython, truthy } from '../json-value.ts';
import { encodePieces, type PromptPiece, specialTokenIds } from '../prompt-pieces.ts';
import { strictSortedJson } from '../sorted-json.ts';
import { reasoningEffortText } from './reasoning-effort.ts';

/**
 * The prompt of Inkling: every message is role token, author, content token, text, end token. The role `developer` is written as system,
 * tools are declared in one leading system message, the thinking effort stands after the leading system messages.
 */

const ROLE_TOKENS = new Map<unknown, string>([
  ['user', '<|message_user|>'],
  ['assistant', '<|message_model|>'],
  ['system', '<|message_system|>'],
  ['developer', '<|message_system|>'],
  ['tool', '<|message_tool|>'],
]);
const CONTENT_TOKENS = {
  text: '<|content_text|>',
  thinking: '<|content_thinking|>',
  xml: '<|content_xml|>',
  call: '<|content_invoke_tool_json|>',
} as const;
const END_MESSAGE = '<|end_message|>';
const END_SAMPLING = '<|content_model_end_sampling|>';

/** The tokens a tokenizer must have; in some vocabularies the XML token has no name of its own. */
const SPELLINGS: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    [...ROLE_TOKENS.values(), ...Object.values(CONTENT_TOKENS), END_MESSAGE, END_SAMPLING].map((token) => [token, [token]]),
  ),
  [CONTENT_TOKENS.xml]: [CONTENT_TOKENS.xml, '<|unused_200024|>'],
};

type ContentKind = keyof typeof CONTENT_TOKENS;

function messagePieces(role: unknown, kind: ContentKind, text: string, author = ''): PromptPiece[] {
  const roleToken = ROLE_TOKENS.get(role);
  if (roleToken === undefined) throw badRequest(`The role ${JSON.stringify(role)} is not known to this model.`);
  return [{ token: roleToken }, { text: author }, { token: CONTENT_TOKENS[kind] }, { text }, { token: END_MESSAGE }];
}

function partText(part: unknown): string {
  if (typeof part === 'string') return part;
  const type = member(part, 'type') ?? null;
  if (isObject(part) && (type === null || type === 'text' || type === 'input_text')) return textOf(member(part, 'text'));
  throw badRequest(`Content parts of type ${JSON.stringify(type)} are not supported here; send text.`);
}

/** One text a part; an empty text alone is no part, an empty part is. */
function contentTexts(content: unknown): string[] {
  if (typeof content === 'string') return content === '' ? [] : [content];
  return items(content).map(partText);
}

function declaredTools({ tools, messages }: ChatEncoderInput): unknown[] {
  return [...(tools ?? []), ...messages.flatMap((message) => (message['role'] === 'developer' ? items(message['tools']) : []))];
}

function declaration(tool: unknown): Map<string, unknown> {
  const fn = member(tool, 'function');
  if (member(fn, 'name') === undefined) throw badRequest('A tool must have a function with a name.');
  return new Map<string, unknown>([
    ['description', truthy(member(fn, 'description')) ? member(fn, 'description') : ''],
    ['name', member(fn, 'name')],
    ['parameters', truthy(member(fn, 'parameters')) ? member(fn, 'parameters') : {}],
    ['type', member(tool, 'type') ?? 'function'],
  ]);
}

function callPieces(toolCall: unknown): PromptPiece[] {
  const name = textOf(member(member(toolCall, 'function'), 'name'));
  const args = member(member(toolCall, 'function'), 'arguments');
  const text = `{"name":${dumps(name)},"args":${strictSortedJson(toPython(truthy(args) ? args : {}))}}`;
  return messagePieces('assistant', 'call', text, name);
}

function assistantPieces(message: JsonObject, toolCalls: readonly unknown[]): PromptPiece[] {
  const reasoning = message['reasoning'] ?? message['reasoning_content'];
  if (truthy(reasoning) && typeof reasoning !== 'string') throw badRequest('The reasoning of an assistant message must be text.');
  return [
    ...(truthy(reasoning) ? messagePieces('assistant', 'thinking', textOf(reasoning)) : []),
    ...contentTexts(message['content']).flatMap((text) => messagePieces('assistant', 'text', text)),
    ...toolCalls.flatMap(callPieces),
    { token: END_SAMPLING },
  ];
}

/** Pieces of the prompt; arguments of tool calls are used as a template gets them: already read, broken ones empty. */
function promptPieces(input: ChatEncoderInput): PromptPiece[] {
  if (input.continueFinalMessage || truthy(input.templateKwargs['continue_final_message'])) {
    throw badRequest('This model cannot continue a final message.');
  }
  const effort = reasoningEffortText(input.templateKwargs['reasoning_effort']);
  const effortPieces = effort === undefined ? [] : messagePieces('system', 'text', effort);
  const tools = declaredTools(input);
  const pieces =
    tools.length === 0 ? [] : messagePieces('system', 'xml', strictSortedJson(toPython(tools.map(declaration))), 'tool_declare');
  const names = new Map<unknown, string>();
  const leading = input.messages.findIndex(({ role }) => role !== 'system' && role !== 'developer');
  input.messages.forEach((message, index) => {
    if (index === leading) pieces.push(...effortPieces);
    const { role, content } = message;
    if (role === 'assistant') {
      const calls = items(input.conversation[index]?.['tool_calls']);
      for (const call of calls) names.set(member(call, 'id'), textOf(member(member(call, 'function'), 'name')));
      pieces.push(...assistantPieces(message, calls));
    } else if (role === 'tool') {
      const name = textOf(message['name']) || names.get(message['tool_call_id']) || '';
      pieces.push(...messagePieces('tool', 'text', typeof content === 'string' ? content : contentTexts(content).join(''), name));
    } else {
      if (!ROLE_TOKENS.has(role)) throw badRequest(`The role ${JSON.stringify(role)} is not known to this model.`);
      pieces.push(...contentTexts(content).flatMap((text) => messagePieces(role, 'text', text)));
    }
  });
  if (leading < 0) pieces.push(...effortPieces);
  if (input.addGenerationPrompt) pieces.push({ token: '<|message_model|>' });
  return pieces;
}

/**
 * The encoder for Inkling: token ids; special tokens written in a text count as such, as in the model's tokenizer.
 * @throws StartupError where the tokenizer lacks the model's tokens
 */
export function createInklingEncoder(tokenizer: Tokenizer): ChatEncoder {
  const ids = specialTokenIds(tokenizer, 'inkling', SPELLINGS);
  const encodeText = async (text: string): Promise<number[]> => (text === '' ? [] : tokenizer.encode(text, false));
  return {
    name: 'inkling',
    contentFormat: 'string',
    encode: async (input) => ({ tokenIds: await encodePieces(promptPieces(input), ids, encodeText) }),
  };
}

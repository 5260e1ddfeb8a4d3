import { dumps } from '../core/python-json.ts';
import type { MessagesBlock, MessagesMessage } from '../protocol/messages-blocks.ts';
import type { MessagesRequest } from '../protocol/messages-request.ts';
import type { JsonObject } from './chat-encoder.ts';
import { textOf, toPython } from './encoders/json-value.ts';
import { exactly } from './exact-members.ts';
import type { RawJson } from './raw-json.ts';

/** Anthropic messages as chat messages. */

const BILLING_HEADER = 'x-anthropic-billing-header';

/** Texts of a system prompt; Claude Code's first block changes with every request, and would make every prefix cache miss. */
function systemTexts(content: string | readonly MessagesBlock[]): string[] {
  const texts = typeof content === 'string' ? [content] : content.map((block) => (block.type === 'text' ? (block.text ?? '') : ''));
  return texts.filter((text) => text !== '' && !text.startsWith(BILLING_HEADER));
}

function leadingSystem(request: MessagesRequest, mergeInlineSystem: boolean): JsonObject[] {
  const own = typeof request.system === 'string' ? (request.system === '' ? [] : [request.system]) : systemTexts(request.system ?? []);
  const inline = mergeInlineSystem
    ? request.messages.filter(({ role }) => role === 'system').flatMap(({ content }) => systemTexts(content))
    : [];
  const texts = [...own, ...inline];
  return texts.length === 0 ? [] : [{ role: 'system', content: texts.join('') }];
}

function imageUrl(source: Readonly<Record<string, unknown>>): string {
  if (source['type'] === 'url') return textOf(source['url']);
  return `data:${textOf(source['media_type'] ?? 'image/jpeg')};base64,${textOf(source['data'])}`;
}

function imagePart(url: string): JsonObject {
  return { type: 'image_url', image_url: { url } };
}

/** A tool's result: its text, then its images as a message of the user, then the tools that it refers to. */
function toolResult(block: MessagesBlock): JsonObject[] {
  const items = Array.isArray(block.content) ? block.content : [];
  const text =
    typeof block.content === 'string'
      ? block.content
      : items
          .filter(({ type }) => type === 'text')
          .map((item) => textOf(item['text']))
          .join('\n');
  const images = items
    .filter(({ type }) => type === 'image')
    .map((item) => imageUrl((item['source'] ?? {}) as JsonObject))
    .filter((url) => url !== '');
  const references = items
    .filter(({ type }) => type === 'tool_reference')
    .map((item) => item['tool_name'] || item['name'])
    .filter(Boolean)
    .map((name) => ({ type: 'tool_reference', name }));
  const id = block.tool_use_id ?? '';
  return [
    { role: 'tool', tool_call_id: id, content: text },
    ...(images.length === 0 ? [] : [{ role: 'user', content: images.map(imagePart) }]),
    ...(references.length === 0 ? [] : [{ role: 'tool', tool_call_id: id, content: references }]),
  ];
}

function toolCall(block: MessagesBlock, input: unknown): JsonObject {
  const id = block.id || `call_${Math.floor(Date.now() / 1000)}`;
  return { id, type: 'function', function: { name: block.name ?? '', arguments: dumps(toPython(input ?? {}), { ensureAscii: true }) } };
}

function contentPart(block: MessagesBlock, role: string): JsonObject | null {
  if (block.type === 'text') return block.text ? { type: 'text', text: block.text } : null;
  if (block.type === 'image')
    return block.source !== null && Object.keys(block.source).length > 0 ? imagePart(imageUrl(block.source)) : null;
  if (block.type !== 'tool_result' || role === 'user') return null;
  const { content } = block;
  const text = typeof content === 'string' ? content : content === null || content.length === 0 ? '' : dumps(toPython(content));
  return { type: 'text', text: `Tool result: ${text}` };
}

/** One message: results of tools stand as messages of their own in front of it. */
function convertMessage(message: MessagesMessage, inputOf: (block: number) => unknown): JsonObject[] {
  const { role, content } = message;
  if (typeof content === 'string') return [{ role, content }];
  const results = role === 'user' ? content.filter(({ type }) => type === 'tool_result').flatMap(toolResult) : [];
  const parts = content.map((block) => contentPart(block, role)).filter((part) => part !== null);
  const reasoning = content.filter(({ type, thinking }) => type === 'thinking' && thinking !== null).map(({ thinking }) => thinking ?? '');
  const calls = content.flatMap((block, index) => (block.type === 'tool_use' ? [toolCall(block, inputOf(index))] : []));
  const [only] = parts;
  const converted: JsonObject = {
    role,
    ...(reasoning.length > 0 ? { reasoning: reasoning.join('') } : {}),
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
    ...(only === undefined ? {} : { content: parts.length === 1 && only['type'] === 'text' ? only['text'] : parts }),
  };
  return role === 'user' && only === undefined ? results : [...results, converted];
}

/**
 * The messages of a chat that says the same.
 * @param mergeInlineSystem whether system messages inside the conversation move to its head, for templates that take one there only
 */
export function chatMessagesOf(request: MessagesRequest, raw: RawJson | null, mergeInlineSystem: boolean): JsonObject[] {
  const converted = request.messages.flatMap((message, index) => {
    if (message.role === 'system') {
      const text = mergeInlineSystem ? '' : systemTexts(message.content).join('');
      return text === '' ? [] : [{ role: 'system', content: text }];
    }
    const { content } = message;
    const inputOf = (block: number): unknown => {
      const input = typeof content === 'string' ? null : (content[block]?.input ?? null);
      return exactly(raw, input, 'messages', index, 'content', block, 'input');
    };
    return convertMessage(message, inputOf);
  });
  return [...leadingSystem(request, mergeInlineSystem), ...converted];
}

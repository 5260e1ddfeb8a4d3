import { badRequest } from '../core/errors.ts';
import { tryLoads } from '../core/python-json.ts';
import type { ChatMessage } from '../protocol/chat-messages.ts';
import { isRecord } from '../protocol/typed-shape.ts';
import type { JsonObject } from './chat-encoder.ts';
import { readContentPart } from './content-parts.ts';
import type { EngineMedia, Modality } from './content-parts.ts';

/** How templates want content: joined to one text, or as a list of parts. */
export type ContentFormat = 'string' | 'openai';

/** Messages as templates get them. */
export interface Conversation {
  readonly messages: readonly JsonObject[];
  /** Images, audio and video, in order. */
  readonly media: readonly MediaPart[];
}

export interface MediaPart {
  readonly modality: Modality;
  readonly media: EngineMedia;
}

/** What the engine has to resolve, for its `content_parts`; null where there is nothing. */
export function engineMedia(parts: readonly MediaPart[]): EngineMedia[] | null {
  return parts.length === 0 ? null : parts.map(({ media }) => media);
}

const BILLING_HEADER = 'x-anthropic-billing-header';

/** Claude Code's first line changes with every request, which would make every prefix cache miss. */
function withoutBillingHeader(parts: readonly unknown[]): unknown[] {
  return parts.flatMap((part) => {
    const text = isRecord(part) && part['type'] === 'text' ? part['text'] : part;
    if (typeof text !== 'string' || !text.startsWith(BILLING_HEADER)) return [part];
    const end = text.indexOf('\n');
    const rest = end < 0 ? '' : text.slice(end + 1);
    if (rest === '') return [];
    return [isRecord(part) ? { ...part, text: rest } : rest];
  });
}

function contentParts(message: ChatMessage): readonly unknown[] {
  const { content } = message;
  if (content === undefined || content === null) return [];
  const parts = typeof content === 'string' ? [content] : content;
  return message.role === 'system' ? withoutBillingHeader(parts) : parts;
}

/** Content as a list of `{type: 'text', text}`, `{type: 'image'}` and so on. */
function wrappedContent(parts: readonly unknown[], media: MediaPart[]): JsonObject[] {
  return parts.flatMap((item): JsonObject[] => {
    const part = readContentPart(item);
    if (part === null) return [];
    if (part.kind === 'text') return [{ type: 'text', text: part.text, ...part.extra }];
    if (part.kind === 'tool-reference') return [{ type: 'tool_reference', name: part.name }];
    media.push({ modality: part.modality, media: part.media });
    return [{ type: part.modality, ...part.extra }];
  });
}

/** Content as one text. Media have no place in it that this server could know. */
function joinedContent(parts: readonly unknown[]): string {
  const texts = parts.map((item) => {
    const part = readContentPart(item);
    if (part?.kind === 'media') throw badRequest(`This model takes no ${part.modality} content: its chat template has no place for it.`);
    return part === null ? '' : part.kind === 'text' ? part.text : part.name;
  });
  return texts.filter((text) => typeof text === 'string' && text !== '').join('\n');
}

/** Arguments of a call as an object; whatever is no JSON object becomes an empty one, so that a broken turn does not end a conversation. */
function readArguments(given: unknown): unknown {
  if (isRecord(given)) return given;
  if (typeof given !== 'string' || given === '') return {};
  // Numbers with a fraction or exponent, long ones, and keys that look like numbers are what JavaScript loses.
  if (!/[.eEN]|\d{16}|"\d+"/.test(given)) {
    try {
      const plain: unknown = JSON.parse(given);
      return isRecord(plain) ? plain : {};
    } catch {
      return {};
    }
  }
  const read = tryLoads(given);
  return read instanceof Map ? read : {};
}

function renderedCall(call: unknown): JsonObject {
  if (!isRecord(call)) throw badRequest("Each of an assistant message's `tool_calls` must be an object.", 'tool_calls');
  const { function: called, type } = call;
  if ((type ?? 'function') !== 'function' || !isRecord(called)) {
    throw badRequest("An assistant message's `tool_calls` must be of type 'function'.", 'tool_calls');
  }
  return { ...call, function: { ...called, arguments: readArguments(called['arguments']) } };
}

/** A function tool with its members in the order in which the reference keeps them. */
function declaredTool(tool: unknown): unknown {
  if (!isRecord(tool) || !isRecord(tool['function'])) return tool;
  const { function: declared, type, ...extra } = tool;
  const { name, description, parameters, strict, ...more } = declared;
  const known = Object.entries({ name, description, parameters, strict }).filter(([, value]) => value !== undefined);
  return { function: { ...Object.fromEntries(known), ...more }, ...(type === undefined ? {} : { type }), ...extra };
}

function assistantMembers(message: ChatMessage): JsonObject {
  const { tool_calls: calls, reasoning } = message;
  const members: Record<string, unknown> = {};
  if (Array.isArray(calls) && calls.length > 0) members['tool_calls'] = calls.map(renderedCall);
  if (isRecord(reasoning) && reasoning['type'] === 'prompt_embeds')
    throw badRequest('This server takes no `prompt_embeds`.', 'prompt_embeds');
  if (reasoning !== undefined && reasoning !== null) {
    members['reasoning'] = reasoning;
    // The older name, which many templates read.
    members['reasoning_content'] = reasoning;
  }
  return members;
}

/** Most templates want the results of tools as texts. */
function toolResult(content: string | readonly JsonObject[]): string | readonly JsonObject[] {
  if (typeof content === 'string') return content;
  return content.every(({ type }) => type === 'text') ? content.map(({ text }) => String(text)).join('\n') : content;
}

function renderedMessage(message: ChatMessage, format: ContentFormat, media: MediaPart[]): JsonObject {
  const { role } = message;
  const parts = contentParts(message);
  const content = format === 'openai' ? wrappedContent(parts, media) : joinedContent(parts);
  const members: Record<string, unknown> = { role, content: role === 'tool' ? toolResult(content) : content };
  if (role === 'assistant') Object.assign(members, assistantMembers(message));
  if (role === 'tool' && Object.hasOwn(message, 'tool_call_id')) members['tool_call_id'] = message['tool_call_id'];
  if (typeof message['name'] === 'string') members['name'] = message['name'];
  if (typeof message['task'] === 'string') members['task'] = message['task'];
  if (role === 'developer') {
    const tools = message['tools'] ?? null;
    members['tools'] = Array.isArray(tools) ? tools.map(declaredTool) : tools;
  }
  return members;
}

/**
 * Messages as a chat template gets them: content in the wanted form, arguments of calls as objects, reasoning under both its names.
 * @throws ApiError 400 for parts and calls that cannot be rendered
 */
export function conversationOf(messages: readonly ChatMessage[], format: ContentFormat): Conversation {
  const media: MediaPart[] = [];
  return { messages: messages.map((message) => renderedMessage(message, format, media)), media };
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.flatMap((part: unknown) => (isRecord(part) && 'text' in part ? [String(part['text'])] : [])).join('\n');
}

/** For templates that know no developer role: it becomes system, and all system messages one, in front. */
export function withoutDeveloperRole(messages: readonly JsonObject[]): readonly JsonObject[] {
  const converted = messages.map((message): JsonObject => {
    if (message['role'] !== 'developer') return message;
    const { tools: _, ...rest } = message;
    return { ...rest, role: 'system' };
  });
  const isSystem = (message: JsonObject): boolean => message['role'] === 'system';
  const system = converted.filter(isSystem);
  if (system.length === 0 || (system.length === 1 && converted[0] === system[0])) return converted;
  const texts = system.map((message) => textOf(message['content'])).filter((text) => text !== '');
  return [{ role: 'system', content: texts.join('\n\n') }, ...converted.filter((message) => !isSystem(message))];
}

import { badRequest } from '../../../core/errors.ts';
import { dumps, type PythonValue } from '../../../core/python-json.ts';
import type { JsonObject } from '../../chat-encoder.ts';
import { items, member, textOf, toPython } from '../json-value.ts';

/** Messages of a chat as Mistral's own library reads them. */

export type Role = 'system' | 'user' | 'assistant' | 'tool';

export type Chunk =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly thinking: string; readonly closed: boolean };

export interface Call {
  /** `null` (as text) where the request has none. */
  readonly id: string;
  readonly name: string;
  /** JSON, as Python prints it. */
  readonly args: string;
}

export interface Message {
  readonly role: Role;
  readonly content: string | readonly Chunk[] | null;
  readonly calls: readonly Call[];
  /** The assistant message that the answer goes on with. */
  readonly isPrefix: boolean;
  readonly toolCallId: string | null;
  readonly name: string | null;
}

const ID_LENGTH = 9;

/** The end of an id: ids of other servers are longer than Mistral's. */
function shortId(id: string): string {
  return Array.from(id).slice(-ID_LENGTH).join('');
}

function readPart(part: unknown, role: Role): Chunk[] {
  const type = member(part, 'type');
  if (typeof part !== 'object') throw badRequest('A content part must be an object.');
  // Parts without a type are passed over.
  if (type === undefined || type === null || type === '') return [];
  if (type === 'text' && typeof member(part, 'text') === 'string') return [{ type, text: textOf(member(part, 'text')) }];
  const canThink = role === 'assistant' || role === 'system';
  const closed = member(part, 'closed') ?? true;
  if (type === 'thinking' && canThink && typeof member(part, 'thinking') === 'string' && typeof closed === 'boolean') {
    return [{ type, thinking: textOf(member(part, 'thinking')), closed }];
  }
  throw badRequest(`A content part of type ${JSON.stringify(type)} cannot be used in a message of role ${role}.`);
}

function readContent(content: unknown, role: Role): Message['content'] {
  if (typeof content === 'string') return content;
  if (content === null || content === undefined) return null;
  if (Array.isArray(content)) return content.flatMap((part) => readPart(part, role));
  throw badRequest('Content must be text or a list of parts.');
}

/** Reasoning of a message as a chunk before its content. */
function withReasoning(content: Message['content'], message: JsonObject): Message['content'] {
  const { reasoning = null, reasoning_content: other = null } = message;
  if (reasoning !== null && other !== null && reasoning !== other) throw badRequest('reasoning and reasoning_content must be the same.');
  const thinking = reasoning ?? other;
  if (thinking === null) return content;
  if (typeof thinking !== 'string') throw badRequest('The reasoning of an assistant message must be text.');
  const chunks: readonly Chunk[] = content === null ? [] : typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  if (chunks.some(({ type }) => type === 'thinking')) throw badRequest('A message cannot have both reasoning and thinking parts.');
  return [{ type: 'thinking', thinking, closed: true }, ...chunks];
}

function readCall(toolCall: unknown): Call {
  const called = member(toolCall, 'function');
  const args: PythonValue = toPython(member(called, 'arguments') ?? {});
  return { id: shortId(textOf(member(toolCall, 'id'))), name: textOf(member(called, 'name')), args: dumps(args) };
}

function readRole(role: unknown): Role {
  if (role === 'developer') return 'system';
  if (role === 'system' || role === 'user' || role === 'assistant' || role === 'tool') return role;
  throw badRequest(`The role ${JSON.stringify(role)} is not known to this model.`);
}

/**
 * @param toolCalls with their arguments already read (broken ones empty), as a template gets them
 * @throws ApiError (400) for what the library refuses to read
 */
export function readMessage(message: JsonObject, toolCalls: unknown, isPrefix: boolean): Message {
  const role = readRole(message['role']);
  const content = readContent(message['content'], role);
  if (content === null && role !== 'assistant') throw badRequest(`A message of role ${role} must have content.`);
  const { tool_call_id: id, name } = message;
  if (role === 'tool' && typeof id !== 'string') throw badRequest('A tool message must have a tool_call_id.');
  return {
    role,
    content: role === 'assistant' ? withReasoning(content, message) : content,
    calls: role === 'assistant' ? items(toolCalls).map(readCall) : [],
    isPrefix,
    toolCallId: typeof id === 'string' ? shortId(id) : null,
    name: role === 'tool' && typeof name === 'string' ? name : null,
  };
}

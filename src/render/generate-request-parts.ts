import { randomUUID } from 'node:crypto';
import { badRequest } from '../core/errors.ts';
import type { ChatTool } from '../protocol/chat-tools.ts';
import type { ChatMessage, ChatMessages } from '../protocol/chat-messages.ts';
import { isRecord } from '../protocol/typed-shape.ts';
import type { RenderEnvironment } from './render-environment.ts';
import { exactly } from './exact-members.ts';
import type { RawJson } from './raw-json.ts';

/** What a rendering needs to know of its HTTP request. */
export interface RenderContext {
  /** The `X-Request-Id` header, or null. */
  readonly requestId: string | null;
  /** The body's text, for what JavaScript values lose. */
  readonly rawBody: string;
}

/** 32 hexadecimal digits. */
export function newId(): string {
  return randomUUID().replaceAll('-', '');
}

/** The id of a request: its header's, its own, or a new one. */
export function requestIdOf(context: RenderContext, own: string | null): string {
  return (context.requestId === '' ? null : context.requestId) ?? own ?? newId();
}

/** @throws ApiError 400 where nothing was rendered */
export function requireIds(ids: number[]): number[] {
  if (ids.length === 0) throw badRequest('The prompt is empty: no token was rendered.');
  return ids;
}

/** An object, or null where it is empty: the engine gets no empty ones. */
export function nonEmpty<T extends object>(value: T | null): T | null {
  return value === null || Object.keys(value).length === 0 ? null : value;
}

/** Multimodal options cost resources, so they are taken from trusted clients only. */
export function checkMediaOptions(
  environment: RenderEnvironment,
  request: { readonly mm_processor_kwargs: object | null; readonly media_io_kwargs: object | null },
): void {
  if (environment.settings.trustRequestMmKwargs) return;
  for (const name of ['mm_processor_kwargs', 'media_io_kwargs'] as const) {
    if (nonEmpty(request[name]) !== null) {
      throw badRequest(`\`${name}\` is only taken from clients that are trusted: start the server with --trust-request-mm-kwargs.`, name);
    }
  }
}

/** @throws ApiError 400 for a template of the client's own where those are not trusted */
export function checkOwnTemplate(
  environment: RenderEnvironment,
  template: string | null,
  kwargs: Readonly<Record<string, unknown>> | null,
): void {
  if (environment.settings.trustRequestChatTemplate || (template === null && (kwargs?.['chat_template'] ?? null) === null)) return;
  throw badRequest(
    'The request has a chat template of its own, which is only taken where the server is started with --trust-request-chat-template.',
  );
}

/** Tools whose schemas are read without loss. */
export function exactTools(raw: RawJson | null, tools: ChatTool[] | null): ChatTool[] | null {
  if (raw === null || tools === null) return tools;
  return tools.map((tool, index) => {
    const { parameters } = tool.function;
    return { ...tool, function: { ...tool.function, parameters: exactly(raw, parameters, 'tools', index, 'function', 'parameters') } };
  });
}

/** Messages whose own tools, which a developer message may bring, have schemas that are read without loss. */
export function exactMessages(raw: RawJson | null, messages: ChatMessages): ChatMessages {
  const list = messages.list.map((message, index): ChatMessage => {
    const { tools } = message;
    if (raw === null || !Array.isArray(tools)) return message;
    const exact = tools.map((tool: unknown, at): unknown => {
      if (!isRecord(tool) || !isRecord(tool['function'])) return tool;
      const { parameters } = tool['function'];
      return {
        ...tool,
        function: { ...tool['function'], parameters: exactly(raw, parameters, 'messages', index, 'tools', at, 'function', 'parameters') },
      };
    });
    return { ...message, tools: exact };
  });
  return { ...messages, list };
}

/** Tool calls of earlier turns, for formats whose ids count through the conversation. */
export function historyToolCalls(messages: readonly ChatMessage[]): number {
  return messages.reduce((count, { role, tool_calls: calls }) => count + (role === 'assistant' ? (calls?.length ?? 0) : 0), 0);
}

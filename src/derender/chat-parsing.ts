import { badRequest } from '../core/errors.ts';
import type { ParserContext, ToolChoice } from '../core/stream-parser.ts';
import { createSession } from '../parsers/session.ts';
import type { ParserSession, SessionFormats } from '../parsers/session.ts';
import type { ChatRequest } from '../protocol/chat-request.ts';
import type { DerenderEnvironment } from './environment.ts';
import { shortCallId, toolCallId } from './generated-ids.ts';
import { parserTemplateKwargs } from './template-kwargs.ts';
import { firstCallOnly, keepsToolCalls, toolChoiceOf, toolDefinitions } from './tool-choice.ts';

/** The parsers of a server set up for one request, and the request's rules about what they find. */
export interface ChatParsing {
  session: ParserSession;
  toolChoice: ToolChoice;
  /** Calls that the parser finds are part of the answer. */
  keepsCalls: boolean;
  firstCallOnly: boolean;
  includeReasoning: boolean;
  /** An id for the call at `index` of this answer, where its format carries none. */
  callId(name: string, index: number): string;
}

/** Calls in the assistant's earlier turns. */
function historyToolCalls({ messages }: ChatRequest): number {
  let calls = 0;
  for (const { role, tool_calls: made } of messages.list) if (role === 'assistant') calls += made?.length ?? 0;
  return calls;
}

/** Sets up the parsers for a request. */
export function chatParsing(
  environment: DerenderEnvironment,
  formats: SessionFormats,
  request: ChatRequest,
  mode: ParserContext['mode'],
): ChatParsing {
  const { tokenizer, model, settings } = environment;
  const toolChoice = toolChoiceOf(request);
  const history = historyToolCalls(request);
  const hasToolParser = settings.toolCallParser !== null;
  const session = createSession(formats, {
    vocabulary: tokenizer,
    decode: (ids) => tokenizer.decode(ids, false),
    specialIds: tokenizer.allSpecialIds,
    endTokenIds: environment.ends.all,
    tools: toolDefinitions(request),
    toolChoice,
    chatTemplateKwargs: parserTemplateKwargs(request, settings.defaultChatTemplateKwargs, settings.reasoningEffortMap),
    modelType: model.modelType,
    tokenizerConfig: model.tokenizerConfig,
    hasReasoningParser: formats.reasoning !== null || settings.reasoningParser !== null,
    hasToolParser,
    historyToolCalls: history,
    mode,
  });
  return {
    session,
    toolChoice,
    keepsCalls: keepsToolCalls(request, hasToolParser),
    firstCallOnly: firstCallOnly(request),
    includeReasoning: request.include_reasoning,
    callId: (name, index) =>
      session.shortIds ? shortCallId() : toolCallId(session.countsIds ? model.modelType : '', name, history + index),
  };
}

/** The same for a stream: set up once for all chunks that bring the same request object. */
export function streamParsing(environment: DerenderEnvironment, formats: SessionFormats, request: ChatRequest): ChatParsing {
  const known = environment.streamParsings.get(request);
  if (known) return known;
  const parsing = chatParsing(environment, formats, request, 'stream');
  environment.streamParsings.set(request, parsing);
  return parsing;
}

/**
 * The request, which parsers cannot do without.
 * @throws ApiError 400
 */
export function requireChatRequest(request: ChatRequest | null): ChatRequest {
  if (request) return request;
  throw badRequest(
    'chat_request is required where a tool or reasoning parser is configured: without it the markers would show in the content.',
  );
}

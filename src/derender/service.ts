import type { ChatRequest } from '../protocol/chat-request.ts';
import type { CompletionRequest } from '../protocol/completion-request.ts';
import { parseMessagesDerender, parseResponsesDerender } from '../protocol/derender-chat.ts';
import type { ChatDerender, ChatDerenderBody, ChatStreamDerender, ToChatRequest } from '../protocol/derender-chat.ts';
import { rememberRequests } from '../protocol/remembered-requests.ts';
import type { CompletionDerender, CompletionDerenderBody, CompletionStreamDerender } from '../protocol/derender-completion.ts';
import { startMessageStream, startResponseStream } from '../protocol/answer-stream-state.ts';
import type { StreamState } from '../protocol/stream-state.ts';
import type { ChatChunk, ChatCompletion, Completion, CompletionChunk, StreamAnswer } from './answers.ts';
import { derenderChatChunk } from './chat-stream.ts';
import { derenderCompletionChunk } from './completion-stream.ts';
import { derenderEnvironment } from './environment.ts';
import type { DerenderOptions } from './environment.ts';
import { derenderChat } from './one-shot-chat.ts';
import { messageEvents } from './message-events.ts';
import type { ChunkTokens } from './message-events.ts';
import { messageFromChat } from './messages.ts';
import type { MessageAnswer, MessageEvent } from './messages-answer.ts';
import { responseEvents } from './response-events.ts';
import type { ResponseEvent } from './response-events.ts';
import { responseFromChat } from './responses.ts';
import { chatRequestOfResponses } from './responses-chat-request.ts';
import { responsesContext } from './responses-answer.ts';
import type { ResponseAnswer } from './responses-answer.ts';
import { derenderCompletion } from './one-shot-completion.ts';
import { stateSigner, unsigned } from './state-signature.ts';

type OneShot<Body, One, Request> = Extract<Body, { kind: 'one-shot' }> & { body: One; request: Request | null };
type Streamed<Body, Chunk, Request> = Extract<Body, { kind: 'stream' }> & { body: Chunk; request: Request | null };

export type ChatOneShot = OneShot<ChatDerenderBody, ChatDerender, ChatRequest>;
export type ChatStreamed = Streamed<ChatDerenderBody, ChatStreamDerender, ChatRequest>;
export type CompletionOneShot = OneShot<CompletionDerenderBody, CompletionDerender, CompletionRequest>;
export type CompletionStreamed = Streamed<CompletionDerenderBody, CompletionStreamDerender, CompletionRequest>;

/** The answer to one streamed chunk in an API whose streams are events: those that this chunk gives, perhaps none. */
export interface EventsAnswer<Event> {
  events: Event[];
  stream_state: StreamState;
}

/** Token ids of the engine to answers. All methods throw ApiError (400) for what cannot be derendered. */
export interface DerenderService {
  chat(parsed: ChatOneShot): Promise<ChatCompletion>;
  chatStream(parsed: ChatStreamed): StreamAnswer<ChatChunk>;
  completion(parsed: CompletionOneShot): Promise<Completion>;
  completionStream(parsed: CompletionStreamed): StreamAnswer<CompletionChunk>;
  messages(parsed: ChatOneShot): Promise<MessageAnswer>;
  messagesStream(parsed: ChatStreamed): EventsAnswer<MessageEvent>;
  responses(parsed: ChatOneShot): Promise<ResponseAnswer>;
  responsesStream(parsed: ChatStreamed): EventsAnswer<ResponseEvent>;
  /** Reads the body of `POST /v1/messages/derender`. */
  parseMessages(body: unknown): Promise<ChatDerenderBody>;
  /** Reads the body of `POST /v1/responses/derender`. */
  parseResponses(body: unknown): ChatDerenderBody;
}

/** These APIs always tell how long the prompt was: where the caller did not count it, by its ids. */
function withPromptCount(body: ChatDerender): ChatDerender {
  const ids = body.prompt_token_ids ?? body.generate_response.prompt_token_ids;
  return { ...body, prompt_tokens: body.prompt_tokens ?? ids?.length ?? null };
}

/** @param parse a pure function */
function reader(parse: (value: unknown) => ChatRequest): ToChatRequest {
  return { parseRequest: parse, parseStreamRequest: rememberRequests(parse) };
}

/** Counts for the answer's usage, from what the request tells. */
function chunkTokens({ prompt_tokens: counted, prompt_token_ids: ids, generate_chunk: chunk }: ChatStreamDerender): ChunkTokens {
  return { input: counted ?? ids?.length ?? chunk.usage?.prompt_tokens ?? 0, output: chunk.choices[0]?.token_ids?.length ?? 0 };
}

/** @param options the model, its tokenizer, the server's parsers and settings */
export function createDerenderService(options: DerenderOptions): DerenderService {
  const environment = derenderEnvironment(options);
  const { streamStateKey: key } = options.settings;
  const responsesReader = reader(chatRequestOfResponses);
  let messagesReader: Promise<ToChatRequest> | undefined;
  const signer = key === null ? null : stateSigner(key);

  /** Checks the state's signature before anything else, and signs the new one, where the server has a key. */
  const signed = <Body extends { stream_state: StreamState | null }, Answer extends { stream_state: StreamState }>(
    body: Body,
    sentRequest: unknown,
    derender: (body: Body) => Answer,
  ): Answer => {
    if (!signer) return derender({ ...body, stream_state: body.stream_state && unsigned(body.stream_state) });
    const given = body.stream_state && signer.verify(body.stream_state, sentRequest);
    const answer = derender({ ...body, stream_state: given });
    return { ...answer, stream_state: signer.sign(answer.stream_state, sentRequest) };
  };

  return {
    chat: ({ body, request }) => derenderChat(environment, body, request),
    chatStream: ({ body, request, sentRequest }) =>
      signed(body, sentRequest, (checked) => derenderChatChunk(environment, checked, request, sentRequest)),
    completion: ({ body, request }) => derenderCompletion(environment, body, request),
    completionStream: ({ body, request, sentRequest }) =>
      signed(body, sentRequest, (checked) => derenderCompletionChunk(environment, checked, request)),
    messages: async ({ body, request }) => messageFromChat(await derenderChat(environment, withPromptCount(body), request)),
    messagesStream: ({ body, request, sentRequest }) =>
      signed(body, sentRequest, (checked) => {
        const { chunk, stream_state: state } = derenderChatChunk(environment, checked, request, sentRequest);
        const progress = state.message_stream ?? startMessageStream();
        const events = messageEvents(progress, chunk, chunkTokens(checked));
        return { events, stream_state: { ...state, message_stream: progress } };
      }),
    responses: async ({ body, request, sentRequest }) =>
      responseFromChat(await derenderChat(environment, withPromptCount(body), request), responsesContext(sentRequest)),
    responsesStream: ({ body, request, sentRequest }) =>
      signed(body, sentRequest, (checked) => {
        const { chunk, stream_state: state } = derenderChatChunk(environment, checked, request, sentRequest);
        const progress = state.response_stream ?? startResponseStream(chunk.id, chunk.created);
        const events = responseEvents(progress, chunk, responsesContext(sentRequest), chunkTokens(checked));
        return { events, stream_state: { ...state, response_stream: progress } };
      }),
    parseMessages: async (body) => {
      messagesReader ??= options.messagesToChat().then(reader);
      return parseMessagesDerender(body, await messagesReader);
    },
    parseResponses: (body) => parseResponsesDerender(body, responsesReader),
  };
}

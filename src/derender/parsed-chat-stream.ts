import type { CallDelta, ParsedDelta } from '../parsers/delta.ts';
import type { SessionFormats } from '../parsers/session.ts';
import type { ChatRequest } from '../protocol/chat-request.ts';
import type { ChatStreamDerender } from '../protocol/derender-chat.ts';
import type { GenerateChoice } from '../protocol/generate-response.ts';
import { emptyStreamState } from '../protocol/stream-state.ts';
import type { StreamState } from '../protocol/stream-state.ts';
import type { ChatChunkChoice, MessageDelta, ToolCallDelta } from './answers.ts';
import { streamParsing } from './chat-parsing.ts';
import type { ChatParsing } from './chat-parsing.ts';
import { decodeStep } from './decode-step.ts';
import { decodingOptions } from './decoding-options.ts';
import type { DecodingOptions } from './decoding-options.ts';
import type { DerenderEnvironment } from './environment.ts';
import { chatFinishReason } from './finish-reason.ts';
import { advanceContext } from './logprob-context.ts';
import { chatTopLimit, resolveLogprobs } from './logprobs.ts';
import { keepProgress, parserNames, resumeCompact, resumeHistory } from './parser-progress.ts';
import type { ParserProgress } from './parser-progress.ts';
import type { HistoryKey } from './snapshot-cache.ts';
import { packSnapshot } from './snapshot-text.ts';
import { windowOf, withWindow } from './stream-window.ts';

const NOTHING: ParsedDelta = { reasoning: null, content: null, toolCalls: [] };

/** Gives calls their ids: one that the state already knows for the index, the format's own, or a new one. */
function callDelta(parsing: ChatParsing, ids: Map<number, string>, call: CallDelta): ToolCallDelta {
  const { index, starts, name, arguments: text } = call;
  if (!starts) return { id: null, type: parsing.session.repeatsType ? 'function' : null, index, function: { name, arguments: text } };
  const id = ids.get(index) ?? call.id ?? parsing.callId(name ?? '', index);
  ids.set(index, id);
  return { id, type: 'function', index, function: { name, arguments: text } };
}

interface ChunkWork {
  environment: DerenderEnvironment;
  parsing: ChatParsing;
  request: ChatRequest;
  state: StreamState;
  progress: ParserProgress;
  options: DecodingOptions;
  /** Ids of calls by index, as far as the state tells. */
  callIds: Map<number, string>;
}

function messageDelta({ parsing, state, callIds }: ChunkWork, parsed: ParsedDelta): MessageDelta {
  const calls = parsing.keepsCalls ? parsed.toolCalls : [];
  if (calls.length > 0) state.tools_streamed = true;
  const shown = calls.filter(({ index }) => index === 0 || !parsing.firstCallOnly).map((call) => callDelta(parsing, callIds, call));
  const role = state.role_sent ? null : 'assistant';
  state.role_sent = true;
  const reasoning = parsing.includeReasoning ? parsed.reasoning : null;
  // As in the reference, empty content is not told where reasoning is hidden.
  const content = parsed.content === '' && !parsing.includeReasoning ? null : parsed.content;
  const citations = parsed.citations ? { citations: parsed.citations } : {};
  return { role, content, reasoning, ...(shown.length > 0 ? { tool_calls: shown } : {}), ...citations };
}

function chunkChoice(work: ChunkWork, choice: GenerateChoice): ChatChunkChoice {
  const { environment, parsing, request, state, progress, options } = work;
  const ids = choice.token_ids ?? [];
  const { pieces, stopReason } = decodeStep(environment, state, choice, options);
  const finished = choice.finish_reason !== null;
  const parsed = ids.length > 0 || finished ? parsing.session.push(progress.snapshot, pieces, finished) : NOTHING;
  progress.outputTokens += ids.length;
  const delta = messageDelta(work, parsed);

  // Logprobs and token ids would tell the reasoning that the client does not want to see.
  const hidesTokens = !parsing.includeReasoning;
  const context = state.logprob_context_token_ids;
  const logprobs =
    choice.logprobs && !hidesTokens ? resolveLogprobs(environment.tokenizer, choice.logprobs, chatTopLimit(request), context) : null;
  state.logprob_context_token_ids = advanceContext(context, ids);
  return {
    index: choice.index,
    delta,
    logprobs,
    finish_reason: finished ? chatFinishReason(choice.finish_reason, parsing.toolChoice, state.tools_streamed) : null,
    stop_reason: stopReason,
    token_ids: request.return_token_ids && !hidesTokens ? choice.token_ids : null,
    weight_versions: null,
  };
}

/** The ids that a state carries: all of them by index, or in a compact state only that of the call begun last. */
function knownCallIds({ last_tool_call_ids: ids, parser_state: compact }: StreamState): Map<number, string> {
  const first = compact ? Math.max(0, compact.tool_calls - ids.length) : 0;
  return new Map(ids.map((id, at) => [first + at, id]));
}

/** The state with the parsers' own states in place of the history. */
function compactState({ state, progress, callIds }: ChunkWork, formats: SessionFormats): StreamState {
  const toolCalls = callIds.size === 0 ? 0 : Math.max(...callIds.keys()) + 1;
  const openId = callIds.get(toolCalls - 1);
  return {
    ...state,
    output_token_ids: [],
    output_chunk_lens: progress.outputTokens > 0 ? [progress.outputTokens] : [],
    last_tool_call_ids: openId === undefined ? [] : [openId],
    parser_state: {
      parsers: parserNames(formats),
      snapshot: packSnapshot(progress.snapshot),
      prompt_tokens: progress.promptTokens,
      output_tokens: progress.outputTokens,
      tool_calls: toolCalls,
    },
  };
}

/** The state in the reference's form, with the whole history; the parsers' progress stays on this server, for the next chunk. */
function historyState(
  work: ChunkWork,
  given: StreamState,
  history: HistoryKey,
  { generate_chunk: chunk }: ChatStreamDerender,
): StreamState {
  const { environment, state, progress, callIds } = work;
  const [choice] = chunk.choices;
  const added = choice?.token_ids ?? [];
  const outputIds = [...history.outputIds, ...added];
  const chunkLens = added.length > 0 ? [...history.chunkLens, added.length] : [...history.chunkLens];
  // Behind the end there is nothing to go on with; and a last chunk without ids would leave its progress under the key of the chunk before.
  if (choice?.finish_reason === null)
    keepProgress(environment, { ...history, outputIds, chunkLens }, { ...progress, window: windowOf(state) });
  return {
    ...state,
    prev_tokens: given.prev_tokens,
    prefix_offset: given.prefix_offset,
    read_offset: given.read_offset,
    output_token_ids: outputIds,
    output_chunk_lens: chunkLens,
    last_tool_call_ids: [...callIds].sort(([a], [b]) => a - b).map(([, id]) => id),
  };
}

/**
 * One chunk of a chat stream on a server with parsers. The state comes back compact (the parsers' own states in place of the history), or with the whole
 * history where the server was started so.
 * @throws ApiError 400 for a state that these parsers cannot have written
 */
export function parsedChatStep(
  environment: DerenderEnvironment,
  formats: SessionFormats,
  body: ChatStreamDerender,
  request: ChatRequest,
  sentRequest: unknown,
): { choices: ChatChunkChoice[]; state: StreamState } {
  const given = body.stream_state ?? emptyStreamState();
  const carriesHistory = environment.settings.streamState === 'vllm' && !given.parser_state;
  if (carriesHistory && body.generate_chunk.choices.length === 0) return { choices: [], state: given };
  const parsing = streamParsing(environment, formats, request);
  const options = decodingOptions(request, true);
  const { output_token_ids: outputIds, output_chunk_lens: chunkLens } = given;
  const history = { request: sentRequest, promptIds: body.prompt_token_ids ?? [], outputIds, chunkLens };
  const progress = resumeCompact(parsing, formats, given) ?? resumeHistory(environment, parsing, history);
  const callIds = knownCallIds(given);
  const state: StreamState = { ...given };
  withWindow(state, progress.window);
  const work = { environment, parsing, request, state, progress, callIds, options };
  const choices = body.generate_chunk.choices.map((choice) => chunkChoice(work, choice));
  return { choices, state: carriesHistory ? historyState(work, given, history, body) : compactState(work, formats) };
}

import type { z } from 'zod';
import type { Vocabulary } from './vocabulary.ts';

/**
 * The text that one output token added, as the incremental detokenizer gives it: empty while a character is unfinished.
 * Parsers are fed token by token, so how tokens were grouped into chunks cannot change what they answer.
 */
export interface Piece {
  text: string;
  /** The id where the token is an added token of the tokenizer (a marker, mostly), else null. Such a piece's text is the token's own, or empty for the token that stopped generation. */
  tokenId: number | null;
}

/** A function that the model may call, from the request's `tools`. */
export interface ToolDefinition {
  name: string;
  description: string | null;
  /** JSON Schema of the arguments as sent, or null. */
  parameters: Readonly<Record<string, unknown>> | null;
}

/** What `tool_choice` asks for; null where the request says null. */
export type ToolChoice = 'auto' | 'none' | 'required' | { readonly name: string } | null;

/** All that a parser may know of its request and model. */
export interface ParserContext {
  vocabulary: Vocabulary;
  /** The text of token ids, special tokens shown: for the formats that read the prompt. */
  decode: (tokenIds: readonly number[]) => string;
  /** Ids of the tokenizer's named special tokens (`all_special_ids`). */
  specialIds: ReadonlySet<number>;
  /** Ids of the tokens that end a turn: the tokenizer's end token and those of the model's configuration. */
  endTokenIds: ReadonlySet<number>;
  tools: readonly ToolDefinition[];
  toolChoice: ToolChoice;
  /** The server's defaults under the request's, as they reached the template. */
  chatTemplateKwargs: Readonly<Record<string, unknown>>;
  /** `model_type` of config.json, empty where there is none. */
  modelType: string;
  /** `tokenizer_config.json`, for the formats that are configured there. */
  tokenizerConfig: Readonly<Record<string, unknown>>;
  /** Whether a reasoning parser runs in front of the tool parser. */
  hasReasoningParser: boolean;
  /** Whether a tool parser takes what the reasoning parser leaves. */
  hasToolParser: boolean;
  /** Tool calls of earlier turns, for ids that count through the conversation. */
  historyToolCalls: number;
  /** The reference decides a few things differently for complete answers; a format's file names each. */
  mode: 'one-shot' | 'stream';
}

/** A part of the answer that the model gave a source for. Offsets are code points of the text that the part stands in. */
export interface Citation {
  start: number;
  end: number;
  text: string;
  /** Sources by name: none where the model only counts them. */
  sources: readonly string[];
  type: 'TEXT_CONTENT' | 'THINKING_CONTENT';
}

/** Where a parser puts what it found, in the order of the text. */
export interface EventSink {
  content(text: string): void;
  /** The chunk has content even if it is empty, and even beside reasoning; only what shows deltas needs to know. */
  emptyContent?(): void;
  reasoning(text: string): void;
  /** A cited part of the answer ended here. Complete answers do not tell. */
  citation?(citation: Citation): void;
  /** Reasoning was closed within this chunk; only what shows deltas needs to know. */
  reasoningClosed?(): void;
  /** A call begins: its name is complete. `index` counts from 0 in one answer. `id` only where the format carries one. */
  toolStart(index: number, name: string, id?: string): void;
  /** More of the arguments' JSON text. */
  toolArguments(index: number, text: string): void;
  toolEnd(index: number): void;
  /** The output has ended; calls that follow are what was held. Only what shows deltas needs to know. */
  outputEnded?(): void;
}

/**
 * A parser for one request: pure functions over a state that is plain JSON (no class instances, no `undefined` members), so that
 * it can travel in `stream_state`. Text leaves the state once it is given out. Bad output never throws: it becomes content.
 */
export interface StreamParser<State> {
  /** Every delta of a call tells its type, not only the one that begins it. */
  repeatsType?: boolean;
  init(promptTokenIds: readonly number[]): State;
  push(state: State, piece: Piece, sink: EventSink): void;
  /** A chunk of a stream has ended. What an answer adds up to must not depend on it, only which delta gives what. */
  endChunk?(state: State, sink: EventSink): void;
  /** The output has ended: gives out everything still held. */
  finish(state: State, sink: EventSink): void;
}

/** Where a reasoning parser puts its findings: reasoning, or pieces that belong to the answer and go to the tool parser. */
export interface ReasoningSink {
  reasoning(text: string): void;
  /** Reasoning is closed: where its delta goes on with content, reasoning is told as empty rather than left out. */
  closed(): void;
  pass(piece: Piece): void;
}

/** A parser that only parts reasoning from the rest. */
export interface ReasoningParser<State> {
  /** The state after the prompt: reasoning may be open there, or already closed. */
  init(promptTokenIds: readonly number[]): State;
  push(state: State, piece: Piece, sink: ReasoningSink): void;
  /** A chunk of a stream has ended. */
  endChunk?(state: State): void;
  finish(state: State, sink: ReasoningSink): void;
  /** Reasoning is over for good: later pieces need not be shown to this parser. */
  ended(state: State): boolean;
}

/** Changes an answer's events on their way out, behind both parsers. */
export interface AnswerFilter<State> {
  stateSchema: z.ZodType<State>;
  init(): State;
  /** A sink that gives to `sink` what its events become. */
  through(state: State, sink: EventSink): EventSink;
  /** The output has ended: gives out everything still held. */
  finish(state: State, sink: EventSink): void;
}

/** A call of a complete answer; `arguments` is the JSON text as the model wrote it until a format's rule rewrites it. */
export interface ToolCall {
  name: string;
  arguments: string;
  id?: string;
}

/** A complete answer before the request's tool choice is applied. Null where there is none of a kind. */
export interface CompleteAnswer {
  reasoning: string | null;
  content: string | null;
  toolCalls: ToolCall[];
  /** `content` in parts: what stood before the first call, then after each call. */
  contentParts: string[];
  /** The whole text that the tool parser was shown, markers included. */
  text: string;
}

/** What a format may look at before the server starts. */
export interface FormatCheck {
  vocabulary: Pick<Vocabulary, 'size' | 'idToToken'>;
  tokenizerConfig: Readonly<Record<string, unknown>>;
  /** The names that the server's flags give; null where a flag is not given. */
  toolParser: string | null;
  reasoningParser: string | null;
}

interface FormatBase<State> {
  /** The reference's name; the one shown first. */
  name: string;
  /** Other names: the reference's and those of SGLang, Dynamo and smg. */
  aliases: readonly string[];
  /** One line for lists: the models that write it. */
  models: string;
  /** A short sample of the wire format. */
  sample: string;
  /** Changes whenever states of an older version cannot be read any more. */
  stateVersion: number;
  stateSchema: z.ZodType<State>;
  /** Texts that must be single tokens of the tokenizer, else the start is refused; they may depend on the model. */
  requiredTokens?: readonly string[] | ((model: FormatCheck) => readonly string[]);
  /** Refuses models that the format cannot be used with. @throws StartupError */
  check?(check: FormatCheck): void;
}

/**
 * How one chunk's deltas of one call are given: all in one entry (`merged`), the name in an entry of its own (`name-apart`), or all in one
 * entry but what follows arguments that the parser gave as empty (`empty-apart`).
 */
export type CallDeltas = 'merged' | 'name-apart' | 'empty-apart';

export interface ToolFormat<State = unknown> extends FormatBase<State> {
  kind: 'tool';
  create(context: ParserContext): StreamParser<State>;
  /** `json`: under tool choice `required` or named, the model writes a bare JSON list or bare arguments. `markup`: it writes its own format as ever. */
  forcedChoice: 'json' | 'markup';
  /** Under tool choice `none`: `content` shows the text as it is; `parse` still parses, and drops the calls. */
  whenNone: 'content' | 'parse';
  callDeltas: CallDeltas;
  /** Calls take ids that count through the conversation, where the model type has such; the calls of other formats have random ones. */
  countsIds?: boolean;
  /** Random ids of calls are nine letters and digits. */
  shortIds?: boolean;
  /** The fixed ways in which a complete answer differs from the sum of the stream. */
  complete?(answer: CompleteAnswer, context: ParserContext): void;
}

export interface ReasoningFormat<State = unknown> extends FormatBase<State> {
  kind: 'reasoning';
  create(context: ParserContext): ReasoningParser<State>;
  /**
   * The token that ends a turn is text where it did not stop the output, or where its finish reason comes in a later chunk, as in the
   * reference. It is left out `always` where the reference's own streams disagree, or behind a token behind which they do, and in complete
   * answers alone with `complete`, or where the function says so.
   */
  hidesEndToken?: 'always' | 'complete' | { after: string } | ((context: ParserContext) => boolean);
  /** Whether reasoning is over at the end of a rendered prompt (`reasoning_ended` of /render). */
  promptEnded(promptTokenIds: readonly number[], context: ParserContext): boolean;
  /** Under tool choice `none`, a tool parser behind it still parses, if it says so itself; otherwise calls are shown as text. */
  parsesWhenNone?: boolean;
  /** For formats that change content too, whatever tool parser gives it; null where the request needs none. */
  filter?(context: ParserContext): AnswerFilter<unknown> | null;
  complete?(answer: CompleteAnswer, context: ParserContext): void;
}

/** A format in which reasoning and calls cannot be parted: one parser for both flags' names. */
export interface UnifiedFormat<State = unknown> extends FormatBase<State> {
  kind: 'unified';
  /** Names under which it is registered as a tool parser and as a reasoning parser. */
  toolNames: readonly string[];
  reasoningNames: readonly string[];
  create(context: ParserContext): StreamParser<State>;
  promptEnded(promptTokenIds: readonly number[], context: ParserContext): boolean;
  forcedChoice: 'json' | 'markup';
  whenNone: 'content' | 'parse';
  callDeltas: CallDeltas;
  complete?(answer: CompleteAnswer, context: ParserContext): void;
}

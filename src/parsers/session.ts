import { z } from 'zod';
import type {
  CallDeltas,
  CompleteAnswer,
  EventSink,
  ParserContext,
  Piece,
  ReasoningFormat,
  ReasoningParser,
  ReasoningSink,
  StreamParser,
  ToolFormat,
  UnifiedFormat,
} from '../core/stream-parser.ts';
import { AnswerSink } from './answer.ts';
import { DeltaSink } from './delta.ts';
import type { ParsedDelta } from './delta.ts';
import { completeForced, createForcedParser, forcedState } from './family/forced-choice.ts';
import { createPlainParser } from './family/plain.ts';

/** The parsers that a server was started with. At least one member is not null; `unified` stands alone. */
export interface SessionFormats {
  tool: ToolFormat | null;
  reasoning: ReasoningFormat | null;
  unified: UnifiedFormat | null;
}

/** All that a session remembers between chunks: plain JSON. */
export interface SessionState {
  /** The reasoning parser's state; null once reasoning is over or where there is none. */
  reasoning: unknown;
  /** The tool (or unified) parser's state. */
  tool: unknown;
  /** The state of the reasoning format's filter; null where it has none. */
  filter: unknown;
  /** Tokens that end a turn are left out from here on. */
  hidesEnd: boolean;
}

/** Takes a complete output in slices. */
export interface CompleteRun {
  push(pieces: readonly Piece[]): void;
  finish(): CompleteAnswer;
}

/** Parses one answer, chunk by chunk or whole. Holds no state of its own: that is in SessionState. */
export interface ParserSession {
  /** The state before the first token. @param promptTokenIds the whole rendered prompt; reasoning may be open at its end */
  init(promptTokenIds: readonly number[]): SessionState;
  /** Parses one chunk and updates `state`. @param finished whether the output ends with this chunk */
  push(state: SessionState, pieces: readonly Piece[], finished: boolean): ParsedDelta;
  /** The same in slices, for long outputs: between them other work can be done. */
  completing(promptTokenIds: readonly number[]): CompleteRun;
  /** Parses a complete output, with the fixed ways in which complete answers differ from streams. */
  complete(pieces: readonly Piece[], promptTokenIds: readonly number[]): CompleteAnswer;
  /** Whether the ids of calls count through the conversation, where the model type has such ids. */
  readonly countsIds: boolean;
  /** Whether every delta of a call tells its type. */
  readonly repeatsType: boolean;
  /** Whether the ids of calls are short ones. */
  readonly shortIds: boolean;
  /** Checks a state that came back from a client. */
  readonly stateSchema: z.ZodType<SessionState>;
}

interface Chosen {
  parser: StreamParser<unknown>;
  schema: z.ZodType;
  callDeltas: CallDeltas;
  countsIds: boolean;
  shortIds: boolean;
  complete(answer: CompleteAnswer): void;
}

/** Behind a reasoning parser alone. */
const NO_TOOL_PARSER: Chosen = {
  parser: createPlainParser(true),
  schema: z.null(),
  callDeltas: 'merged',
  countsIds: false,
  shortIds: false,
  complete() {},
};
/** Tool choice `none`. */
const UNPARSED: Chosen = { ...NO_TOOL_PARSER, parser: createPlainParser(false) };
/** A chunk without tokens, as the last one of a stream may be. */
const NO_TOKENS: readonly Piece[] = [{ text: '', tokenId: null }];

function chooseToolParser(formats: SessionFormats, context: ParserContext): Chosen {
  const format = formats.unified ?? formats.tool;
  if (!format) return NO_TOOL_PARSER;
  const { toolChoice } = context;
  if (formats.tool) {
    const parses = format.whenNone === 'parse' && (formats.reasoning?.parsesWhenNone ?? formats.reasoning === null);
    if (toolChoice === 'none' && !parses) return UNPARSED;
    const forced = toolChoice === 'required' || (toolChoice !== null && typeof toolChoice === 'object');
    if (forced && format.forcedChoice === 'json') {
      const parser = createForcedParser(toolChoice) as StreamParser<unknown>;
      return {
        parser,
        schema: forcedState,
        callDeltas: 'merged',
        countsIds: true,
        shortIds: false,
        complete: (answer) => completeForced(answer, toolChoice),
      };
    }
  }
  const complete = (answer: CompleteAnswer): void => format.complete?.(answer, context);
  const countsIds = formats.tool === null || formats.tool.countsIds === true;
  const shortIds = formats.tool?.shortIds === true;
  return { parser: format.create(context), schema: format.stateSchema, callDeltas: format.callDeltas, countsIds, shortIds, complete };
}

/** Puts reasoning into the answer and shows the rest to the tool parser. */
class Pipe implements ReasoningSink {
  shown = '';
  private readonly parser: StreamParser<unknown>;
  private readonly state: SessionState;
  private readonly sink: EventSink;

  constructor(parser: StreamParser<unknown>, state: SessionState, sink: EventSink) {
    this.parser = parser;
    this.state = state;
    this.sink = sink;
  }

  reasoning(text: string): void {
    this.sink.reasoning(text);
  }

  closed(): void {
    this.sink.reasoningClosed?.();
  }

  pass(piece: Piece): void {
    this.shown += piece.text;
    this.parser.push(this.state.tool, piece, this.sink);
  }

  endChunk(): void {
    this.parser.endChunk?.(this.state.tool, this.sink);
  }

  finish(): void {
    this.parser.finish(this.state.tool, this.sink);
  }
}

/**
 * Composes the parsers of a server for one request.
 * @param formats at most one tool and one reasoning format, or one unified format
 */
export function createSession(formats: SessionFormats, context: ParserContext): ParserSession {
  const tool = chooseToolParser(formats, context);
  const reasoning: ReasoningParser<unknown> | null = formats.reasoning ? formats.reasoning.create(context) : null;
  const filter = formats.reasoning?.filter?.(context) ?? null;
  const hides = formats.reasoning?.hidesEndToken;
  const hidesAfter = typeof hides === 'object' ? context.vocabulary.tokenToId(hides.after) : undefined;
  const init = (promptTokenIds: readonly number[]): SessionState => {
    const open = reasoning?.init(promptTokenIds) ?? null;
    return {
      reasoning: reasoning?.ended(open) ? null : open,
      tool: tool.parser.init(promptTokenIds),
      filter: filter?.init() ?? null,
      hidesEnd: hides === 'always',
    };
  };

  const pipeFor = (state: SessionState, sink: EventSink): Pipe =>
    new Pipe(tool.parser, state, filter ? filter.through(state.filter, sink) : sink);

  const feed = (state: SessionState, pieces: readonly Piece[], pipe: Pipe): void => {
    for (const piece of pieces) {
      const { tokenId } = piece;
      if (tokenId !== null && tokenId === hidesAfter) state.hidesEnd = true;
      if (state.hidesEnd && tokenId !== null && context.endTokenIds.has(tokenId)) continue;
      if (reasoning && state.reasoning !== null) {
        reasoning.push(state.reasoning, piece, pipe);
        if (reasoning.ended(state.reasoning)) state.reasoning = null;
      } else {
        pipe.pass(piece);
      }
    }
  };

  const endChunk = (state: SessionState, finished: boolean, pipe: Pipe, sink: EventSink): void => {
    if (reasoning && state.reasoning !== null) {
      if (finished) reasoning.finish(state.reasoning, pipe);
      reasoning.endChunk?.(state.reasoning);
    }
    pipe.endChunk();
    if (!finished) return;
    pipe.finish();
    filter?.finish(state.filter, sink);
  };

  const completing = (promptTokenIds: readonly number[]): CompleteRun => {
    const state = init(promptTokenIds);
    state.hidesEnd ||= typeof hides === 'function' ? hides(context) : hides === 'complete';
    const sink = new AnswerSink();
    const pipe = pipeFor(state, sink);
    return {
      push: (pieces) => feed(state, pieces, pipe),
      finish(): CompleteAnswer {
        endChunk(state, true, pipe, sink);
        const answer = sink.result(pipe.shown);
        formats.reasoning?.complete?.(answer, context);
        tool.complete(answer);
        return answer;
      },
    };
  };

  return {
    init,
    push(state, pieces, finished): ParsedDelta {
      const sink = new DeltaSink(tool.callDeltas);
      const pipe = pipeFor(state, sink);
      feed(state, pieces.length > 0 ? pieces : NO_TOKENS, pipe);
      endChunk(state, finished, pipe, sink);
      return sink.result();
    },
    completing,
    complete(pieces, promptTokenIds): CompleteAnswer {
      const run = completing(promptTokenIds);
      run.push(pieces);
      return run.finish();
    },
    countsIds: tool.countsIds,
    repeatsType: tool.parser.repeatsType === true,
    shortIds: tool.shortIds,
    stateSchema: z.object({
      reasoning: formats.reasoning ? formats.reasoning.stateSchema.nullable() : z.null(),
      tool: tool.schema,
      filter: filter ? filter.stateSchema : z.null(),
      hidesEnd: z.boolean(),
    }),
  };
}

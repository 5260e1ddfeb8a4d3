import { z } from 'zod';
import type { EventSink, ParserContext, StreamParser } from '../../core/stream-parser.ts';
import { callObjectState, readCallObject, startCallObject } from './call-object.ts';
import type { CallObject } from './call-object.ts';
import { citedTextState, closeCitedText, endCitedChunk, readCitedText, startCitedText } from './cited-text.ts';
import type { CitedText, CitedTextSink } from './cited-text.ts';
import { createMarkedLexer } from './marked-lexer.ts';
import type { MarkedSink } from './marked-lexer.ts';
import { isBlank, stripStart } from './white-space.ts';

/** What the formats of Cohere's Command models differ in. */
export interface CohereProfile {
  /** Markers around the answer. */
  answerStarts: readonly string[];
  answerEnds: readonly string[];
  /** Text in front of any marker is reasoning if a marker follows it; otherwise it is the answer. */
  thinksFirst: boolean;
}

export interface CohereState {
  /** `undecided`: in front of any marker; `none`: behind a block, where text is dropped. */
  mode: 'undecided' | 'content' | 'reasoning' | 'action' | 'none';
  /** Text that may begin a marker. */
  held: string;
  /** Text that is undecided. */
  lead: string;
  /** White space in front of reasoning is dropped. */
  fresh: boolean;
  answer: CitedText;
  thinking: CitedText;
  /** The open call; null between calls. */
  object: CallObject | null;
  /** Its text until its name is known. */
  raw: string;
  /** Arguments that are not given out yet. */
  waiting: string;
  /** A marker in a string that ends the calls if no more of the string follows. */
  doubtful: string;
  calls: number;
}

export const cohereState: z.ZodType<CohereState> = z.object({
  mode: z.enum(['undecided', 'content', 'reasoning', 'action', 'none']),
  held: z.string(),
  lead: z.string(),
  fresh: z.boolean(),
  answer: citedTextState,
  thinking: citedTextState,
  object: callObjectState.nullable(),
  raw: z.string(),
  waiting: z.string(),
  doubtful: z.string(),
  calls: z.int().min(0),
});

const THINKING_START = '<|START_THINKING|>';
const THINKING_END = '<|END_THINKING|>';
const TURN = '<|CHATBOT_TOKEN|>';
const KEYS = { name: 'tool_name', arguments: ['parameters'], id: 'tool_call_id', stop: '' };
/** Longer text without any marker is given out as it comes, as reasoning. */
const MAX_LEAD = 2048;

/** Reads one piece. */
class Reading implements MarkedSink {
  private readonly state: CohereState;
  private readonly sink: EventSink;
  private readonly context: ParserContext;

  constructor(state: CohereState, sink: EventSink, context: ParserContext) {
    this.state = state;
    this.sink = sink;
    this.context = context;
  }

  marker(name: string, text: string): void {
    const { state } = this;
    if (name === '') return this.text(text);
    if (state.mode === 'action' && this.isInString()) {
      if (name !== 'action-end' || state.doubtful !== '') return this.text(text);
      state.doubtful = text;
      return;
    }
    this.endBlock();
    if (name === 'thinking-start') {
      state.mode = 'reasoning';
      state.fresh = true;
    } else if (name === 'action-start') state.mode = 'action';
    else state.mode = name === 'answer-start' || name === 'thinking-end' ? 'content' : 'none';
  }

  text(text: string): void {
    const { state } = this;
    if (state.mode === 'action') this.action(text);
    else if (state.mode === 'content') readCitedText(state.answer, text, this.answer());
    else if (state.mode === 'reasoning') this.reasoning(text);
    else if (state.mode === 'undecided') {
      state.lead += text;
      if (state.lead.length > MAX_LEAD) this.settle('reasoning');
    }
  }

  /** A chunk has ended. As in the reference, an opening brace and what ends in a backslash wait for what follows them. */
  endChunk(): void {
    const { state } = this;
    endCitedChunk(state.answer, state.held !== '', this.answer());
    endCitedChunk(state.thinking, state.held !== '', this.thinking());
    if (!state.waiting.endsWith('\\') && !/^\{\s*$/.test(state.waiting)) this.giveArguments();
  }

  /** The output has ended. A call whose name was cut off is none. */
  finish(): void {
    if (this.state.mode === 'undecided') this.settle('content');
    if (this.state.object && !this.state.object.begun) this.state.object = null;
    this.endBlock();
  }

  private endBlock(): void {
    const { state } = this;
    if (state.mode === 'undecided') this.settle('reasoning');
    if (state.mode === 'content') closeCitedText(state.answer, this.answer());
    else if (state.mode === 'reasoning') closeCitedText(state.thinking, this.thinking());
    else if (state.object) this.endCall();
    state.doubtful = '';
    state.fresh = false;
  }

  private settle(mode: 'content' | 'reasoning'): void {
    const { lead } = this.state;
    this.state.lead = '';
    this.state.mode = mode;
    this.text(lead);
  }

  private reasoning(text: string): void {
    const { state } = this;
    const rest = state.fresh ? stripStart(text) : text;
    if (rest === '') return;
    state.fresh = false;
    readCitedText(state.thinking, rest, this.thinking());
  }

  private isInString(): boolean {
    const { object, doubtful } = this.state;
    if (!object || doubtful !== '') return false;
    return object.mode === 'in-key' || (object.mode === 'in-value' && object.scan.inString);
  }

  /** Reads on in a list of calls; what stands between them is markup. */
  private action(text: string): void {
    const { state } = this;
    let rest = text;
    if (state.doubtful !== '') {
      if (isBlank(text)) {
        state.doubtful += text;
        return;
      }
      rest = state.doubtful + text;
      state.doubtful = '';
    }
    while (rest !== '') {
      if (!state.object) {
        const at = rest.indexOf('{');
        if (at === -1) return;
        rest = rest.slice(at);
        state.object = startCallObject();
        state.raw = '';
      }
      rest = rest.slice(this.readObject(state.object, rest));
    }
  }

  private readObject(object: CallObject, text: string): number {
    const { state } = this;
    const end = readCallObject(object, text, 0, KEYS, {
      name: (name, id) => this.begin(name, id),
      arguments: (part) => {
        state.waiting += part;
      },
    });
    if (!object.begun) state.raw += text.slice(0, end);
    if (object.mode === 'done' || object.mode === 'broken') this.endCall();
    return end;
  }

  private begin(name: string, id?: string): void {
    const { state } = this;
    state.raw = '';
    state.waiting = '';
    if (id === undefined) this.sink.toolStart(state.calls, name);
    else this.sink.toolStart(state.calls, name, id);
    state.calls += 1;
  }

  private giveArguments(): void {
    const { state } = this;
    if (state.waiting !== '') this.sink.toolArguments(state.calls - 1, state.waiting);
    state.waiting = '';
  }

  private endCall(): void {
    const { state } = this;
    if (state.object?.begun) {
      this.giveArguments();
      this.sink.toolEnd(state.calls - 1);
    } else {
      readCitedText(state.answer, state.raw, this.answer());
      closeCitedText(state.answer, this.answer());
    }
    state.object = null;
    state.raw = '';
  }

  private answer(): CitedTextSink {
    return {
      text: (text) => this.sink.content(text),
      citation: (citation) => this.sink.citation?.({ ...citation, type: 'TEXT_CONTENT' }),
    };
  }

  private thinking(): CitedTextSink {
    return {
      text: (text) => this.sink.reasoning(text),
      citation: (citation) => {
        if (this.context.mode === 'stream') this.sink.citation?.({ ...citation, type: 'THINKING_CONTENT' });
      },
    };
  }
}

/** The last of the markers of turns and reasoning in a prompt; ends of reasoning are passed over if they do not count. */
function lastMarker(promptTokenIds: readonly number[], endsCount: boolean, { vocabulary }: ParserContext): string | undefined {
  const markers = endsCount ? [THINKING_START, THINKING_END, TURN] : [THINKING_START, TURN];
  const byId = new Map(markers.map((token) => [vocabulary.tokenToId(token), token]));
  const last = promptTokenIds.findLast((id) => byId.has(id));
  return last === undefined ? undefined : byId.get(last);
}

/** Whether reasoning was closed at the end of a prompt. An end in a turn without a beginning is none. */
export function coherePromptEnded(promptTokenIds: readonly number[], context: ParserContext): boolean {
  return lastMarker(promptTokenIds, true, context) === THINKING_END && lastMarker(promptTokenIds, false, context) !== TURN;
}

/** Cohere's Command models: reasoning, calls and the answer in blocks of their own. */
export function createCohereParser(profile: CohereProfile, context: ParserContext): StreamParser<CohereState> {
  const markers = {
    spellings: {
      'thinking-start': [THINKING_START],
      'thinking-end': [THINKING_END],
      'answer-start': profile.answerStarts,
      'answer-end': profile.answerEnds,
      'action-start': ['<|START_ACTION|>'],
      'action-end': ['<|END_ACTION|>'],
    },
    byToken: [],
  };
  const lexer = createMarkedLexer(markers, context);
  const first = profile.thinksFirst ? 'undecided' : 'content';
  return {
    init: (promptTokenIds) => ({
      mode: lastMarker(promptTokenIds, true, context) === THINKING_START ? 'reasoning' : first,
      held: '',
      lead: '',
      fresh: false,
      answer: startCitedText(),
      thinking: startCitedText(),
      object: null,
      raw: '',
      waiting: '',
      doubtful: '',
      calls: 0,
    }),
    push(state, piece, sink): void {
      state.held = lexer.push(state.held, piece, new Reading(state, sink, context));
    },
    endChunk: (state, sink) => new Reading(state, sink, context).endChunk(),
    finish(state, sink): void {
      const reading = new Reading(state, sink, context);
      lexer.flush(state.held, reading);
      state.held = '';
      reading.finish();
    },
  };
}

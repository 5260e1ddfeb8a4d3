import { z } from 'zod';
import type { AnswerFilter, EventSink, ParserContext, ReasoningFormat, ReasoningParser, ReasoningSink } from '../../core/stream-parser.ts';
import { ForwardingSink } from '../family/answer-filters.ts';
import { GEMMA_MARKERS, gemmaReasoningRules } from '../family/gemma-markers.ts';
import { createMarkedReasoning, markedPromptEnded, markedReasoningState } from '../family/marked-reasoning.ts';
import type { MarkedReasoningState } from '../family/marked-reasoning.ts';

/** The channel's name, in front of reasoning. */
const CHANNEL = 'thought\n';

/** Reasoning as far as it may be the channel's name; null behind that. */
interface ChannelName {
  begun: string | null;
}

class ChannelNameSink extends ForwardingSink {
  private readonly state: ChannelName;

  constructor(state: ChannelName, sink: EventSink) {
    super(sink);
    this.state = state;
  }

  override reasoning(text: string): void {
    const { state } = this;
    if (state.begun === null) return super.reasoning(text);
    const all = state.begun + text;
    if (CHANNEL.startsWith(all) && all !== CHANNEL) {
      state.begun = all;
      return;
    }
    state.begun = null;
    const rest = all.startsWith(CHANNEL) ? all.slice(CHANNEL.length) : all;
    if (rest !== '') super.reasoning(rest);
  }

  /** The output has ended. */
  end(): void {
    const { begun } = this.state;
    if (begun !== null && begun !== '' && begun !== CHANNEL.trim()) super.reasoning(begun);
    this.state.begun = null;
  }
}

const withoutChannelName: AnswerFilter<unknown> = {
  stateSchema: z.object({ begun: z.string().nullable() }),
  init: () => ({ begun: '' }) satisfies ChannelName,
  through: (state, sink) => new ChannelNameSink(state as ChannelName, sink),
  finish: (state, sink) => new ChannelNameSink(state as ChannelName, sink).end(),
};

interface GemmaReasoningState {
  /** The output's text so far, while it may be the channel's name without its marker; null behind that. */
  lead: string | null;
  inner: MarkedReasoningState;
}

function create(context: ParserContext): ReasoningParser<GemmaReasoningState> {
  const parser = createMarkedReasoning(GEMMA_MARKERS, gemmaReasoningRules(context), context);

  const endLead = (state: GemmaReasoningState, text: string, sink: ReasoningSink): void => {
    state.lead = null;
    if (text.startsWith(CHANNEL)) state.inner.mode = 'reasoning';
    if (text !== '') parser.push(state.inner, { text, tokenId: null }, sink);
  };

  return {
    init(promptTokenIds): GemmaReasoningState {
      const inner = parser.init(promptTokenIds);
      // Whatever the prompt says, models may open a channel.
      return { lead: inner.mode === 'content' ? '' : null, inner: { ...inner, phase: 'open' } };
    },
    push(state, piece, sink): void {
      if (state.lead === null) return parser.push(state.inner, piece, sink);
      const text = piece.tokenId === null ? state.lead + piece.text : state.lead;
      if (piece.tokenId === null && text.length < CHANNEL.length && CHANNEL.startsWith(text)) {
        state.lead = text;
        return;
      }
      endLead(state, text, sink);
      if (piece.tokenId !== null) parser.push(state.inner, piece, sink);
    },
    endChunk: (state) => parser.endChunk?.(state.inner),
    finish(state, sink): void {
      if (state.lead !== null) endLead(state, state.lead, sink);
      parser.finish(state.inner, sink);
    },
    ended: (state) => parser.ended(state.inner),
  };
}

/**
 * Gemma 4: reasoning in a channel; a call ends it too. What stands outside of it is content; white space at its end is dropped.
 *
 *     <|channel>thought
 *     Let me see.<channel|>It is 4.
 *
 * Specified by the models' chat template. Output that begins with the channel's name is reasoning without a marker too. Other than the
 * reference: channels are read where no tool parser follows too, and reasoning whose opening marker is missing is content in complete
 * answers too, as it is in streams.
 */
export const gemma4Reasoning: ReasoningFormat<GemmaReasoningState> = {
  kind: 'reasoning',
  name: 'gemma4',
  aliases: [],
  models: 'Gemma 4',
  sample: '<|channel>thought\nLet me see.<channel|>It is 4.',
  stateVersion: 1,
  stateSchema: z.object({ lead: z.string().nullable(), inner: markedReasoningState }),
  parsesWhenNone: true,
  create,
  filter: () => withoutChannelName,
  hidesEndToken: 'complete',
  promptEnded: (promptTokenIds, context) => markedPromptEnded(promptTokenIds, GEMMA_MARKERS, gemmaReasoningRules(context), context),
};

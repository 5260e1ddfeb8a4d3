import { z } from 'zod';
import type { AnswerFilter, EventSink, ParserContext, ReasoningFormat } from '../../core/stream-parser.ts';
import { ForwardingSink } from '../family/answer-filters.ts';
import { escapedNewlinesState, recoverNewlines } from '../family/escaped-newlines.ts';
import type { EscapedNewlines } from '../family/escaped-newlines.ts';
import { withSteps } from '../family/marked-format.ts';
import type { MarkedFormat, Step } from '../family/marked-format.ts';
import type { MarkedReasoningState } from '../family/marked-reasoning.ts';
import { firstMarker, heldTailOf } from '../family/marker-scan.ts';
import { qwen3ReasoningFormat } from '../family/qwen3-format.ts';
import { qwen3Markers } from '../family/qwen3-markers.ts';
import { enablesThinking } from '../family/thinking-switch.ts';

const TURN_END = '<|im_end|>';
const RESERVED = [12, 13, 14, 15];
const RESERVED_TEXTS = RESERVED.map((number) => `<reserved_${number}>`);
const RESERVED_TOKENS = RESERVED.map((number) => `<|reserved_${number}|>`);

function markers(context: ParserContext): MarkedFormat {
  const base = qwen3Markers(enablesThinking(context.chatTemplateKwargs));
  const mute = new Map<string, readonly string[]>([
    [TURN_END, [TURN_END]],
    ...RESERVED_TOKENS.map((token): [string, readonly string[]] => [token, [token]]),
    ['reserved', RESERVED_TEXTS],
  ]);
  const staying = (mode: 'content' | 'reasoning'): Record<string, Step> =>
    Object.fromEntries(Array.from(mute.keys(), (name) => [name, { to: mode }]));
  return {
    ...base,
    markers: {
      spellings: { ...base.markers.spellings, ...Object.fromEntries(mute) },
      byToken: [...base.markers.byToken, TURN_END, ...RESERVED_TOKENS],
    },
    steps: withSteps(base.steps, { content: staying('content'), reasoning: staying('reasoning') }),
  };
}

interface Cleaning {
  reasoning: EscapedNewlines;
  content: EscapedNewlines;
  /** Text that may begin a reserved marker. */
  held: string;
  /** A reserved marker was found: turn ends are none of the content's either. */
  marked: boolean;
}

/** Takes reserved markers out of content, and recovers newlines in content and reasoning, but not in arguments. */
class CleaningSink extends ForwardingSink {
  private readonly state: Cleaning;

  constructor(state: Cleaning, sink: EventSink) {
    super(sink);
    this.state = state;
  }

  override content(text: string): void {
    this.endReasoning();
    if (text === '') return;
    const { state } = this;
    let rest = state.held + text;
    let kept = '';
    for (;;) {
      const sought = [...RESERVED_TEXTS, ...RESERVED_TOKENS, ...(state.marked ? [TURN_END] : [])];
      const hit = firstMarker(rest, sought);
      const end = hit ? hit.at : rest.length - heldTailOf(rest, sought);
      kept += rest.slice(0, end);
      rest = rest.slice(end + (hit?.marker.length ?? 0));
      if (!hit) break;
      state.marked = true;
    }
    state.held = rest;
    this.give(recoverNewlines(state.content, kept));
  }

  override reasoning(text: string): void {
    const recovered = recoverNewlines(this.state.reasoning, text);
    if (recovered !== '') super.reasoning(recovered);
  }

  override toolStart(index: number, name: string, id?: string): void {
    this.endReasoning();
    super.toolStart(index, name, id);
  }

  finish(): void {
    const { state } = this;
    this.endReasoning();
    this.give(recoverNewlines(state.content, state.held) + state.content.held);
    state.held = '';
    state.content.held = '';
  }

  private endReasoning(): void {
    const { reasoning } = this.state;
    if (reasoning.held !== '') super.reasoning(reasoning.held);
    reasoning.held = '';
  }

  private give(text: string): void {
    if (text !== '') super.content(text);
  }
}

const cleaning: AnswerFilter<unknown> = {
  stateSchema: z.object({ reasoning: escapedNewlinesState, content: escapedNewlinesState, held: z.string(), marked: z.boolean() }),
  init: () =>
    ({ reasoning: { closing: null, held: '' }, content: { closing: null, held: '' }, held: '', marked: false }) satisfies Cleaning,
  through: (state, sink) => new CleaningSink(state as Cleaning, sink),
  finish: (state, sink) => new CleaningSink(state as Cleaning, sink).finish(),
};

/**
 * MiniCPM-V: reasoning as in qwen3. The models write newlines as a backslash and an `n`, and reserved markers; both are mended in
 * reasoning and content. Calls are in the format of qwen3_coder.
 *
 *     <think>
 *     Let me see.
 *     </think>
 *
 *     It is 4.
 *
 * Specified by the models' chat template. Other than the reference: reserved markers are left out of streamed content too.
 */
export const minicpmv: ReasoningFormat<MarkedReasoningState> = qwen3ReasoningFormat(
  {
    name: 'minicpmv',
    aliases: ['minicpm_v'],
    models: 'MiniCPM-V',
    sample: '<think>\nLet me see.\n</think>\n\nIt is 4.',
  },
  { markers, thinks: () => true, turnTokens: [], filter: () => cleaning },
);

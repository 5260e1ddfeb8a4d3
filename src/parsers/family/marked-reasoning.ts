import { z } from 'zod';
import type { ParserContext, Piece, ReasoningParser, ReasoningSink } from '../../core/stream-parser.ts';
import type { MarkedFormat } from './marked-format.ts';
import { UNKNOWN_SPECIAL, createMarkedLexer } from './marked-lexer.ts';
import { holdEnd } from './white-space.ts';

/** What the reasoning parsers of marked formats differ in. */
export interface MarkedReasoningRules {
  /** White space at the end of reasoning is dropped. */
  stripsEnd: boolean;
  /** Newlines right behind reasoning are dropped. */
  dropsNewlines: boolean;
  /** Tokens that begin a turn: markers in front of the last one belong to earlier turns. */
  turnTokens: readonly string[];
  /** Reasoning may come although the format starts with content. */
  awaits?: boolean;
  /** A prompt that ends inside reasoning opens it. */
  opensInPrompt?: boolean;
}

export interface MarkedReasoningState {
  /** Text that may begin a marker. */
  held: string;
  mode: 'content' | 'reasoning';
  /**
   * `newlines`: reasoning is closed, and newlines are dropped. `done`: a tool parser reads on. Where there is none, `over-here`:
   * reasoning was closed in this chunk; `over`: in an earlier one; `closed-again`: it was closed once more since.
   */
  phase: 'open' | 'newlines' | 'over-here' | 'over' | 'closed-again' | 'done';
  /** White space that ends reasoning so far. */
  trailing: string;
}

export const markedReasoningState: z.ZodType<MarkedReasoningState> = z.object({
  held: z.string(),
  mode: z.enum(['content', 'reasoning']),
  phase: z.enum(['open', 'newlines', 'over-here', 'over', 'closed-again', 'done']),
  trailing: z.string(),
});

function markerId(format: MarkedFormat, name: string, context: ParserContext): number | undefined {
  const spelling = format.markers.byToken.includes(name) ? format.markers.spellings[name]?.[0] : undefined;
  return spelling === undefined ? undefined : context.vocabulary.tokenToId(spelling);
}

/**
 * Ids of the markers that end reasoning, calls' own included; none where one that leads to content is no token, since text alone
 * cannot be looked for in token ids.
 */
function endIds(format: MarkedFormat, context: ParserContext): ReadonlySet<number> {
  const ids = new Set<number>();
  for (const [name, step] of Object.entries(format.steps.reasoning ?? {})) {
    if (!step.does?.includes('end-reasoning')) continue;
    const id = markerId(format, name, context);
    if (id !== undefined) ids.add(id);
    else if (step.to === 'content') return new Set();
  }
  return ids;
}

/** Whether reasoning is over at the end of a prompt. Where the prompt says nothing, it is unless the format starts with it. */
export function markedPromptEnded(
  promptTokenIds: readonly number[],
  format: MarkedFormat,
  rules: MarkedReasoningRules,
  context: ParserContext,
): boolean {
  const ends = endIds(format, context);
  const start = markerId(format, 'think-start', context);
  const turns = new Set(rules.turnTokens.map((token) => context.vocabulary.tokenToId(token)));
  for (let at = promptTokenIds.length - 1; at >= 0; at -= 1) {
    const id = promptTokenIds[at] ?? -1;
    if (ends.has(id)) return true;
    if (id === start && format.steps[format.start]?.['think-start']?.to === 'reasoning') return false;
    if (id === start || turns.has(id)) break;
  }
  return format.start === 'content' && !rules.awaits;
}

/** The mode in which the output begins. */
function startMode(
  promptTokenIds: readonly number[],
  format: MarkedFormat,
  rules: MarkedReasoningRules,
  context: ParserContext,
): MarkedReasoningState['mode'] {
  const start = rules.opensInPrompt ? markerId(format, 'think-start', context) : undefined;
  const end = markerId(format, 'think-end', context);
  const last = promptTokenIds.findLast((id) => id === start || id === end);
  return last !== undefined && last === start ? 'reasoning' : format.start;
}

/**
 * The reasoning parser of a marked format. A marker of a call ends reasoning too, and is passed on; content in front of reasoning is
 * passed on as it comes. Where no tool parser follows, content is shown as it is, but for further ends of reasoning; special tokens are
 * left out behind such, and, as in the reference, in the chunk in which reasoning ended.
 */
export function createMarkedReasoning(
  format: MarkedFormat,
  rules: MarkedReasoningRules,
  context: ParserContext,
): ReasoningParser<MarkedReasoningState> {
  const lexer = createMarkedLexer(format.markers, context);
  const closed = context.hasToolParser ? 'done' : 'over-here';
  const { content = {}, reasoning = {}, preamble = {}, between = {} } = format.steps;
  // Markers that say nothing in content, but for those of calls: without a tool parser they are text.
  const mute = new Set(Object.keys(content).filter((name) => content[name]?.to === 'content' && !content[name].does));
  for (const name of [...Object.keys(preamble), ...Object.keys(between)]) mute.delete(name);
  mute.add(UNKNOWN_SPECIAL);

  const give = (state: MarkedReasoningState, text: string, sink: ReasoningSink): void => {
    if (!rules.stripsEnd) return sink.reasoning(text);
    const [given, held] = holdEnd(state.trailing, text);
    state.trailing = held;
    if (given !== '') sink.reasoning(given);
  };

  /** What stands behind reasoning, where no tool parser reads it or newlines are dropped. */
  const passRest = (state: MarkedReasoningState, piece: Piece, sink: ReasoningSink): void => {
    const name = lexer.nameOf(piece.tokenId);
    const isMute = name !== undefined && mute.has(name);
    const closes = isMute && reasoning[name]?.to === 'content';
    if (state.phase === 'newlines') {
      const text = isMute ? '' : piece.text.replace(/^\n+/, '');
      if (text === '') return;
      state.phase = closed;
      sink.pass({ ...piece, text });
    } else if (closes) state.phase = 'closed-again';
    else if (!isMute || state.phase === 'over') sink.pass(piece);
  };

  const onText = (state: MarkedReasoningState, text: string, sink: ReasoningSink): void => {
    if (state.phase === 'open' && state.mode === 'reasoning') give(state, text, sink);
    else if (state.phase === 'newlines') passRest(state, { text, tokenId: null }, sink);
    else sink.pass({ text, tokenId: null });
  };

  const onMarker = (state: MarkedReasoningState, name: string, piece: Piece, sink: ReasoningSink): void => {
    const step = state.phase === 'open' ? format.steps[state.mode]?.[name] : undefined;
    if (!step) {
      if (name === UNKNOWN_SPECIAL && !context.hasToolParser) return;
      if (state.phase !== 'open' || state.mode === 'content') sink.pass(piece);
      else if (name !== UNKNOWN_SPECIAL && piece.text !== '') give(state, piece.text, sink);
      return;
    }
    const toCalls = step.to !== 'content' && step.to !== 'reasoning';
    if (toCalls) state.mode = 'content';
    else state.mode = step.to === 'reasoning' ? 'reasoning' : 'content';
    if (!toCalls && !step.does?.includes('end-reasoning')) return;
    state.phase = rules.dropsNewlines && !toCalls ? 'newlines' : closed;
    if (toCalls) sink.pass(piece);
  };

  return {
    init: (promptTokenIds) => ({
      held: '',
      mode: startMode(promptTokenIds, format, rules, context),
      phase: markedPromptEnded(promptTokenIds, format, rules, context) ? 'done' : 'open',
      trailing: '',
    }),
    push(state, piece, sink): void {
      if (state.phase !== 'open') return passRest(state, piece, sink);
      const { tokenId } = piece;
      state.held = lexer.push(state.held, piece, {
        marker: (name, text) => onMarker(state, name, { text, tokenId: text === piece.text ? tokenId : null }, sink),
        text: (text) => onText(state, text, sink),
      });
      if (state.phase === 'open' || state.held === '') return;
      // What may begin a marker is the tool parser's to hold.
      const rest = { text: state.held, tokenId: null };
      state.held = '';
      passRest(state, rest, sink);
    },
    endChunk(state): void {
      if (state.phase === 'over-here') state.phase = 'over';
    },
    finish(state, sink): void {
      lexer.flush(state.held, {
        marker: (name, text) => onMarker(state, name, { text, tokenId: null }, sink),
        text: (text) => onText(state, text, sink),
      });
      state.held = '';
    },
    ended: (state) => state.phase === 'done',
  };
}

import { z } from 'zod';
import type { EventSink, ParserContext, Piece, StreamParser } from '../../core/stream-parser.ts';
import { argumentPairsState, cutPairs, readPairs, startPairs } from './argument-pairs.ts';
import type { ArgumentPairs, PairRules, PairSink, PairTags } from './argument-pairs.ts';
import { hunyuanJson, isHunyuanText } from './hunyuan-values.ts';
import { heldTail } from './marker-scan.ts';
import { ownMember, propertiesOf } from './schema-coercion.ts';

/** How a version writes its calls. */
export interface HunyuanDialect {
  /** What all its tags end with, in front of the bracket. */
  suffix: string;
  /** The tag between name and arguments, if there is one. */
  separator: string | null;
  /** A value's closing tag may be a part of the value. */
  doubts: boolean;
  /** The section's opening tag may come as text. */
  bySpelling: boolean;
  /** Where a call ends in a chunk, the next one's name waits for another. */
  waits: boolean;
}

/** What of a call was not given out yet: the reference gives the name out when its chunk ends, the arguments one chunk later. */
interface Waiting {
  name: string | null;
  json: string;
}

export interface HunyuanCalls {
  inSection: boolean;
  /** The section's text while there is no call in it. */
  lead: string;
  /** Text that may be the beginning of a tag. */
  rest: string;
  name: string;
  pairs: ArgumentPairs | null;
  waiting: Waiting;
  /** In this chunk: text before the section was shown; a call ended. */
  shown: boolean;
  ended: boolean;
  calls: number;
}

export const hunyuanCallsState: z.ZodType<HunyuanCalls> = z.object({
  inSection: z.boolean(),
  lead: z.string(),
  rest: z.string(),
  name: z.string(),
  pairs: argumentPairsState.nullable(),
  waiting: z.object({ name: z.string().nullable(), json: z.string() }),
  shown: z.boolean(),
  ended: z.boolean(),
  calls: z.int().min(0),
});

function pairTags({ suffix, separator }: HunyuanDialect): PairTags {
  return {
    nameEnd: separator,
    callEnd: `</tool_call${suffix}>`,
    keyStart: `<arg_key${suffix}>`,
    keyEnd: `</arg_key${suffix}>`,
    valueStart: `<arg_value${suffix}>`,
    valueEnd: `</arg_value${suffix}>`,
  };
}

/** Reads the section of calls that ends an answer; what stands in it beside the calls, and behind it, is nothing. */
export function createHunyuanCalls(dialect: HunyuanDialect, context: ParserContext): StreamParser<HunyuanCalls> {
  const tags = pairTags(dialect);
  const sectionStart = `<tool_calls${dialect.suffix}>`;
  const sectionId = context.vocabulary.tokenToId(sectionStart);
  const callStart = `<tool_call${dialect.suffix}>`;

  const rulesOf = (state: HunyuanCalls): PairRules => {
    const schemaOf = (key: string): unknown => ownMember(propertiesOf(context.tools, state.name), key);
    return {
      tags,
      opensAtOnce: true,
      doubts: dialect.doubts,
      isText: (key) => isHunyuanText(schemaOf(key)),
      toJson: (text, key) => hunyuanJson(text, schemaOf(key)),
    };
  };

  const sinkOf = ({ waiting }: HunyuanCalls, state: HunyuanCalls): PairSink => ({
    name(name) {
      state.name = name;
      waiting.name = name;
    },
    write(json) {
      waiting.json += json;
    },
  });

  const give = (state: HunyuanCalls, what: 'name' | 'arguments' | 'all', sink: EventSink): void => {
    const { waiting } = state;
    if (what !== 'arguments' && waiting.name !== null) {
      sink.toolStart(state.calls, waiting.name);
      waiting.name = null;
    }
    if (what === 'name' || waiting.json === '') return;
    sink.toolArguments(state.calls, waiting.json);
    waiting.json = '';
  };

  /** Reads as far as a call's beginning or end; answers what is left. */
  const step = (state: HunyuanCalls, text: string, sink: EventSink): string | null => {
    if (!state.pairs) {
      const at = text.indexOf(callStart);
      if (at === -1) {
        const held = heldTail(text, callStart);
        if (state.calls === 0) state.lead += text.slice(0, text.length - held);
        state.rest = text.slice(text.length - held);
        return null;
      }
      state.pairs = startPairs();
      return text.slice(at + callStart.length);
    }
    const rest = readPairs(state.pairs, text, rulesOf(state), sinkOf(state, state));
    if (rest === null) return null;
    give(state, 'all', sink);
    sink.toolEnd(state.calls);
    state.calls += 1;
    state.pairs = null;
    state.lead = '';
    state.ended = true;
    return rest;
  };

  const outside = (state: HunyuanCalls, piece: Piece, sink: EventSink): string | null => {
    if (!dialect.bySpelling) {
      state.inSection = piece.tokenId !== null && piece.tokenId === sectionId && piece.text !== '';
      if (!state.inSection && piece.text !== '') sink.content(piece.text);
      return null;
    }
    const text = state.rest + piece.text;
    const at = text.indexOf(sectionStart);
    const end = at === -1 ? text.length - heldTail(text, sectionStart) : at;
    state.inSection = at !== -1;
    state.rest = state.inSection ? '' : text.slice(end);
    if (end > 0) sink.content(text.slice(0, end));
    return state.inSection ? text.slice(at + sectionStart.length) : null;
  };

  return {
    init: () => ({
      inSection: false,
      lead: '',
      rest: '',
      name: '',
      pairs: null,
      waiting: { name: null, json: '' },
      shown: false,
      ended: false,
      calls: 0,
    }),
    push(state, piece, sink): void {
      state.shown = true;
      let rest: string | null = piece.text;
      if (!state.inSection) rest = outside(state, piece, sink);
      else {
        rest = state.rest + piece.text;
        state.rest = '';
      }
      while (rest !== null) rest = step(state, rest, sink);
    },
    endChunk(state, sink): void {
      // As in the reference, a chunk without text has empty content.
      if (state.shown && !state.inSection) sink.emptyContent?.();
      state.shown = false;
      if (state.waiting.name === null) give(state, 'arguments', sink);
      else if (!state.ended || !dialect.waits) give(state, 'name', sink);
      state.ended = false;
    },
    finish(state, sink): void {
      if (!state.inSection) {
        if (state.rest !== '') sink.content(state.rest);
      } else if (state.pairs) {
        cutPairs(state.pairs, rulesOf(state), sinkOf(state, state));
        give(state, 'all', sink);
      } else if (state.calls === 0) {
        sink.content(sectionStart + state.lead + state.rest);
      }
    },
  };
}

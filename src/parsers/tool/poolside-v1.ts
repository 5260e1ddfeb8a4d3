import { z } from 'zod';
import type { EventSink, ParserContext, Piece, StreamParser, ToolFormat } from '../../core/stream-parser.ts';
import { argumentPairsState, cutPairs, readPairs, startPairs } from '../family/argument-pairs.ts';
import type { ArgumentPairs, PairRules, PairSink } from '../family/argument-pairs.ts';
import { dropBlankContent } from '../family/complete-answer.ts';
import { looseJson } from '../family/loose-value.ts';
import { mergeRepeatedParameters } from '../family/marked-answer.ts';
import { heldTail } from '../family/marker-scan.ts';
import { isRecord, ownMember, propertiesOf } from '../family/schema-coercion.ts';
import { isBlank, strip } from '../family/white-space.ts';

/*
 * <tool_call>get_weather
 * <arg_key>city</arg_key>
 * <arg_value>Oslo</arg_value>
 * </tool_call>
 *
 * Written by Poolside's Laguna. Specified by the chat template.
 *
 * As in the reference: a parameter of type string is text and streams, any other value is JSON, a Python literal or else text. On purpose
 * unlike it: a value's closing tag may be a part of the value, text behind calls stays in complete answers too, white space between calls
 * is nothing, a call that was cut off stays a call in complete answers, and of a repeated parameter the last value counts.
 */

const CALL_START = '<tool_call>';
const TAGS = {
  nameEnd: '\n',
  callEnd: '</tool_call>',
  keyStart: '<arg_key>',
  keyEnd: '</arg_key>',
  valueStart: '<arg_value>',
  valueEnd: '</arg_value>',
};

interface PoolsideState {
  /** Outside of calls: text that may begin a tag, and behind a call white space that may only stand between two. */
  held: string;
  pairs: ArgumentPairs | null;
  name: string;
  calls: number;
  /** Text came behind the last call. */
  said: boolean;
}

const stateSchema: z.ZodType<PoolsideState> = z.object({
  held: z.string(),
  pairs: argumentPairsState.nullable(),
  name: z.string(),
  calls: z.int().min(0),
  said: z.boolean(),
});

function create({ tools }: ParserContext): StreamParser<PoolsideState> {
  const rulesOf = (state: PoolsideState): PairRules => ({
    tags: TAGS,
    opensAtOnce: false,
    doubts: true,
    isText(key) {
      const schema = ownMember(propertiesOf(tools, state.name), key);
      return isRecord(schema) && schema['type'] === 'string';
    },
    toJson: (text) => looseJson(strip(text)),
  });
  const sinkOf = (state: PoolsideState, sink: EventSink): PairSink => ({
    name(name) {
      state.name = name;
      if (name === '') return;
      sink.toolStart(state.calls, name);
      sink.toolArguments(state.calls, '');
    },
    write(json) {
      if (state.name !== '') sink.toolArguments(state.calls, json);
    },
  });
  const give = (state: PoolsideState, text: string, sink: EventSink): void => {
    if (text === '') return;
    sink.content(text);
    state.said = true;
  };

  /** Reads as far as a call's beginning or end; answers what is left. */
  const step = (state: PoolsideState, text: string, sink: EventSink): string | null => {
    if (state.pairs) {
      const rest = readPairs(state.pairs, text, rulesOf(state), sinkOf(state, sink));
      if (rest === null) return null;
      if (state.name === '') give(state, CALL_START + TAGS.callEnd, sink);
      else {
        sink.toolEnd(state.calls);
        state.calls += 1;
        state.said = false;
      }
      state.pairs = null;
      return rest;
    }
    const at = text.indexOf(CALL_START);
    const end = at === -1 ? text.length - heldTail(text, CALL_START) : at;
    const waits = !state.said && state.calls > 0 && isBlank(text.slice(0, end));
    if (!waits) give(state, text.slice(0, end), sink);
    if (at === -1) {
      state.held = waits ? text : text.slice(end);
      return null;
    }
    state.pairs = startPairs();
    return text.slice(at + CALL_START.length);
  };

  return {
    init: () => ({ held: '', pairs: null, name: '', calls: 0, said: false }),
    push(state: PoolsideState, piece: Piece, sink: EventSink): void {
      let rest: string | null = state.held + piece.text;
      state.held = '';
      while (rest !== null) rest = step(state, rest, sink);
    },
    finish(state: PoolsideState, sink: EventSink): void {
      if (state.pairs) cutPairs(state.pairs, rulesOf(state), sinkOf(state, sink));
      else if (!isBlank(state.held) || state.calls === 0) give(state, state.held, sink);
    },
  };
}

export const poolsideV1: ToolFormat<PoolsideState> = {
  kind: 'tool',
  name: 'poolside_v1',
  aliases: [],
  models: 'Laguna',
  sample: '<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>Oslo</arg_value>\n</tool_call>',
  stateVersion: 1,
  stateSchema,
  create,
  forcedChoice: 'markup',
  whenNone: 'content',
  callDeltas: 'merged',
  complete(answer, context) {
    mergeRepeatedParameters(answer);
    dropBlankContent(answer, context);
  },
};

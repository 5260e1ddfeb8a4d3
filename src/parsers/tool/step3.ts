import { z } from 'zod';
import { dumps } from '../../core/python-json.ts';
import type { PythonValue } from '../../core/python-json.ts';
import type { EventSink, ParserContext, Piece, StreamParser, ToolCall, ToolFormat } from '../../core/stream-parser.ts';
import { elementsOf } from '../family/elements.ts';
import { giveCall } from '../family/held-call.ts';
import { stripContentBesideCalls } from '../family/marked-answer.ts';
import { firstMarker, heldTailOf } from '../family/marker-scan.ts';
import { floatOfText, integerOfText } from '../family/python-number-text.ts';
import { isRecord, ownMember, propertiesOf } from '../family/schema-coercion.ts';
import { isBlank, strip, stripStart } from '../family/white-space.ts';

/*
 * <｜tool_calls_begin｜>
 * <｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="get_weather"><steptml:parameter name="city">Oslo</steptml:parameter>
 * </steptml:invoke><｜tool_call_end｜>
 * <｜tool_calls_end｜>
 *
 * Written by StepFun's Step 3. Specified by the chat template.
 *
 * As in the reference: values are stripped and take the type of their schema if it is a plain one, else they are text; only calls of type
 * `function` are calls; the first closing tag ends a value; text around the section is content. On purpose unlike it: each call is given
 * out as a whole at its end, a section that is not closed loses nothing, what is no call is content in streams too.
 */

const SECTION = '<｜tool_calls_begin｜>';
const SECTION_END = '<｜tool_calls_end｜>';
const CALL = '<｜tool_call_begin｜>';
const CALL_END = '<｜tool_call_end｜>';
const SEPARATOR = '<｜tool_sep｜>';
const INVOKE = /<steptml:invoke name="([^"]+)">/;
const PARAMETER = /<steptml:parameter name="([^"]+)">/g;

interface Step3State {
  mode: 'text' | 'section' | 'call' | 'over';
  /** Text that may be the beginning of a marker. */
  held: string;
  /** What of the section was read and not given out; in a call it begins with the call's marker if others came before. */
  raw: string;
  /** The call so far, behind its marker. */
  call: string;
  calls: number;
  /** In this chunk: text in front of the section was given out. */
  said: boolean;
  /** Nothing has come behind a section without calls. */
  failed: boolean;
}

const stateSchema: z.ZodType<Step3State> = z.object({
  mode: z.enum(['text', 'section', 'call', 'over']),
  held: z.string(),
  raw: z.string(),
  call: z.string(),
  calls: z.int().min(0),
  said: z.boolean(),
  failed: z.boolean(),
});

function valueOf(text: string, schema: unknown): PythonValue {
  const word = text.toLowerCase();
  switch (isRecord(schema) ? schema['type'] : undefined) {
    case 'integer':
      return integerOfText(text) ?? text;
    case 'number':
      return floatOfText(text) ?? text;
    case 'boolean':
      return word === 'true' || word === 'false' ? word === 'true' : text;
    case 'null':
      return word === 'null' ? null : text;
    default:
      return text;
  }
}

function readCall(text: string, { tools }: ParserContext): ToolCall | null {
  const [type = '', ...rest] = text.split(SEPARATOR);
  const invoke = rest.join(SEPARATOR);
  const name = INVOKE.exec(invoke)?.[1];
  if (strip(type) !== 'function' || name === undefined) return null;
  const properties = propertiesOf(tools, name);
  const values = new Map<string, PythonValue>();
  for (const { groups, body } of elementsOf(invoke, PARAMETER, '</steptml:parameter>')) {
    const key = groups[0] ?? '';
    values.set(key, valueOf(strip(body), ownMember(properties, key)));
  }
  return { name, arguments: dumps(values) };
}

const MARKERS = { text: [SECTION], section: [CALL, SECTION_END], call: [CALL_END, SECTION_END], over: [] };

function take(state: Step3State, text: string, sink: EventSink): void {
  if (text === '') return;
  if (state.mode === 'text' || state.mode === 'over') {
    sink.content(text);
    state.said = true;
  }
  if (state.mode === 'section') state.raw += text;
  else if (state.mode === 'call') state.call += text;
}

/** Gives out as content what of the section is no call. */
function giveRaw(state: Step3State, raw: string, sink: EventSink): void {
  if (state.calls === 0 || !isBlank(raw)) sink.content(state.calls === 0 ? raw : stripStart(raw));
  state.raw = '';
}

function readMarker(state: Step3State, marker: string, context: ParserContext, sink: EventSink): void {
  if (marker === SECTION) {
    state.mode = 'section';
    state.raw = marker;
  } else if (marker === CALL) {
    state.mode = 'call';
    state.call = '';
  } else if (marker === CALL_END) {
    const call = readCall(state.call, context);
    state.mode = 'section';
    if (!call) {
      state.raw += CALL + state.call + marker;
      return;
    }
    const [, ...junk] = state.raw.split(SECTION);
    if (!isBlank(junk.join(SECTION))) giveRaw(state, junk.join(SECTION), sink);
    giveCall(call, state.calls, sink);
    state.calls += 1;
    state.raw = '';
  } else {
    giveRaw(state, state.raw + (state.mode === 'call' ? CALL + state.call : '') + (state.calls === 0 ? marker : ''), sink);
    state.mode = 'over';
    state.failed = state.calls === 0;
  }
}

function create(context: ParserContext): StreamParser<Step3State> {
  const isToken = context.vocabulary.tokenToId(SECTION) !== undefined;
  return {
    init: () => ({ mode: 'text', held: '', raw: '', call: '', calls: 0, said: false, failed: false }),
    push(state: Step3State, piece: Piece, sink: EventSink): void {
      const isControl = piece.tokenId !== null && context.specialIds.has(piece.tokenId);
      if (isControl && state.failed) return;
      state.failed &&= piece.text === '';
      let text = state.held + piece.text;
      state.held = '';
      while (text !== '') {
        const hit = firstMarker(text, MARKERS[state.mode]);
        // As in the reference, what may begin the section waits, white space too, unless text went before in the chunk.
        const waits = state.mode === 'text' && !hit && SECTION.startsWith(strip(text));
        const kept = hit ? hit.at : waits ? 0 : text.length - heldTailOf(text, MARKERS[state.mode]);
        take(state, text.slice(0, kept), sink);
        if (!hit) state.held = text.slice(kept);
        else readMarker(state, hit.marker, context, sink);
        text = hit ? text.slice(kept + hit.marker.length) : '';
      }
    },
    endChunk(state: Step3State, sink: EventSink): void {
      if (state.mode === 'text' && state.said && (isToken || isBlank(state.held))) {
        take(state, state.held, sink);
        state.held = '';
      }
      state.said = false;
    },
    finish(state: Step3State, sink: EventSink): void {
      const { mode, held, raw, call } = state;
      if (mode === 'text' || mode === 'over') take(state, held, sink);
      else if (mode === 'section') giveRaw(state, raw + held, sink);
      // A call that was cut off before its name is not shown.
      else if (INVOKE.test(call)) giveRaw(state, raw + CALL + call + held, sink);
    },
  };
}

export const step3: ToolFormat<Step3State> = {
  kind: 'tool',
  name: 'step3',
  aliases: [],
  models: 'Step 3',
  sample:
    '<｜tool_calls_begin｜>\n<｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="get_weather"><steptml:parameter name="city">Oslo</steptml:parameter></steptml:invoke><｜tool_call_end｜>\n<｜tool_calls_end｜>',
  stateVersion: 1,
  stateSchema,
  create,
  forcedChoice: 'json',
  whenNone: 'content',
  callDeltas: 'merged',
  complete: stripContentBesideCalls,
};

import { z } from 'zod';
import type { ToolFormat } from '../../core/stream-parser.ts';
import { callObjectState, startCallObject } from '../family/call-object.ts';
import { contentGateState, openGate } from '../family/content-gate.ts';
import { createGatedParser, GatedObjectReading } from '../family/gated-reading.ts';
import type { GatedObjectState } from '../family/gated-reading.ts';
import { createJsonReader, jsonArgumentsState } from '../family/json-arguments.ts';
import { coerceArguments } from '../family/json-coercion.ts';
import { stripContentBesideCalls } from '../family/marked-answer.ts';
import { UNKNOWN_SPECIAL } from '../family/marked-lexer.ts';

interface GraniteState extends GatedObjectState {
  /** `opened`: behind the marker; `list`: between calls; `call`: in a call's object; `lone-call`: in one that is in no list. */
  mode: 'content' | 'opened' | 'list' | 'call' | 'lone-call';
  /** The text since the marker, or of the object until its name is known. */
  raw: string;
}

const reader = createJsonReader({ waits: true, quotes: null });
const MARKERS = { spellings: { token: ['<|tool_call|>'], text: ['<tool_call>'] }, byToken: ['token'] };
const KEYS = { name: 'name', arguments: ['arguments', 'parameters'], stop: '' };

/** Reads one piece. */
class Reading extends GatedObjectReading<GraniteState> {
  protected readonly keys = KEYS;
  protected readonly reader = reader;

  marker(name: string, text: string): void {
    const { state } = this;
    if (name === UNKNOWN_SPECIAL) return;
    if (state.mode !== 'content') return this.text(text);
    state.mode = 'opened';
    // A marker that is mere text may be just that.
    state.raw = name === 'text' ? text : '';
  }

  text(text: string): void {
    let rest = text;
    while (rest !== '') rest = this.step(rest);
  }

  cut(): void {
    const { state, silent } = this;
    if (state.object.begun && (state.mode === 'call' || state.mode === 'lone-call') && !silent) {
      reader.cut(state.arguments, '', this.properties(), (json) => this.write(json));
      this.endTool();
    } else if (state.mode === 'opened') this.content(state.raw);
  }

  /** @returns what is left to read */
  private step(text: string): string {
    const { state } = this;
    if (state.mode === 'content') {
      this.content(text);
      return '';
    }
    if (state.mode === 'call' || state.mode === 'lone-call') return this.readCall(text);
    const c = text.charAt(0);
    const isList = state.mode === 'list';
    if (c === '{') {
      state.mode = isList ? 'call' : 'lone-call';
      this.startObject();
    } else if (c === '[' && !isList) state.mode = 'list';
    else if (c === ']' && isList) state.mode = 'content';
    else if (/\s/.test(c) || (c === ',' && isList)) state.raw += isList ? '' : c;
    else {
      state.mode = 'content';
      this.content((isList ? '' : state.raw) + c);
    }
    return c === '{' ? text : text.slice(1);
  }

  private readCall(text: string): string {
    const { state } = this;
    const end = this.readObject(text);
    const { mode } = state.object;
    if (mode !== 'done' && mode !== 'broken') return '';
    this.endObject();
    state.mode = state.mode === 'call' && mode === 'done' ? 'list' : 'content';
    state.raw = '';
    return text.slice(end);
  }
}

function startGranite(): GraniteState {
  return {
    held: '',
    mode: 'content',
    object: startCallObject(),
    raw: '',
    name: '',
    calls: 0,
    arguments: reader.start(),
    gate: openGate(),
  };
}

/**
 * IBM Granite 3.0 and 3.1: a marker, then all calls in one JSON list; what follows the list is content.
 *
 *     <|tool_call|>[{"name": "get_weather", "arguments": {"city": "Bergen"}}]
 *
 * Specified by the models' chat template; 3.1 writes the marker as `<tool_call>`, which is no token of its own. Other than the reference:
 * text behind the list stays in complete answers, streamed arguments are brought into the types of their schemas as in complete answers,
 * a lone object is a call too, and an object that names no function becomes content, as does a marker that is mere text.
 */
export const granite: ToolFormat<GraniteState> = {
  kind: 'tool',
  name: 'granite',
  aliases: [],
  models: 'Granite 3.0, Granite 3.1',
  sample: '<|tool_call|>[{"name": "get_weather", "arguments": {"city": "Bergen"}}]',
  stateVersion: 1,
  stateSchema: z.object({
    held: z.string(),
    mode: z.enum(['content', 'opened', 'list', 'call', 'lone-call']),
    object: callObjectState,
    raw: z.string(),
    name: z.string(),
    calls: z.int().min(0),
    arguments: jsonArgumentsState,
    gate: contentGateState,
  }),
  create: (context) => createGatedParser(MARKERS, Reading, startGranite, context),
  forcedChoice: 'json',
  whenNone: 'parse',
  callDeltas: 'merged',
  countsIds: true,
  complete(answer, context) {
    coerceArguments(answer, context);
    stripContentBesideCalls(answer);
  },
};

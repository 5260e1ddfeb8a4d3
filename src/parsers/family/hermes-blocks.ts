import { z } from 'zod';
import type { EventSink, ParserContext, Piece, StreamParser, ToolFormat } from '../../core/stream-parser.ts';
import { callObjectState, readCallObject, startCallObject } from './call-object.ts';
import type { CallObject } from './call-object.ts';
import { dropBlankContent, reserialiseArguments } from './complete-answer.ts';
import { unquoteArguments } from './json-coercion.ts';
import { heldTail } from './marker-scan.ts';
import { stripStart } from './white-space.ts';

/** What opens and closes a block that holds one call as a JSON object. */
export interface BlockTags {
  open: string;
  close: string;
  /** Arguments that are a JSON text inside a string are taken out of it. */
  unquotes: boolean;
  /** Members of the object; `name` and `arguments` if not given. */
  keys?: { name: string; arguments: readonly string[] };
  /** Text behind a call is content; otherwise it is dropped. */
  keepsText?: boolean;
}

const KEYS = { name: 'name', arguments: ['arguments'] };

export interface HermesState {
  /**
   * `text`: content; `call`: in an object; `rest`: in one that broke between name and arguments, given out as it is; `after`: behind a
   * call, where text is dropped, or only what closes the block; `unread`: in a block that is no call, shown as it is.
   */
  mode: 'text' | 'call' | 'rest' | 'after' | 'unread';
  /** A tail that may begin a marker. */
  held: string;
  /** The block so far, until its name is known. */
  raw: string;
  object: CallObject;
  /** The end of the arguments so far, held while it may be white space at the end of the block; all of them where they are a string. */
  tail: string;
  /** What the arguments are: nothing yet, a JSON text inside a string, or JSON. */
  kind: 'none' | 'quoted' | 'json';
  calls: number;
}

const stateSchema: z.ZodType<HermesState> = z.object({
  mode: z.enum(['text', 'call', 'rest', 'after', 'unread']),
  held: z.string(),
  raw: z.string(),
  object: callObjectState,
  tail: z.string(),
  kind: z.enum(['none', 'quoted', 'json']),
  calls: z.int().min(0),
});

/** What breaks an object off: the first unit of the closing marker, if it cannot stand in JSON outside of strings. */
function stopOf({ close }: BlockTags): string {
  return /^[^\s\w{}[\]",:.+-]/.exec(close)?.[0] ?? '';
}

/** Behind a call whose text is kept: takes away what closes its block. */
function readAfter(state: HermesState, text: string, { close }: BlockTags): string | null {
  const rest = stripStart(text);
  if (close.startsWith(rest) && rest !== close) {
    state.held = rest;
    return null;
  }
  state.mode = 'text';
  return rest.startsWith(close) ? rest.slice(close.length) : rest;
}

/** Shows or drops the text in front of the next marker; answers the text behind it, or null where the text ended. */
function readText(state: HermesState, text: string, tags: BlockTags, sink: EventSink): string | null {
  const open = text.indexOf(tags.open);
  const close = state.mode === 'unread' ? text.indexOf(tags.close) : -1;
  const closes = close !== -1 && (open === -1 || close < open);
  if (closes || open !== -1) {
    const at = closes ? close + tags.close.length : open;
    if (state.mode !== 'after' && at > 0) sink.content(text.slice(0, at));
    if (closes) {
      state.mode = state.calls > 0 && !tags.keepsText ? 'after' : 'text';
      return text.slice(at);
    }
    state.mode = 'call';
    state.object = startCallObject();
    state.raw = tags.open;
    return text.slice(at + tags.open.length);
  }
  const kept = text.length - Math.max(heldTail(text, tags.open), state.mode === 'unread' ? heldTail(text, tags.close) : 0);
  if (state.mode !== 'after' && kept > 0) sink.content(text.slice(0, kept));
  state.held = text.slice(kept);
  return null;
}

/** Reads on in a block's object; answers the text behind it, or null where the text ended. */
function readCall(state: HermesState, text: string, tags: BlockTags, sink: EventSink): string | null {
  const { object } = state;
  const end = readCallObject(
    object,
    text,
    0,
    { ...(tags.keys ?? KEYS), stop: stopOf(tags) },
    {
      name(name) {
        sink.toolStart(state.calls, name);
        state.calls += 1;
      },
      arguments(part) {
        const known = state.tail + part;
        if (state.kind === 'none' && part !== '') state.kind = tags.unquotes && known.startsWith('"') ? 'quoted' : 'json';
        if (state.kind === 'quoted') {
          state.tail = known;
          return;
        }
        const length = known.trimEnd().length - heldTail(known, tags.close);
        const kept = known.slice(0, Math.max(length, 0)).trimEnd().length;
        if (kept > 0) sink.toolArguments(state.calls - 1, known.slice(0, kept));
        state.tail = known.slice(kept);
      },
    },
  );
  if (!object.begun) state.raw += text.slice(0, end);
  if (object.mode !== 'done' && object.mode !== 'broken') return null;
  const brokeEarly = object.begun && object.mode === 'broken' && !object.hasArguments;
  if (brokeEarly) {
    state.mode = 'rest';
  } else if (object.begun) {
    const rest = state.kind === 'quoted' ? unquoteArguments(state.tail, {}) : state.tail.trimEnd();
    if (rest !== '') sink.toolArguments(state.calls - 1, rest);
    sink.toolEnd(state.calls - 1);
    state.mode = 'after';
  } else {
    sink.content(state.raw);
    state.mode = 'unread';
  }
  state.raw = '';
  state.tail = brokeEarly ? object.held : '';
  state.kind = 'none';
  return text.slice(end);
}

/** The rest of a block whose object broke before its arguments are its arguments, as written; answers the text behind, or null. */
function readRest(state: HermesState, text: string, { close }: BlockTags, sink: EventSink): string | null {
  const all = state.tail + text;
  const end = all.indexOf(close);
  const kept = (end === -1 ? all.slice(0, all.length - heldTail(all, close)) : all.slice(0, end)).trimEnd();
  if (kept !== '') sink.toolArguments(state.calls - 1, kept);
  state.tail = end === -1 ? all.slice(kept.length) : '';
  if (end === -1) return null;
  sink.toolEnd(state.calls - 1);
  state.mode = 'after';
  return all.slice(end);
}

function createParser(tags: BlockTags): StreamParser<HermesState> {
  return {
    init: () => ({ mode: 'text', held: '', raw: '', object: startCallObject(), tail: '', kind: 'none', calls: 0 }),
    push(state: HermesState, piece: Piece, sink: EventSink): void {
      let text: string | null = state.held + piece.text;
      state.held = '';
      while (text) {
        if (state.mode === 'call') text = readCall(state, text, tags, sink);
        else if (state.mode === 'rest') text = readRest(state, text, tags, sink);
        else if (state.mode === 'after' && tags.keepsText) text = readAfter(state, text, tags);
        else text = readText(state, text, tags, sink);
      }
    },
    finish(state: HermesState, sink: EventSink): void {
      if (state.mode === 'rest') {
        if (state.tail.trimEnd() !== '') sink.toolArguments(state.calls - 1, state.tail.trimEnd());
        sink.toolEnd(state.calls - 1);
      } else if (state.mode !== 'call') {
        if (state.mode !== 'after' && state.held !== '') sink.content(state.held);
      } else if (state.object.begun) {
        const rest = state.object.scan.inString || state.kind === 'quoted' ? state.tail.trimEnd() : '';
        if (rest !== '') sink.toolArguments(state.calls - 1, rest);
        sink.toolEnd(state.calls - 1);
      } else if (state.object.hasArguments) {
        sink.content(state.raw);
      }
    },
  };
}

/** A tool format of such blocks. */
export function hermesFormat(
  described: Pick<ToolFormat, 'name' | 'aliases' | 'models' | 'sample'>,
  tags: BlockTags,
): ToolFormat<HermesState> {
  return {
    kind: 'tool',
    ...described,
    stateVersion: 1,
    stateSchema,
    create: () => createParser(tags),
    forcedChoice: 'markup',
    whenNone: 'content',
    callDeltas: 'name-apart',
    complete(answer, context: ParserContext) {
      reserialiseArguments(answer);
      dropBlankContent(answer, context);
    },
  };
}

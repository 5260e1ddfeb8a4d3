import { z } from 'zod';
import type { EventSink, Piece, StreamParser, ToolCall } from '../../core/stream-parser.ts';
import { giveCall } from './held-call.ts';
import { checkJson, jsonCheckState, startCheck } from './json-check.ts';
import type { JsonCheck } from './json-check.ts';
import { heldTail } from './marker-scan.ts';
import { isBlank, stripStart } from './white-space.ts';

/** Markup between two markers, held until it is complete and then read as a whole: its calls are given out together. */
export interface HeldBlocks {
  /** `first`: nothing but white space in the block yet; `json`: in its JSON object, where markers may be text; `over`: behind the only block, where all is content. */
  mode: 'text' | 'first' | 'block' | 'json' | 'over';
  /** A tail that may begin a marker. */
  held: string;
  /** What stands between the markers so far. */
  block: string;
  check: JsonCheck;
  /** Length of the block up to the end of its object, 0 while there is none: its call need not wait for the marker. It was given out. */
  object: number;
  given: boolean;
  calls: number;
}

export const heldBlocksState: z.ZodType<HeldBlocks> = z.object({
  mode: z.enum(['text', 'first', 'block', 'json', 'over']),
  held: z.string(),
  block: z.string(),
  check: jsonCheckState,
  object: z.int().min(0),
  given: z.boolean(),
  calls: z.int().min(0),
});

export interface HeldBlockRules {
  open: string;
  close: string;
  /** The calls of a block; null where it is none, and therefore content. */
  toCalls(block: string): ToolCall[] | null;
  /** A block that begins with a brace is a JSON object. */
  json: boolean;
  /** Only the first block counts. */
  once: boolean;
  /** Whether a block that is cut off is content; otherwise it is dropped. */
  keepsCut(block: string): boolean;
}

function readText(state: HeldBlocks, text: string, { open }: HeldBlockRules, sink: EventSink): string {
  const at = state.mode === 'over' ? -1 : text.indexOf(open);
  const tail = state.mode === 'over' ? 0 : heldTail(text, open);
  const kept = at === -1 ? text.length - tail : at;
  if (kept > 0) sink.content(text.slice(0, kept));
  if (at === -1) {
    state.held = text.slice(kept);
    return '';
  }
  state.mode = 'first';
  state.object = 0;
  state.given = false;
  return text.slice(at + open.length);
}

function readFirst(state: HeldBlocks, text: string, rules: HeldBlockRules): string {
  const rest = stripStart(text);
  state.block += text.slice(0, text.length - rest.length);
  if (rest !== '') state.mode = rules.json && rest.startsWith('{') ? 'json' : 'block';
  state.check = startCheck();
  return rest;
}

function readJson(state: HeldBlocks, text: string): string {
  const end = checkJson(state.check, text, 0);
  state.block += text.slice(0, end);
  if (state.check.expect === 'done') state.object = state.block.length;
  if (state.object > 0 || state.check.expect === 'broken') state.mode = 'block';
  return text.slice(end);
}

function readBlock(state: HeldBlocks, text: string, rules: HeldBlockRules, sink: EventSink): string {
  const at = text.indexOf(rules.close);
  const kept = at === -1 ? text.length - heldTail(text, rules.close) : at;
  state.block += text.slice(0, kept);
  if (at === -1) {
    state.held = text.slice(kept);
    return '';
  }
  giveObject(state, rules, sink);
  if (state.given) giveRest(state, '', sink);
  else if (!giveCalls(state, state.block, rules, sink)) sink.content(rules.open + state.block + rules.close);
  state.block = '';
  state.mode = rules.once ? 'over' : 'text';
  return text.slice(kept + rules.close.length);
}

function giveCalls(state: HeldBlocks, block: string, rules: HeldBlockRules, sink: EventSink): boolean {
  const calls = rules.toCalls(block);
  for (const call of calls ?? []) {
    giveCall(call, state.calls, sink);
    state.calls += 1;
  }
  return calls !== null;
}

/** Gives out the call of a complete object. What may follow the object does not change it: chunks may end anywhere. */
function giveObject(state: HeldBlocks, rules: HeldBlockRules, sink: EventSink): void {
  if (state.object === 0 || state.given) return;
  state.given = giveCalls(state, state.block.slice(0, state.object), rules, sink);
  if (!state.given) state.object = 0;
}

/** Text between an object whose call was given out and the marker is content. */
function giveRest({ block, object }: HeldBlocks, held: string, sink: EventSink): void {
  const rest = block.slice(object) + held;
  if (!isBlank(rest)) sink.content(rest);
}

function read(state: HeldBlocks, text: string, rules: HeldBlockRules, sink: EventSink): string {
  if (state.mode === 'first') return readFirst(state, text, rules);
  if (state.mode === 'json') return readJson(state, text);
  return state.mode === 'block' ? readBlock(state, text, rules, sink) : readText(state, text, rules, sink);
}

export function createHeldBlocks(rules: HeldBlockRules): StreamParser<HeldBlocks> {
  return {
    init: () => ({ mode: 'text', held: '', block: '', check: startCheck(), object: 0, given: false, calls: 0 }),
    push(state: HeldBlocks, piece: Piece, sink: EventSink): void {
      let text = state.held + piece.text;
      state.held = '';
      while (text !== '') text = read(state, text, rules, sink);
    },
    endChunk(state: HeldBlocks, sink: EventSink): void {
      if (state.mode === 'block') giveObject(state, rules, withEmptyFirst(sink));
    },
    finish(state: HeldBlocks, sink: EventSink): void {
      const { mode, block, held } = state;
      if (mode === 'text' || mode === 'over') {
        if (held !== '') sink.content(held);
      } else if (state.given) {
        giveRest(state, held, sink);
      } else if (rules.keepsCut(block + held)) {
        sink.content(rules.open + block + held);
      }
    },
  };
}

/** A call that is given out ahead of its marker has its arguments in an entry of their own. */
function withEmptyFirst(sink: EventSink): EventSink {
  return {
    content: (text) => sink.content(text),
    reasoning: (text) => sink.reasoning(text),
    toolStart(index, name, id) {
      sink.toolStart(index, name, id);
      sink.toolArguments(index, '');
    },
    toolArguments: (index, text) => sink.toolArguments(index, text),
    toolEnd: (index) => sink.toolEnd(index),
  };
}

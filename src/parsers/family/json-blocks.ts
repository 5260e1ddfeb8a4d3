import { z } from 'zod';
import type { EventSink, Piece, StreamParser, ToolCall } from '../../core/stream-parser.ts';
import { giveCall, isOpenName } from './held-call.ts';
import { checkJson, jsonCheckState, startCheck } from './json-check.ts';
import type { JsonCheck } from './json-check.ts';
import { heldTail } from './marker-scan.ts';
import { isBlank, stripStart } from './white-space.ts';

/** JSON objects between tags, each held until its closing tag and then given out as a call: `<tool_call>{"name": ...}</tool_call>`. */
export interface JsonBlocks {
  /** `object`: in the block's JSON; `closing`: between it and the closing tag; `unread`: in a block that is no call. */
  mode: 'text' | 'object' | 'closing' | 'unread';
  /** A tail that may begin a tag. */
  held: string;
  /** The block so far, tags included. */
  block: string;
  check: JsonCheck;
  calls: number;
}

export const jsonBlocksState: z.ZodType<JsonBlocks> = z.object({
  mode: z.enum(['text', 'object', 'closing', 'unread']),
  held: z.string(),
  block: z.string(),
  check: jsonCheckState,
  calls: z.int().min(0),
});

export interface JsonBlockRules {
  open: string;
  close: string;
  /** The call that a block's JSON stands for, or null. */
  toCall(json: string): ToolCall | null;
  /** Text behind a call is content; otherwise it is dropped. */
  keepsText: boolean;
  /** A block that is cut off is content; otherwise it is dropped. */
  keepsCut: boolean;
}

function readText(state: JsonBlocks, text: string, { open, keepsText }: JsonBlockRules, sink: EventSink): string {
  const at = text.indexOf(open);
  const kept = at === -1 ? text.length - heldTail(text, open) : at;
  if (kept > 0 && (keepsText || state.calls === 0)) sink.content(text.slice(0, kept));
  if (at === -1) {
    state.held = text.slice(kept);
    return '';
  }
  state.mode = 'object';
  state.block = open;
  state.check = startCheck();
  return text.slice(at + open.length);
}

function readObject(state: JsonBlocks, text: string, rules: JsonBlockRules, sink: EventSink): string {
  const before = state.block.length;
  const end = checkJson(state.check, text, 0);
  state.block += text.slice(0, end);
  const rest = text.slice(end);
  if (state.check.expect === 'done') state.mode = 'closing';
  if (state.check.expect !== 'broken') return rest;
  // Nothing at all between the tags is nothing at all.
  const isEmpty = isBlank(state.block.slice(rules.open.length, before)) && isBlank(text.slice(0, end));
  if (isEmpty && beginsTag(rest, rules.close)) {
    state.check = startCheck();
    state.held = rest;
    if (!rest.startsWith(rules.close)) return '';
    state.held = '';
    state.mode = 'text';
    return rest.slice(rules.close.length);
  }
  return giveUnread(state, rest, sink);
}

function beginsTag(text: string, tag: string): boolean {
  return text.startsWith(tag) || tag.startsWith(text);
}

/** The block turned out to be no call: it is content, up to its closing tag. */
function giveUnread(state: JsonBlocks, rest: string, sink: EventSink): string {
  sink.content(state.block);
  state.block = '';
  state.mode = 'unread';
  return rest;
}

function readClosing(state: JsonBlocks, text: string, rules: JsonBlockRules, sink: EventSink): string {
  const tag = stripStart(text);
  state.block += text.slice(0, text.length - tag.length);
  if (tag === '') return '';
  if (!beginsTag(tag, rules.close)) return giveUnread(state, tag, sink);
  if (!tag.startsWith(rules.close)) {
    state.held = tag;
    return '';
  }
  if (!giveBlock(state, rules, sink)) sink.content(state.block + rules.close);
  state.mode = 'text';
  state.block = '';
  return tag.slice(rules.close.length);
}

function giveBlock(state: JsonBlocks, rules: JsonBlockRules, sink: EventSink): boolean {
  const call = rules.toCall(state.block.slice(rules.open.length));
  if (!call) return false;
  giveCall(call, state.calls, sink);
  state.calls += 1;
  return true;
}

function readUnread(state: JsonBlocks, text: string, { close }: JsonBlockRules, sink: EventSink): string {
  const at = text.indexOf(close);
  const kept = at === -1 ? text.length - heldTail(text, close) : at + close.length;
  if (kept > 0) sink.content(text.slice(0, kept));
  if (at === -1) state.held = text.slice(kept);
  else state.mode = 'text';
  return at === -1 ? '' : text.slice(kept);
}

const READERS = { text: readText, object: readObject, closing: readClosing, unread: readUnread };

export function createJsonBlocks(rules: JsonBlockRules): StreamParser<JsonBlocks> {
  return {
    init: () => ({ mode: 'text', held: '', block: '', check: startCheck(), calls: 0 }),
    push(state: JsonBlocks, piece: Piece, sink: EventSink): void {
      let text = state.held + piece.text;
      state.held = '';
      while (text !== '') text = READERS[state.mode](state, text, rules, sink);
    },
    finish(state: JsonBlocks, sink: EventSink): void {
      const { mode, held, block, calls } = state;
      if (mode === 'closing' && giveBlock(state, rules, sink)) return;
      if (mode === 'text') {
        if (held !== '' && (rules.keepsText || calls === 0)) sink.content(held);
      } else if (mode === 'unread' || (rules.keepsCut && !isOpenName(block))) {
        sink.content(block + held);
      }
    },
  };
}

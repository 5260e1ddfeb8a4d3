import type { EventSink, ParserContext, Piece, StreamParser } from '../../core/stream-parser.ts';
import { giveCall, isOpenName } from './held-call.ts';
import { findOpener } from './held-list-state.ts';
import type { HeldList, HeldListRules } from './held-list-state.ts';
import { checkJson, startCheck } from './json-check.ts';
import { heldTailOf } from './marker-scan.ts';
import { stripStart } from './white-space.ts';

const NAME = /^\s*\{\s*"name"\s*:\s*"([^"\\]+)"/;
/** A name that has not come so early is given out with its call. */
const MAX_HEAD = 300;

export function createHeldList(rules: HeldListRules, context: ParserContext): StreamParser<HeldList> {
  const { openers, keepsText } = rules;
  const isAdded = (text: string): boolean => {
    const id = context.vocabulary.tokenToId(text);
    return id !== undefined && context.vocabulary.isAdded(id);
  };
  // What is an added token does not come in parts, and what is content anyway need not be held.
  const inParts = openers.filter(({ text, shown }) => text !== '' && !shown && !isAdded(text)).map(({ text }) => text);
  const longest = Math.max(...openers.map(({ text }) => text.length));
  const atStart = openers.findIndex(({ text }) => text === '');

  const say = (state: HeldList, text: string, sink: EventSink, always = keepsText): void => {
    if (text === '') return;
    if (always || !state.over) sink.content(text);
    state.seen = (state.seen + text).slice(1 - longest);
  };

  const open = (state: HeldList, index: number, raw: string): void => {
    state.mode = 'lead';
    state.opener = index;
    state.raw = raw;
    state.seen = '';
    state.found = false;
  };

  const readText = (state: HeldList, text: string, sink: EventSink): string => {
    const hit = findOpener(state.seen, text, openers);
    if (hit === null) {
      const kept = text.length - heldTailOf(text, inParts);
      say(state, text.slice(0, kept), sink);
      state.held = text.slice(kept);
      return '';
    }
    const { index, at, end } = hit;
    const { text: marker = '', shown = false } = openers[index] ?? {};
    say(state, text.slice(0, shown ? end : at), sink);
    open(state, index, shown ? '' : marker);
    return text.slice(end);
  };

  /** What was read turned out to be no call. */
  const giveUp = (state: HeldList, rest: string, sink: EventSink): string => {
    state.mode = 'text';
    state.fresh = true;
    const { raw } = state;
    state.raw = '';
    say(state, raw, sink, true);
    state.seen = '';
    return rest;
  };

  const readLead = (state: HeldList, text: string, sink: EventSink): string => {
    const { text: marker = '', word, begins, tight, shown } = openers[state.opener] ?? {};
    let rest = text;
    if (word !== undefined && state.raw === marker) {
      if (word.startsWith(rest) && rest !== word) {
        state.held = rest;
        return '';
      }
      if (rest.startsWith(word)) {
        state.raw += word;
        rest = rest.slice(word.length);
      }
    }
    const next = tight ? rest : stripStart(rest);
    const space = rest.slice(0, rest.length - next.length);
    if (shown || marker === '') say(state, space, sink);
    else state.raw += space;
    if (next === '') return '';
    if (marker === '' && inParts.some((other) => other.startsWith(next) && other !== next)) {
      state.held = next;
      return '';
    }
    const isOther = marker === '' && openers.some(({ text: other }) => other !== '' && next.startsWith(other));
    if (isOther || next[0] !== begins) return giveUp(state, next, sink);
    state.mode = 'first';
    if (begins === '{') return next;
    state.raw += begins;
    return next.slice(1);
  };

  const readBetween = (state: HeldList, text: string, sink: EventSink): string => {
    const next = stripStart(text);
    state.raw += text.slice(0, text.length - next.length);
    if (next === '') return '';
    if (next[0] === ']' && state.mode !== 'more') return endList(state, next.slice(1), sink);
    if (state.mode === 'between') {
      if (next[0] !== ',') return giveUp(state, next, sink);
      state.raw += ',';
      state.mode = 'more';
      return next.slice(1);
    }
    state.mode = 'element';
    state.check = startCheck();
    state.announced = false;
    state.argued = false;
    state.from = state.raw.length;
    return next;
  };

  const endList = (state: HeldList, rest: string, sink: EventSink): string => {
    const holdsCalls = state.found || state.mode === 'first';
    state.mode = 'tail';
    state.raw += ']';
    if (!holdsCalls) return giveUp(state, rest, sink);
    state.raw = '';
    state.over = true;
    return rest;
  };

  const announce = (state: HeldList, sink: EventSink): void => {
    if (!rules.announces || state.announced || state.raw.length - state.from > MAX_HEAD) return;
    const name = NAME.exec(state.raw.slice(state.from))?.[1];
    if (name === undefined) return;
    sink.toolStart(state.calls, name);
    state.announced = true;
  };

  /** Behind a member of an announced call: gives out its arguments if that was them. */
  const argue = (state: HeldList, sink: EventSink): void => {
    if (!state.announced || state.argued || state.check.stack !== '{') return;
    const call = rules.toCall(`${state.raw.slice(state.from)}}`);
    if (!call) return;
    sink.toolArguments(state.calls, call.arguments);
    state.argued = true;
  };

  /** An announced call is over; what it lacks is left open. */
  const endAnnounced = (state: HeldList, text: string, sink: EventSink): void => {
    if (text !== '' && !state.argued) sink.toolArguments(state.calls, text);
    sink.toolEnd(state.calls);
    state.calls += 1;
    state.found = true;
    state.over = true;
    state.announced = false;
    state.raw = '';
  };

  const readElement = (state: HeldList, text: string, sink: EventSink): string => {
    const end = checkJson(state.check, text, 0);
    const rest = text.slice(end);
    state.raw += text.slice(0, end);
    announce(state, sink);
    const { expect } = state.check;
    if (expect === 'comma-or-end') argue(state, sink);
    if (expect !== 'done' && expect !== 'broken') return rest;
    const json = state.raw.slice(state.from);
    if (expect === 'broken') {
      if (state.announced) endAnnounced(state, /"arguments"\s*:\s*([^]*)/.exec(json)?.[1] ?? '', sink);
      return giveUp(state, rest, sink);
    }
    const call = rules.toCall(json);
    if (state.announced) endAnnounced(state, call?.arguments ?? '', sink);
    else if (call) {
      giveCall(call, state.calls, sink);
      state.calls += 1;
      state.found = true;
      state.over = true;
      state.raw = '';
    } else if (!rules.skipsOthers) return giveUp(state, rest, sink);
    state.mode = openers[state.opener]?.begins === '{' ? 'tail' : 'between';
    return rest;
  };

  const readTail = (state: HeldList, text: string, sink: EventSink): string => {
    const { close } = openers[state.opener] ?? {};
    if (close === undefined) return giveUp(state, text, sink);
    const next = stripStart(text);
    state.raw += text.slice(0, text.length - next.length);
    if (close.startsWith(next) && next !== close) {
      state.held = next;
      return '';
    }
    if (!next.startsWith(close)) return giveUp(state, next, sink);
    state.raw = '';
    state.mode = 'text';
    state.fresh = true;
    return next.slice(close.length);
  };

  const ownMarkers = openers.flatMap(({ text, close }) => [text, close ?? text]);
  const isControl = ({ text, tokenId }: Piece): boolean =>
    text !== '' && tokenId !== null && context.specialIds.has(tokenId) && !ownMarkers.includes(text);

  /** A control token ends what it stands behind, unless in a string; it is nothing itself there. */
  const dropControl = (state: HeldList, sink: EventSink): boolean => {
    if (state.mode === 'text') return state.fresh;
    if (state.mode === 'element' && /^in-(?:string|key)$/.test(state.check.expect)) return false;
    if (state.mode === 'tail') state.mode = 'text';
    else if (state.raw !== '') giveUp(state, '', sink);
    else return false;
    state.fresh = true;
    return true;
  };

  const readers = {
    text: readText,
    lead: readLead,
    first: readBetween,
    more: readBetween,
    element: readElement,
    between: readBetween,
    tail: readTail,
  };
  return {
    init: () => ({
      mode: atStart === -1 ? 'text' : 'lead',
      opener: Math.max(0, atStart),
      held: '',
      seen: '',
      raw: '',
      from: 0,
      check: startCheck(),
      found: false,
      announced: false,
      argued: false,
      fresh: false,
      over: false,
      calls: 0,
    }),
    push(state: HeldList, piece: Piece, sink: EventSink): void {
      if (isControl(piece) && dropControl(state, sink)) return;
      if (piece.text !== '' && !ownMarkers.includes(piece.text)) state.fresh = false;
      if (piece.text === '' && rules.tellsEmpty && state.mode === 'text' && !state.over) sink.content('');
      let text = state.held + piece.text;
      state.held = '';
      while (text !== '') text = readers[state.mode](state, text, sink);
    },
    finish(state: HeldList, sink: EventSink): void {
      const { mode, raw, held, from, announced, found } = state;
      if (mode === 'tail' || announced || (mode === 'element' && isOpenName(raw.slice(from)))) return;
      if (mode === 'text') say(state, held, sink);
      else if (!found || !/^[\s,]*$/.test(raw + held)) say(state, raw + held, sink, true);
    },
  };
}

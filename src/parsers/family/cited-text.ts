import { z } from 'zod';
import type { Citation } from '../../core/stream-parser.ts';
import { heldTail } from './marker-scan.ts';
import { isBlank, stripEnd } from './white-space.ts';

/** Text with citations in it, `<co>cited words</co: 0:[1]>`, whose tags are left out. White space waits for what follows it. */
export interface CitedText {
  /** Text that may begin a tag. */
  held: string;
  space: string;
  /** Text of this chunk: as in the reference, it waits with what may begin a tag. */
  waiting: string;
  /** Code points that were given out. */
  length: number;
  /** The open citation: where it starts, and its words so far, null where they are too many. */
  open: { start: number; text: string | null } | null;
}

export const citedTextState: z.ZodType<CitedText> = z.object({
  held: z.string(),
  space: z.string(),
  waiting: z.string(),
  length: z.int().min(0),
  open: z.object({ start: z.int().min(0), text: z.string().nullable() }).nullable(),
});

export interface CitedTextSink {
  text(text: string): void;
  citation(citation: Omit<Citation, 'type'>): void;
}

const OPEN = '<co>';
const CLOSE = '</co:';
/** A closing tag that names longer sources is none. */
const MAX_SOURCES = 512;
/** Longer citations are not told. */
const MAX_WORDS = 8192;

function joined(words: string | null, more: string): string | null {
  return words === null || words.length + more.length > MAX_WORDS ? null : words + more;
}

export function startCitedText(): CitedText {
  return { held: '', space: '', waiting: '', length: 0, open: null };
}

function give(state: CitedText, more: string, sink: CitedTextSink): void {
  const text = state.waiting + more;
  state.waiting = '';
  if (text === '') return;
  state.length += Array.from(text).length;
  if (state.open) state.open.text = joined(state.open.text, text);
  sink.text(text);
}

function pass(state: CitedText, text: string): void {
  if (isBlank(text)) {
    state.space += text;
    return;
  }
  const all = state.space + text;
  const kept = stripEnd(all);
  state.space = all.slice(kept.length);
  state.waiting += kept;
}

/** White space in front of a tag belongs to the text. */
function giveSpace(state: CitedText, sink: CitedTextSink): void {
  const { space } = state;
  state.space = '';
  give(state, space, sink);
}

/** Where the end of a text begins that may begin a tag. As in the reference, white space does not decide. */
function openEnd(text: string, tag: string): number {
  const kept = stripEnd(text);
  const tail = heldTail(kept, tag);
  return tail === 0 ? text.length : kept.length - tail;
}

/** Reads as far as one tag. @returns what is left to read */
function step(state: CitedText, text: string, sink: CitedTextSink): string {
  const tag = state.open ? CLOSE : OPEN;
  const at = text.indexOf(tag);
  const end = at === -1 ? openEnd(text, tag) : at;
  pass(state, text.slice(0, end));
  if (at === -1) {
    state.held = text.slice(end);
    return '';
  }
  if (!state.open) {
    giveSpace(state, sink);
    state.open = { start: state.length, text: '' };
    return text.slice(at + OPEN.length);
  }
  const close = text.indexOf('>', at);
  if (close === -1 && text.length - at <= MAX_SOURCES) {
    state.held = text.slice(at);
    return '';
  }
  if (close === -1) {
    pass(state, CLOSE);
    return text.slice(at + CLOSE.length);
  }
  giveSpace(state, sink);
  const { start, text: words } = state.open;
  if (words !== null) sink.citation({ start, end: state.length, text: words, sources: [] });
  state.open = null;
  return text.slice(close + 1);
}

export function readCitedText(state: CitedText, text: string, sink: CitedTextSink): void {
  let rest = state.held + text;
  state.held = '';
  while (rest !== '') rest = step(state, rest, sink);
}

/** A chunk has ended. @param isHeld whether what follows the text may be a marker */
export function endCitedChunk(state: CitedText, isHeld: boolean, sink: CitedTextSink): void {
  if (state.open || (state.held === '' && !isHeld)) give(state, '', sink);
}

/** The text is interrupted or over: white space at its end is dropped, and a citation that is open is none. */
export function closeCitedText(state: CitedText, sink: CitedTextSink): void {
  const { held } = state;
  state.held = '';
  pass(state, held);
  give(state, '', sink);
  state.space = '';
  state.open = null;
}

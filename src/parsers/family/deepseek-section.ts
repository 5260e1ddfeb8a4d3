import { z } from 'zod';
import type { EventSink, Piece, StreamParser } from '../../core/stream-parser.ts';
import { jsonScanState, startScan } from './json-scan.ts';
import type { JsonScan } from './json-scan.ts';
import { firstMarker, heldTailOf } from './marker-scan.ts';

/*
 * The tool section of DeepSeek V3 to V3.1: calls between markers, each with a header that ends in the function's name, and arguments that
 * are given out as written. Markers inside the arguments' JSON strings are text.
 */

export const SECTION_OPEN = '<｜tool▁calls▁begin｜>';
export const SECTION_CLOSE = '<｜tool▁calls▁end｜>';
export const SEPARATOR = '<｜tool▁sep｜>';

/** The markers around the section and around each call in it. */
export interface SectionMarkers {
  open: string;
  close: string;
  callOpen: string;
  callClose: string;
}

export const DEEPSEEK_MARKERS: SectionMarkers = {
  open: SECTION_OPEN,
  close: SECTION_CLOSE,
  callOpen: '<｜tool▁call▁begin｜>',
  callClose: '<｜tool▁call▁end｜>',
};

/** What differs from version to version. */
export interface DeepseekSection {
  markers: SectionMarkers;
  /** The header of a call, from behind its opening marker on: its length with all that parts it from the arguments, once it is complete. */
  header(text: string): { name: string; length: number } | null;
  /** What may stand between the arguments and the closing marker, and is no part of them: matches at the end of a text. */
  trailer: RegExp;
}

export interface DeepseekState {
  /** `text`: content; `section`: between calls; `header`, `arguments`: inside a call. */
  mode: 'text' | 'section' | 'header' | 'arguments';
  /** A tail that may begin a marker or the trailer; a header so far. */
  held: string;
  scan: JsonScan;
  calls: number;
}

export const deepseekState: z.ZodType<DeepseekState> = z.object({
  mode: z.enum(['text', 'section', 'header', 'arguments']),
  held: z.string(),
  scan: jsonScanState,
  calls: z.int().min(0),
});

/** Reads up to a marker; answers the text behind it, or null where there is none (and a tail is held back). */
function readUntil(
  state: DeepseekState,
  text: string,
  markers: readonly string[],
  give: (text: string) => void,
): { marker: string; rest: string } | null {
  const hit = firstMarker(text, markers);
  if (hit) {
    give(text.slice(0, hit.at));
    return { marker: hit.marker, rest: text.slice(hit.at + hit.marker.length) };
  }
  const kept = text.length - heldTailOf(text, markers);
  give(text.slice(0, kept));
  state.held = text.slice(kept);
  return null;
}

/** The section's marker is a token of its own: it does not come in parts. */
function readText(state: DeepseekState, text: string, { markers }: DeepseekSection, sink: EventSink): string {
  const at = text.indexOf(markers.open);
  sink.content(at === -1 ? text : text.slice(0, at));
  if (at === -1) return '';
  state.mode = 'section';
  return text.slice(at + markers.open.length);
}

function readSection(state: DeepseekState, text: string, { markers }: DeepseekSection, sink: EventSink): string {
  const found = readUntil(state, text, [markers.callOpen, markers.close], (part) => {
    if (part.trim() !== '') sink.content(part);
  });
  if (found) state.mode = found.marker === markers.callOpen ? 'header' : 'text';
  return found?.rest ?? '';
}

/** What the arguments, and the header, end at. */
function argumentsEnd({ markers }: DeepseekSection): string[] {
  return [markers.callClose, markers.callOpen, markers.close];
}

function readHeader(state: DeepseekState, text: string, section: DeepseekSection, sink: EventSink): string {
  const header = section.header(text);
  const end = firstMarker(text, argumentsEnd(section));
  if (header && (!end || header.length <= end.at)) {
    sink.toolStart(state.calls, header.name);
    state.calls += 1;
    state.mode = 'arguments';
    state.scan = startScan();
    return text.slice(header.length);
  }
  if (!end) {
    state.held = text;
    return '';
  }
  sink.content(text.slice(0, end.at));
  return behindCall(state, text, end, section);
}

function behindCall(state: DeepseekState, text: string, end: { marker: string; at: number }, { markers }: DeepseekSection): string {
  state.mode = end.marker === markers.callOpen ? 'header' : end.marker === markers.callClose ? 'section' : 'text';
  return text.slice(end.at + end.marker.length);
}

/** Follows the arguments' strings up to `to`. */
function follow(scan: JsonScan, text: string, from: number, to: number): void {
  for (let at = from; at < to; at += 1) {
    const c = text[at];
    if (scan.escaped) scan.escaped = false;
    else if (c === '\\') scan.escaped = scan.inString;
    else if (c === '"') scan.inString = !scan.inString;
  }
}

function readArguments(state: DeepseekState, text: string, section: DeepseekSection, sink: EventSink): string {
  const { scan, calls } = state;
  const ends = argumentsEnd(section);
  let from = 0;
  for (;;) {
    const hit = firstMarker(text.slice(from), ends);
    if (!hit) break;
    const at = from + hit.at;
    follow(scan, text, from, at);
    if (!scan.inString) {
      sink.toolArguments(calls - 1, text.slice(0, at).replace(section.trailer, ''));
      sink.toolEnd(calls - 1);
      return behindCall(state, text, { marker: hit.marker, at }, section);
    }
    from = at + hit.marker.length;
  }
  const before = text.length - heldTailOf(text, ends);
  const scanned = { ...scan };
  follow(scanned, text, from, before);
  const kept = scanned.inString ? text.length : text.slice(0, before).replace(section.trailer, '').length;
  follow(scan, text, from, kept);
  sink.toolArguments(calls - 1, text.slice(0, kept));
  state.held = text.slice(kept);
  return '';
}

export function createDeepseekParser(section: DeepseekSection): StreamParser<DeepseekState> {
  return {
    init: () => ({ mode: 'text', held: '', scan: startScan(), calls: 0 }),
    push(state: DeepseekState, piece: Piece, sink: EventSink): void {
      if (piece.text === '' && state.mode === 'text') sink.content('');
      let text = state.held + piece.text;
      state.held = '';
      while (text !== '') {
        if (state.mode === 'text') text = readText(state, text, section, sink);
        else if (state.mode === 'section') text = readSection(state, text, section, sink);
        else if (state.mode === 'header') text = readHeader(state, text, section, sink);
        else text = readArguments(state, text, section, sink);
      }
    },
    finish(state: DeepseekState, sink: EventSink): void {
      if (state.mode === 'arguments') sink.toolEnd(state.calls - 1);
    },
  };
}

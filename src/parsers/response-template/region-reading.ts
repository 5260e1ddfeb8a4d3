import { checkJson, startCheck } from '../family/json-check.ts';
import { isBlank } from '../family/white-space.ts';
import { searchPattern } from '../pattern/pattern-search.ts';
import type { PatternMatch } from '../pattern/pattern-search.ts';
import type { RegionState } from './region-state.ts';
import type { Delimiter, FieldName, ResponseTemplate, TemplateField } from './template.ts';

/** A delimiter longer than this is none: what is held for one stays small. */
const MAX_DELIMITER = 4000;

/** Takes what a reading finds, in order. Texts are those parts that do not stand in the prompt. */
export interface RegionSink {
  /** @param explicit whether a delimiter opened the region, or else its first text */
  open(field: TemplateField, delimiter: string, explicit: boolean): void;
  text(field: TemplateField, text: string): void;
  /** @param body all of the region, where `readsWhole` asks for it */
  close(field: TemplateField, delimiter: string, body: string, captures: Readonly<Record<string, string>>): void;
  /** Whether the region is read as a whole, when it is closed. */
  readsWhole(field: TemplateField): boolean;
}

interface Hit {
  /** The field that is opened; null where the current region is closed. */
  opens: TemplateField | null;
  match: PatternMatch;
}

/** Of delimiters that begin at the same place the longest counts, then one that opens a region. */
function comesFirst(hit: Hit, other: Hit | null): boolean {
  if (!other) return true;
  const [a, b] = [hit.match, other.match];
  if (a.start !== b.start) return a.start < b.start;
  if (a.end !== b.end) return a.end > b.end;
  return hit.opens !== null && (other.opens === null || hit.opens.name < other.opens.name);
}

/** Reads text by a response template. */
export class RegionReading {
  private readonly template: ResponseTemplate;
  private readonly state: RegionState;
  private readonly sink: RegionSink;
  private text = '';

  constructor(template: ResponseTemplate, state: RegionState, sink: RegionSink) {
    this.template = template;
    this.state = state;
    this.sink = sink;
  }

  /** @param final nothing follows: all is given out, and the region closed */
  read(text: string, final: boolean): void {
    this.text = this.state.held + text;
    this.state.held = '';
    while (this.step(final));
    this.state.held = this.text;
  }

  /** The region that text goes to; null where it is dropped. */
  get current(): TemplateField | null {
    const { region } = this.state;
    return region === null ? this.template.implicit : this.field(region);
  }

  private field(name: FieldName): TemplateField | null {
    return this.template.fields.get(name) ?? null;
  }

  /** Reads as far as one delimiter. @returns whether there may be more to read */
  private step(final: boolean): boolean {
    const { hit, held } = this.scan(final);
    if (!hit) {
      this.give(held);
      if (this.breaksOff(final)) return true;
      if (final) this.close('');
      return false;
    }
    const { start, end, groups } = hit.match;
    this.give(start);
    if (this.breaksOff(false)) return true;
    const quotes = hit.opens === null && this.isInString();
    if (quotes) this.quote(end - start);
    else if (hit.opens) {
      this.close('');
      this.open(hit.opens, this.take(end - start), groups);
    } else this.close(this.take(end - start));
    return true;
  }

  /** The first delimiter that is certain, and from where on text must be held. */
  private scan(final: boolean): { hit: Hit | null; held: number } {
    let hit: Hit | null = null;
    let held = this.text.length;
    const look = (delimiter: Delimiter | null, opens: TemplateField | null): void => {
      if (!delimiter) return;
      const match = searchPattern(delimiter.pattern, { text: this.text, from: 0, before: this.state.before, final });
      if (!match) return;
      // A pattern's match at the end might still become another.
      const mayGrow = match.kind === 'match' && match.end === this.text.length && (delimiter.literals === null || delimiter.canExtend);
      if (match.kind === 'pending' || (mayGrow && !final)) held = Math.min(held, match.start);
      else if (match.end === match.start && (opens !== null || !this.state.opened)) return;
      else if (comesFirst({ opens, match }, hit)) hit = { opens, match };
    };
    if (this.state.region !== null) look(this.current?.close ?? null, null);
    else {
      for (const field of this.template.fields.values()) look(field.open, field);
      look(this.template.implicit?.close ?? null, null);
    }
    const found = hit as Hit | null;
    if (found && found.match.start < held) return { hit: found, held };
    return { hit: null, held: this.text.length - held > MAX_DELIMITER ? held + 1 : held };
  }

  /** Takes the next units away. @returns those that do not stand in the prompt */
  private take(length: number): string {
    const { state } = this;
    const taken = this.text.slice(0, length);
    this.text = this.text.slice(length);
    if (taken !== '') state.before = taken.slice(-1);
    const promptUnits = Math.min(state.promptUnits, length);
    state.promptUnits -= promptUnits;
    return taken.slice(promptUnits);
  }

  private give(length: number): void {
    if (length === 0) return;
    const all = this.text.slice(0, length);
    const shown = this.take(length);
    const { state, current } = this;
    if (!current) return;
    if (!state.opened) {
      state.opened = true;
      this.sink.open(current, '', false);
    }
    if (this.sink.readsWhole(current)) {
      state.body += all;
      if (current.isPlainJson) this.check(all);
    }
    if (shown !== '') this.sink.text(current, shown);
  }

  private check(text: string): void {
    const { check } = this.state;
    const end = checkJson(check, text, 0);
    if (check.expect === 'done' && !isBlank(text.slice(end))) check.expect = 'broken';
  }

  private isInString(): boolean {
    const { check, region } = this.state;
    return region !== null && (check.expect === 'in-string' || check.expect === 'in-key');
  }

  /** The next units look like a closing delimiter, but stand in a string. */
  private quote(length: number): void {
    const { state } = this;
    state.quoted ??= { from: state.body.length, to: state.body.length + length };
    this.give(length);
  }

  /** The text is no JSON, or ends too early: a closing delimiter that was taken for a part of a string was one after all. */
  private breaksOff(final: boolean): boolean {
    const { state } = this;
    const isJson = final ? state.check.expect === 'done' : state.check.expect !== 'broken';
    if (state.quoted === null || isJson) return false;
    const { from, to } = state.quoted;
    this.text = state.body.slice(to) + this.text;
    state.before = state.body.charAt(to - 1);
    const delimiter = state.body.slice(from, to);
    state.body = state.body.slice(0, from);
    this.close(delimiter);
    return true;
  }

  private open(field: TemplateField, delimiter: string, captures: Readonly<Record<string, string>>): void {
    const { state } = this;
    state.region = field.name;
    state.opened = true;
    state.captures = { ...captures };
    this.sink.open(field, delimiter, true);
  }

  /** Ends the current region, if it has begun. */
  private close(delimiter: string): void {
    const { state, current } = this;
    const { opened, body, captures } = state;
    state.region = null;
    state.opened = false;
    state.captures = {};
    state.body = '';
    state.check = startCheck();
    state.quoted = null;
    if (current && opened) this.sink.close(current, delimiter, body, captures);
  }
}

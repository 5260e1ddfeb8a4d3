import { z } from 'zod';
import { dumps, loadsOrText } from '../../core/python-json.ts';
import type { PythonValue } from '../../core/python-json.ts';
import type { EventSink, ParserContext, StreamParser, ToolFormat } from '../../core/stream-parser.ts';
import { dropBlankContentBesideCalls } from '../family/marked-answer.ts';
import { giveCall } from '../family/held-call.ts';
import { SEPARATOR, readChannels, unfinishedTag } from '../family/kimi-channels.ts';
import type { ChannelTag } from '../family/kimi-channels.ts';
import { heldTail } from '../family/marker-scan.ts';
import { isBlank } from '../family/white-space.ts';

interface KimiK3State {
  /**
   * `text`: in front of any channel; `response`: in it; `after`: behind it; `tools`: between calls; `call`: in one, between arguments;
   * `call-head`, `argument-head`: in the attributes of one; `value`: in an argument.
   */
  mode: 'text' | 'response' | 'after' | 'tools' | 'call-head' | 'call' | 'argument-head' | 'value';
  /** Text that may begin a tag, or attributes as far as they have come. */
  held: string;
  /** White space in front of a complete answer. */
  blank: string;
  /** More than that was given out. */
  said: boolean;
  name: string;
  key: string;
  type: string;
  value: string;
  /** The open call's arguments, each as JSON. */
  arguments: [key: string, json: string][];
  calls: number;
}

const stateSchema: z.ZodType<KimiK3State> = z.object({
  mode: z.enum(['text', 'response', 'after', 'tools', 'call-head', 'call', 'argument-head', 'value']),
  held: z.string(),
  blank: z.string(),
  said: z.boolean(),
  name: z.string(),
  key: z.string(),
  type: z.string(),
  value: z.string(),
  arguments: z.array(z.tuple([z.string(), z.string()])),
  calls: z.int().min(0),
});

const TEXT_TAGS: readonly ChannelTag[] = ['response-open', 'response-close', 'tools-open', 'message-close'];
const TAGS: Readonly<Record<KimiK3State['mode'], readonly ChannelTag[]>> = {
  text: TEXT_TAGS,
  response: TEXT_TAGS,
  after: ['tools-open'],
  tools: ['call'],
  'call-head': [],
  call: ['argument', 'call-close'],
  'argument-head': [],
  value: ['argument-close', 'call-close'],
};

const ATTRIBUTE = /(\w+)="([^"]*)"/g;

function attributesOf(text: string): ReadonlyMap<string, string> {
  const pairs = Array.from(text.matchAll(ATTRIBUTE), ([, key = '', value = '']): [string, string] => [key, value]);
  return new Map(pairs.map(([key, value]) => [key, value.replaceAll('&quot;', '"').replaceAll('&amp;', '&')]));
}

/** Reads one piece. */
class Reading {
  private readonly state: KimiK3State;
  private readonly sink: EventSink;
  private readonly context: ParserContext;

  constructor(state: KimiK3State, sink: EventSink, context: ParserContext) {
    this.state = state;
    this.sink = sink;
    this.context = context;
  }

  read(text: string): void {
    const { state } = this;
    state.held = '';
    let rest = text;
    while (rest !== '') {
      rest = this.isInHead() ? this.head(rest) : this.body(rest);
    }
  }

  /** The output has ended. A call that was cut off is none. */
  finish(): void {
    const { state } = this;
    if (state.mode !== 'text' && state.mode !== 'response') return;
    this.content(unfinishedTag(state.held));
    if (state.blank !== '') this.sink.content(state.blank);
  }

  private isInHead(): boolean {
    return this.state.mode === 'call-head' || this.state.mode === 'argument-head';
  }

  /** Reads attributes. @returns what is left to read */
  private head(text: string): string {
    const { state } = this;
    const end = text.indexOf(SEPARATOR);
    const kept = end === -1 ? text.length - heldTail(text, SEPARATOR) : end;
    state.value += text.slice(0, kept);
    if (end === -1) {
      state.held = text.slice(kept);
      return '';
    }
    const attributes = attributesOf(state.value);
    state.value = '';
    if (state.mode === 'call-head') {
      state.name = attributes.get('tool') ?? '';
      state.arguments = [];
      state.mode = 'call';
    } else {
      state.key = attributes.get('key') ?? '';
      state.type = attributes.get('type') ?? 'string';
      state.mode = 'value';
    }
    return text.slice(end + SEPARATOR.length);
  }

  private body(text: string): string {
    const { state } = this;
    let left = '';
    const tail = readChannels(
      text,
      () => (this.isInHead() ? [] : TAGS[state.mode]),
      (part) => {
        if (this.isInHead()) left += part;
        else this.text(part);
      },
      (name) => this.tag(name),
    );
    if (left === '') state.held = tail;
    return left;
  }

  private text(text: string): void {
    const { state } = this;
    if (state.mode === 'value') state.value += text;
    else if (state.mode === 'text' || state.mode === 'response') this.content(text);
  }

  private tag(name: ChannelTag): void {
    const { state } = this;
    if (name === 'tools-open') {
      if (state.blank !== '') this.sink.content(state.blank);
      state.blank = '';
      state.mode = 'tools';
    } else if (name === 'response-open') {
      state.blank = '';
      state.mode = 'response';
    } else if (name === 'response-close') state.mode = 'after';
    else if (name === 'call') state.mode = 'call-head';
    else if (name === 'argument') state.mode = 'argument-head';
    else if (name === 'argument-close' || name === 'call-close') {
      if (state.mode === 'value') this.endArgument();
      state.mode = 'call';
      if (name === 'call-close') this.endCall();
    }
  }

  private content(text: string): void {
    const { state } = this;
    if (text === '') return;
    if (this.context.mode === 'one-shot' && state.mode === 'text' && !state.said && isBlank(text)) state.blank += text;
    else {
      this.sink.content(state.blank + text);
      state.blank = '';
      state.said = true;
    }
  }

  private endArgument(): void {
    const { state } = this;
    const value: PythonValue = state.type === 'string' ? state.value : loadsOrText(state.value);
    state.arguments.push([state.key, dumps(value)]);
    state.value = '';
  }

  private endCall(): void {
    const { state } = this;
    state.mode = 'tools';
    if (state.name === '') return;
    // A key that comes again keeps its place and takes the new value.
    const members = Array.from(new Map(state.arguments), ([key, json]) => `${dumps(key)}: ${json}`);
    giveCall({ name: state.name, arguments: `{${members.join(', ')}}` }, state.calls, this.sink);
    state.calls += 1;
    state.arguments = [];
  }
}

function create(context: ParserContext): StreamParser<KimiK3State> {
  return {
    init: () => ({ mode: 'text', held: '', blank: '', said: false, name: '', key: '', type: '', value: '', arguments: [], calls: 0 }),
    push: (state, piece, sink) => new Reading(state, sink, context).read(state.held + piece.text),
    finish: (state, sink) => new Reading(state, sink, context).finish(),
  };
}

/**
 * Kimi K3: the answer in a response channel, then calls in a tools channel, each with its arguments typed by tags.
 *
 *     <|open|>response<|sep|>Let me look it up.<|close|>response<|sep|><|open|>tools<|sep|>
 *     <|open|>call tool="get_weather" index="1"<|sep|>
 *     <|open|>argument key="city" type="string"<|sep|>Bergen<|close|>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|>
 *
 * Specified by the model's chat template. As in the reference, a call comes when it is complete, one that is cut off is dropped, values
 * end at the first closing tag, a type that does not fit is text, text behind the response or the tools is dropped, and so are calls
 * without a name. Other than it: an argument that its call closes is kept, and tags with white space inside, or that close a message
 * without channels, do not show in streams.
 */
export const kimiK3: ToolFormat<KimiK3State> = {
  kind: 'tool',
  name: 'kimi_k3',
  aliases: [],
  models: 'Kimi K3',
  sample:
    '<|open|>tools<|sep|><|open|>call tool="get_weather" index="1"<|sep|><|open|>argument key="city" type="string"<|sep|>Bergen<|close|>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|>',
  stateVersion: 1,
  stateSchema,
  create,
  forcedChoice: 'markup',
  whenNone: 'parse',
  callDeltas: 'merged',
  complete: dropBlankContentBesideCalls,
};

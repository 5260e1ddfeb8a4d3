import { z } from 'zod';
import type { ParserContext, ReasoningFormat, ReasoningParser, ReasoningSink } from '../../core/stream-parser.ts';
import { SEPARATOR, readChannels, unfinishedTag } from '../family/kimi-channels.ts';
import type { ChannelTag } from '../family/kimi-channels.ts';
import { isTrue } from '../family/thinking-switch.ts';
import { isBlank } from '../family/white-space.ts';

interface KimiK3Reasoning {
  /** `unopened`: reasoning whose opening tag has not come; `answer`: behind reasoning, where no tool parser reads on. */
  mode: 'unopened' | 'reasoning' | 'answer' | 'ended';
  /** Text that may begin a tag. */
  held: string;
  /** White space in front of the answer. */
  blank: string;
  /** More than that was given out of the answer. */
  said: boolean;
}

const UNOPENED: readonly ChannelTag[] = ['think-open', 'think-close', 'response-open', 'tools-open'];
const REASONING: readonly ChannelTag[] = ['think-open', 'think-close'];
const ANSWER: readonly ChannelTag[] = ['response-open', 'response-close', 'message-close'];

function thinks({ thinking, enable_thinking: enabled = true }: ParserContext['chatTemplateKwargs']): boolean {
  return isTrue(thinking ?? enabled);
}

/** Whether the last tag of a thinking channel in the prompt closes it. */
function promptEnded(promptTokenIds: readonly number[], { vocabulary, chatTemplateKwargs }: ParserContext): boolean {
  if (!thinks(chatTemplateKwargs)) return true;
  const [open, close, word, separator] = ['<|open|>', '<|close|>', 'think', SEPARATOR].map((token) => vocabulary.tokenToId(token));
  const isTag = (at: number): boolean => promptTokenIds[at + 1] === word && promptTokenIds[at + 2] === separator;
  return promptTokenIds[promptTokenIds.findLastIndex((id, at) => (id === open || id === close) && isTag(at))] === close;
}

/** Reads one piece. */
class Reading {
  private readonly state: KimiK3Reasoning;
  private readonly sink: ReasoningSink;
  private readonly context: ParserContext;

  constructor(state: KimiK3Reasoning, sink: ReasoningSink, context: ParserContext) {
    this.state = state;
    this.sink = sink;
    this.context = context;
  }

  text(text: string): void {
    const { state } = this;
    if (state.mode === 'unopened' || state.mode === 'reasoning') this.sink.reasoning(text);
    else if (state.mode === 'answer' && !state.said && isBlank(text)) state.blank += text;
    else this.pass(text);
  }

  tag(name: ChannelTag, text: string): void {
    const { state } = this;
    if (name === 'think-close') this.end();
    else if (name === 'think-open') {
      if (state.mode === 'reasoning') this.sink.reasoning(text);
      state.mode = 'reasoning';
    } else if (state.mode === 'unopened') {
      this.end();
      if (name === 'tools-open' || this.context.hasToolParser) this.pass(text);
    } else if (name === 'response-open') state.blank = '';
  }

  /** The output has ended. */
  finish(): void {
    const { state } = this;
    const rest = unfinishedTag(state.held);
    if (rest !== '') this.text(rest);
    if (state.blank !== '') this.pass('');
  }

  private end(): void {
    this.state.mode = this.context.hasToolParser ? 'ended' : 'answer';
  }

  private pass(text: string): void {
    this.sink.pass({ text: this.state.blank + text, tokenId: null });
    this.state.blank = '';
    this.state.said = true;
  }
}

function tagsOf({ mode }: KimiK3Reasoning): readonly ChannelTag[] {
  if (mode === 'answer') return ANSWER;
  if (mode === 'ended') return [];
  return mode === 'unopened' ? UNOPENED : REASONING;
}

function create(context: ParserContext): ReasoningParser<KimiK3Reasoning> {
  return {
    init(promptTokenIds): KimiK3Reasoning {
      const ended = context.hasToolParser ? 'ended' : 'answer';
      return { mode: promptEnded(promptTokenIds, context) ? ended : 'unopened', held: '', blank: '', said: false };
    },
    push(state, piece, sink): void {
      const reading = new Reading(state, sink, context);
      state.held = readChannels(
        state.held + piece.text,
        () => tagsOf(state),
        (text) => reading.text(text),
        (name, tag) => reading.tag(name, tag),
      );
    },
    finish: (state, sink) => new Reading(state, sink, context).finish(),
    ended: (state) => state.mode === 'ended',
  };
}

/**
 * Kimi K3: reasoning in a channel of its own, whose opening tag may stand in the prompt.
 *
 *     <|open|>think<|sep|>Let me see.<|close|>think<|sep|><|open|>response<|sep|>It is 4.<|close|>response<|sep|><|close|>message<|sep|>
 *
 * Specified by the model's chat template. As in the reference, reasoning that the output opens goes on to its closing tag, whatever
 * channel is opened within; without a tool parser behind it, the tags around the answer are left out. Other than it: reasoning that the
 * output does not open ends where another channel begins, and white space in front of the answer's channel is never shown.
 */
export const kimiK3Reasoning: ReasoningFormat<KimiK3Reasoning> = {
  kind: 'reasoning',
  name: 'kimi_k3',
  aliases: [],
  models: 'Kimi K3',
  sample: '<|open|>think<|sep|>Let me see.<|close|>think<|sep|><|open|>response<|sep|>It is 4.<|close|>response<|sep|>',
  stateVersion: 1,
  stateSchema: z.object({
    mode: z.enum(['unopened', 'reasoning', 'answer', 'ended']),
    held: z.string(),
    blank: z.string(),
    said: z.boolean(),
  }),
  parsesWhenNone: true,
  create,
  promptEnded,
};

import { z } from 'zod';
import { dumps, tryLoads } from '../../core/python-json.ts';
import type { CompleteAnswer, EventSink, ParserContext, Piece, StreamParser, UnifiedFormat } from '../../core/stream-parser.ts';
import { parseHarmonyHeader } from '../family/harmony-header.ts';

/**
 * Harmony, the format of gpt-oss: a sequence of messages, each with a header that names a channel and, for calls, a recipient.
 *
 *     <|channel|>analysis<|message|>They want a forecast.<|end|><|start|>assistant<|channel|>commentary to=functions.get_forecast
 *     <|constrain|>json<|message|>{"place": "Oslo"}<|call|>
 *
 * `analysis` is reasoning; `final`, and `commentary` without a recipient, is content; a message to a function is a call; one to a
 * built-in tool on `commentary` is shown to nobody. Specified by OpenAI's harmony guide. The prompt ends in `<|start|>assistant`, so
 * the output begins inside a header.
 *
 * On purpose: a header that never became a message is dropped, unless its text cannot be that of a header, which is content (the reference
 * shows both with their markers); a call without a body has the arguments `{}`; text between messages is content; messages of one kind are
 * parted by a newline in streams as in complete answers.
 */
interface HarmonyState {
  /** `header`: before `<|message|>`; `body`: inside a message; `between`: behind a message, before `<|start|>`. */
  mode: 'header' | 'body' | 'between';
  /** Text of the open header, markers included, and where in it the text behind its last marker begins; 0 where it has none. */
  header: string;
  plainFrom: number;
  kind: 'reasoning' | 'content' | 'call' | 'hidden';
  calls: number;
  /** The open call got arguments. */
  written: boolean;
  /** Messages with reasoning and with content so far: newlines part them. */
  reasonings: number;
  contents: number;
}

const stateSchema: z.ZodType<HarmonyState> = z.object({
  mode: z.enum(['header', 'body', 'between']),
  header: z.string(),
  plainFrom: z.int().min(0),
  kind: z.enum(['reasoning', 'content', 'call', 'hidden']),
  calls: z.int().min(0),
  written: z.boolean(),
  reasonings: z.int().min(0),
  contents: z.int().min(0),
});

/** UTF-16 units behind a header's last marker, where a role, a channel or a recipient stands. */
const MAX_HEADER = 256;
/** A role, or a channel with a recipient and a type of content, as far as it came. */
const HEADER_TEXT = /^\s*\w*(?:\s+to(?:=\S*)?)?(?:\s+\w*)?$/;
const START = '<|start|>';
const MESSAGE = '<|message|>';
const ENDS = ['<|end|>', '<|return|>', '<|call|>'];

function endMessage(state: HarmonyState, sink: EventSink): void {
  if (state.kind === 'call') {
    if (!state.written) sink.toolArguments(state.calls - 1, '{}');
    sink.toolEnd(state.calls - 1);
  }
  state.mode = 'between';
  state.header = '';
}

function closeHeader(state: HarmonyState, sink: EventSink): void {
  const { kind, name } = parseHarmonyHeader(state.header);
  beginMessage(state, sink, kind);
  if (kind !== 'call') return;
  sink.toolStart(state.calls, name);
  sink.toolArguments(state.calls, '');
  state.calls += 1;
  state.written = false;
}

function beginMessage(state: HarmonyState, sink: EventSink, kind: HarmonyState['kind']): void {
  state.mode = 'body';
  state.header = '';
  state.plainFrom = 0;
  state.kind = kind;
  if (kind === 'reasoning') {
    if (state.reasonings > 0) sink.reasoning('\n');
    state.reasonings += 1;
  } else if (kind === 'content') {
    if (state.contents > 0) sink.content('\n');
    state.contents += 1;
  }
}

function write(state: HarmonyState, text: string, sink: EventSink): void {
  if (state.kind === 'reasoning') sink.reasoning(text);
  else if (state.kind === 'content') sink.content(text);
  else if (state.kind === 'call') {
    sink.toolArguments(state.calls - 1, text);
    state.written = true;
  }
}

/** Text that is too long for a header is the body of a message without its marker: the header would go on to hold all of it. */
function breakHeader(state: HarmonyState, sink: EventSink): void {
  const { header, plainFrom } = state;
  if (header.length - plainFrom <= MAX_HEADER) return;
  beginMessage(state, sink, parseHarmonyHeader(header).kind === 'reasoning' ? 'reasoning' : 'content');
  write(state, header.slice(plainFrom), sink);
}

/** The output has ended in a header: what cannot stand there is content. */
function giveUnclosed({ header, plainFrom }: HarmonyState, sink: EventSink): void {
  const text = header.slice(plainFrom);
  if (text !== '' && (plainFrom === 0 || !HEADER_TEXT.test(text))) sink.content(text);
}

function create({ vocabulary }: ParserContext): StreamParser<HarmonyState> {
  const idOf = (token: string): number => vocabulary.tokenToId(token) ?? -1;
  const startId = idOf(START);
  const messageId = idOf(MESSAGE);
  const endIds = new Set(ENDS.map(idOf));

  return {
    init: () => ({ mode: 'header', header: '', plainFrom: 0, kind: 'hidden', calls: 0, written: false, reasonings: 0, contents: 0 }),
    push(state: HarmonyState, piece: Piece, sink: EventSink): void {
      const { text, tokenId } = piece;
      if (state.mode === 'body') {
        if (tokenId !== null && endIds.has(tokenId)) endMessage(state, sink);
        else if (text !== '') write(state, text, sink);
      } else if (tokenId === startId) {
        state.mode = 'header';
        state.header = text;
        state.plainFrom = text.length;
      } else if (state.mode === 'header' && tokenId === messageId) {
        closeHeader(state, sink);
      } else if (state.mode === 'header') {
        if (tokenId !== null && endIds.has(tokenId)) return;
        state.header += text;
        if (tokenId !== null) state.plainFrom = state.header.length;
        breakHeader(state, sink);
      } else if (tokenId === null && text.trim() !== '') {
        sink.content(text);
      }
    },
    finish(state: HarmonyState, sink: EventSink): void {
      if (state.mode === 'body') endMessage(state, sink);
      else if (state.mode === 'header') giveUnclosed(state, sink);
      state.mode = 'header';
      state.header = '';
    },
  };
}

/** In a complete answer arguments are serialised again where they are JSON, with everything beyond ASCII escaped. */
function complete(answer: CompleteAnswer): void {
  for (const call of answer.toolCalls) {
    const value = tryLoads(call.arguments);
    if (value !== undefined) call.arguments = dumps(value, { ensureAscii: true });
  }
}

export const openai: UnifiedFormat<HarmonyState> = {
  kind: 'unified',
  name: 'openai',
  aliases: [],
  toolNames: ['openai', 'gpt-oss', 'gpt_oss', 'harmony'],
  reasoningNames: ['openai_gptoss', 'gpt-oss', 'gpt_oss', 'harmony'],
  models: 'gpt-oss',
  sample:
    '<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>commentary to=functions.f <|constrain|>json<|message|>{"a": 1}<|call|>',
  stateVersion: 1,
  stateSchema,
  requiredTokens: [START, MESSAGE, '<|channel|>', ...ENDS],
  create,
  promptEnded: () => true,
  forcedChoice: 'markup',
  whenNone: 'parse',
  callDeltas: 'merged',
  complete,
};

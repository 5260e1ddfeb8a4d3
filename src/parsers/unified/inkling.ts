import type { ParserContext, UnifiedFormat } from '../../core/stream-parser.ts';
import { END_SAMPLING, INKLING_MARKERS, MODEL, TEXT, THINKING, createInklingParser, inklingState } from '../family/inkling-blocks.ts';
import type { InklingState } from '../family/inkling-blocks.ts';
import { coerceArguments } from '../family/json-coercion.ts';
import { dropBlankContentBesideCalls } from '../family/marked-answer.ts';

function lastOf(promptTokenIds: readonly number[], tokens: readonly string[], context: ParserContext): string | undefined {
  const byId = new Map(tokens.map((token) => [context.vocabulary.tokenToId(token), token]));
  const last = promptTokenIds.findLast((id) => byId.has(id));
  return last === undefined ? undefined : byId.get(last);
}

/** Where the prompt leaves off: mostly in a header, whether it says so or not. */
function startMode(promptTokenIds: readonly number[], context: ParserContext): InklingState['mode'] {
  const last = lastOf(promptTokenIds, Object.values(INKLING_MARKERS.spellings).flat(), context);
  if (last === THINKING) return 'reasoning';
  return promptEnded(promptTokenIds, context) ? 'content' : 'header';
}

function promptEnded(promptTokenIds: readonly number[], context: ParserContext): boolean {
  const last = lastOf(promptTokenIds, [MODEL, TEXT, THINKING, END_SAMPLING], context);
  return last === TEXT || last === END_SAMPLING;
}

/**
 * Inkling: messages in blocks, each of a kind of its own. Text between a message's beginning and its kind is its header, and not shown.
 *
 *     <|message_model|><|content_thinking|>Let me see.<|end_message|>
 *     <|message_model|><|content_invoke_tool_json|>{"name": "get_weather", "args": {"city": "Bergen"}}<|end_message|>
 *     <|message_model|><|content_text|>It rains.<|end_message|><|content_model_end_sampling|>
 *
 * Specified by the reference. As there, a message's end ends a call wherever it stands, and a call whose name was cut off is none. Other
 * than it: JSON that names no function is content, as is text behind a call's object, values without a type stay as written, arguments
 * may be called `arguments` or `parameters`, a message may begin where a call was not closed, and what a prompt opened goes on in
 * complete answers too.
 */
export const inkling: UnifiedFormat<InklingState> = {
  kind: 'unified',
  name: 'inkling',
  aliases: [],
  toolNames: ['inkling'],
  reasoningNames: ['inkling'],
  models: 'Inkling',
  sample: '<|message_model|><|content_text|>It is 4.<|end_message|>',
  stateVersion: 1,
  stateSchema: inklingState,
  create: (context) => createInklingParser((promptTokenIds) => startMode(promptTokenIds, context), context),
  promptEnded,
  forcedChoice: 'markup',
  whenNone: 'parse',
  callDeltas: 'merged',
  complete(answer, context) {
    coerceArguments(answer, context, true);
    dropBlankContentBesideCalls(answer);
  },
};

import type { ParserContext, ToolFormat } from '../../core/stream-parser.ts';
import { dropBlankContent } from '../family/complete-answer.ts';
import { coerceArguments } from '../family/json-coercion.ts';
import { stripContentBesideCalls } from '../family/marked-answer.ts';
import { ARGS, TOOL_CALLS, mistralState } from '../family/mistral-form.ts';
import type { MistralState } from '../family/mistral-form.ts';
import { createMistralLists } from '../family/mistral-lists.ts';
import { createMistralNames } from '../family/mistral-names.ts';

/** Which of the two forms a model writes shows in its tokenizer. */
function writesNames({ vocabulary }: ParserContext): boolean {
  return vocabulary.tokenToId(ARGS) !== undefined;
}

/**
 * Mistral: before version 11 of the tokenizers all calls in one JSON list, later each with its name, an id in some versions, and its
 * arguments.
 *
 *     [TOOL_CALLS][{"name": "get_weather", "arguments": {"city": "Bergen"}}]
 *     [TOOL_CALLS]get_weather[CALL_ID]a1B2c3D4e[ARGS]{"city": "Bergen"}
 *
 * Specified by mistral-common. As in the reference, ids have nine letters and digits, of a list that breaks off inside a call the token
 * that broke it is dropped, and so is, behind a call, one that was cut off before its name. Other than it: a closing marker is left out, markers inside strings are text, there may be several lists, later models may write
 * lists too, ids of calls are read, arguments may come before the name, text behind calls stays in complete answers, streamed arguments
 * are brought into the types of their schemas where complete ones are, calls without arguments get `{}`, and what makes no call is
 * content in streams too, as are calls of the older form under tool choice `none`.
 */
export const mistral: ToolFormat<MistralState> = {
  kind: 'tool',
  name: 'mistral',
  aliases: [],
  models: 'Mistral, Mixtral, Ministral, Magistral, Devstral',
  sample: '[TOOL_CALLS]get_weather[ARGS]{"city": "Bergen"}',
  stateVersion: 1,
  stateSchema: mistralState,
  requiredTokens: [TOOL_CALLS],
  create: (context) => (writesNames(context) ? createMistralNames(context) : createMistralLists(context)),
  forcedChoice: 'markup',
  whenNone: 'parse',
  callDeltas: 'merged',
  shortIds: true,
  complete(answer, context) {
    if (writesNames(context)) {
      coerceArguments(answer, context);
      stripContentBesideCalls(answer);
    } else dropBlankContent(answer, context);
  },
};

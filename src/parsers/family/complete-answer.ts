import { dumps, tryLoads } from '../../core/python-json.ts';
import type { CompleteAnswer, ParserContext } from '../../core/stream-parser.ts';

/** In complete answers, content that is only white space is left out beside a call, and where a call was forced. */
export function dropBlankContent(answer: CompleteAnswer, context: ParserContext): void {
  const { toolChoice } = context;
  const forced = toolChoice === 'required' || (toolChoice !== null && typeof toolChoice === 'object');
  if ((answer.toolCalls.length > 0 || forced) && answer.content?.trim() === '') answer.content = null;
}

/** In complete answers, arguments that are valid JSON are read and serialised again. */
export function reserialiseArguments(answer: CompleteAnswer): void {
  for (const call of answer.toolCalls) {
    const value = tryLoads(call.arguments);
    if (value !== undefined) call.arguments = dumps(value);
  }
}

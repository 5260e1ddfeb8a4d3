import { dumps, tryLoads } from '../../core/python-json.ts';
import type { CompleteAnswer, ParserContext } from '../../core/stream-parser.ts';
import { strip } from './white-space.ts';

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

/** In complete answers with calls, the texts before and behind the first call are stripped and joined by a newline. */
export function joinStrippedParts(answer: CompleteAnswer): void {
  if (answer.toolCalls.length === 0) return;
  const [before = '', ...behind] = answer.contentParts;
  const texts = [before, behind.join('')].map(strip).filter((text) => text !== '');
  answer.content = texts.join('\n') || null;
}

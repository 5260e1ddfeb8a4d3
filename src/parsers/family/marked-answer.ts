import { dumps, tryLoads } from '../../core/python-json.ts';
import type { CompleteAnswer } from '../../core/stream-parser.ts';
import { isBlank, strip } from './white-space.ts';

/** In complete answers, content beside calls loses the white space around it. */
export function stripContentBesideCalls(answer: CompleteAnswer): void {
  mergeRepeatedParameters(answer);
  if (answer.toolCalls.length > 0 && answer.content !== null) answer.content = strip(answer.content) || null;
}

/** In complete answers, content beside calls that is only white space is left out. */
export function dropBlankContentBesideCalls(answer: CompleteAnswer): void {
  mergeRepeatedParameters(answer);
  if (answer.toolCalls.length > 0 && answer.content !== null && isBlank(answer.content)) answer.content = null;
}

/** A parameter that the model wrote twice stands twice in a stream, where the first could not be taken back; here the last one counts. */
function mergeRepeatedParameters(answer: CompleteAnswer): void {
  for (const call of answer.toolCalls) {
    const value = tryLoads(call.arguments);
    if (value instanceof Map) call.arguments = dumps(value);
  }
}

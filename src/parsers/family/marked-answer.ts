import { dumps, tryLoads } from '../../core/python-json.ts';
import type { CompleteAnswer } from '../../core/stream-parser.ts';
import { isBlank, strip } from './white-space.ts';

/** In complete answers, content beside calls loses the white space around it. */
export function stripContentBesideCalls(answer: CompleteAnswer): void {
  if (answer.toolCalls.length > 0 && answer.content !== null) answer.content = strip(answer.content) || null;
}

/** In complete answers, content beside calls that is only white space is left out. */
export function dropBlankContentBesideCalls(answer: CompleteAnswer): void {
  if (answer.toolCalls.length > 0 && answer.content !== null && isBlank(answer.content)) answer.content = null;
}

/**
 * In complete answers, the last of a parameter's values counts where the model wrote several. In a stream all of them stand in the JSON,
 * since the first could not be taken back.
 */
export function mergeRepeatedParameters(answer: CompleteAnswer): void {
  for (const call of answer.toolCalls) {
    const value = tryLoads(call.arguments);
    if (value instanceof Map) call.arguments = dumps(value);
  }
}

import { badRequest } from '../core/errors.ts';
import type { OutputItem } from '../protocol/response-output.ts';
import type { ChatCompletion } from './answers.ts';
import { appendText, callItem, completeItem, messageItem, outputLogprobs, reasoningItem } from './response-items.ts';
import { responseObject, responseStatus, responseUsage } from './responses-answer.ts';
import type { ResponseAnswer, ResponsesContext } from './responses-answer.ts';

/**
 * A chat completion as a response: reasoning, message and calls, in this order. Only the last item can have been cut short.
 * @throws ApiError 400 for several choices, of which a response has no form
 */
export function responseFromChat(completion: ChatCompletion, context: ResponsesContext): ResponseAnswer {
  const [choice, ...others] = completion.choices;
  if (!choice || others.length > 0)
    throw badRequest(`A response is made of one choice, the engine's answer has ${completion.choices.length}.`);
  const { reasoning, content, tool_calls: calls = [] } = choice.message;
  const output: OutputItem[] = [];
  const add = (item: OutputItem, text: string): void => {
    appendText(item, text);
    output.push(item);
  };
  if (reasoning) add(reasoningItem(), reasoning);
  if (content) {
    const message = messageItem();
    if (message.content[0] && context.withLogprobs) message.content[0].logprobs = outputLogprobs(choice.logprobs);
    add(message, content);
  }
  for (const { id, function: called } of calls) add(callItem(id, context.tool(called.name)), called.arguments);
  for (const [at, item] of output.entries()) completeItem(item, choice.finish_reason === 'length' && at === output.length - 1);
  const { prompt_tokens: input, completion_tokens: written } = completion.usage;
  return responseObject(context, {
    id: completion.id,
    createdAt: completion.created,
    model: completion.model,
    status: responseStatus(choice.finish_reason),
    output,
    usage: responseUsage(input, written ?? 0),
  });
}

import { badRequest } from '../core/errors.ts';
import { loads } from '../core/python-json.ts';
import type { AnswerToolCall, ChatCompletion } from './answers.ts';
import { randomId } from './generated-ids.ts';
import { messageStop, messageUsage } from './messages-answer.ts';
import type { ContentBlock, MessageAnswer, ToolUseBlock } from './messages-answer.ts';

interface ReadArguments {
  input: unknown;
  complete: boolean;
}

/** The value that arguments are, its numbers as the model wrote them; the text itself where that is no JSON. */
function readArguments(text: string): ReadArguments {
  if (text.trim() === '') return { input: {}, complete: true };
  try {
    // NaN and the like, which Python's reader lets pass, have no place in an answer.
    JSON.parse(text);
    return { input: loads(text), complete: true };
  } catch {
    return { input: text, complete: false };
  }
}

function toolUse({ id, function: { name, arguments: text } }: AnswerToolCall): ToolUseBlock & { complete: boolean } {
  return { type: 'tool_use', id, name, caller: { type: 'direct' }, ...readArguments(text) };
}

/**
 * A chat completion as an Anthropic message: thinking, text and tool use, in this order. An empty answer is one empty text block, as clients
 * expect a first block.
 * @throws ApiError 400 for several choices, of which a message has no form
 */
export function messageFromChat(completion: ChatCompletion): MessageAnswer {
  const [choice, ...others] = completion.choices;
  if (!choice || others.length > 0)
    throw badRequest(`A message is made of one choice, the engine's answer has ${completion.choices.length}.`);
  const { reasoning, content, tool_calls: calls = [] } = choice.message;
  const blocks: ContentBlock[] = [];
  if (reasoning) blocks.push({ type: 'thinking', thinking: reasoning, signature: randomId() });
  if (content) blocks.push({ type: 'text', text: content, citations: null });
  const uses = calls.map(toolUse);
  for (const { complete: _, ...block } of uses) blocks.push(block);
  if (blocks.length === 0) blocks.push({ type: 'text', text: '', citations: null });
  const { prompt_tokens: input, completion_tokens: output } = completion.usage;
  return {
    id: completion.id,
    type: 'message',
    role: 'assistant',
    content: blocks,
    model: completion.model,
    ...messageStop(choice.finish_reason, choice.stop_reason, { used: uses.length > 0, complete: uses.at(-1)?.complete ?? false }),
    stop_details: null,
    container: null,
    diagnostics: null,
    usage: messageUsage(input, output ?? 0),
  };
}

import type {
  CustomCallItem,
  FunctionCallItem,
  MessageItem,
  OutputItem,
  OutputLogprob,
  ReasoningItem,
} from '../protocol/response-output.ts';
import type { ChatLogprob, ChatLogprobs } from './answers.ts';
import { randomId } from './generated-ids.ts';
import { customInput } from './responses-answer.ts';
import type { CalledTool } from './responses-answer.ts';

/** Items of a response's output, as they stand when they begin. */

export function reasoningItem(): ReasoningItem {
  const content = [{ type: 'reasoning_text' as const, text: '' }];
  return { type: 'reasoning', id: `rs_${randomId()}`, summary: [], content, encrypted_content: null, status: 'in_progress' };
}

export function messageItem(): MessageItem {
  const content = [{ type: 'output_text' as const, text: '', annotations: [], logprobs: [] }];
  return { type: 'message', id: `msg_${randomId()}`, role: 'assistant', content, status: 'in_progress' };
}

export function callItem(callId: string, { name, namespace, custom }: CalledTool): FunctionCallItem | CustomCallItem {
  if (custom) return { type: 'custom_tool_call', id: `ctc_${randomId()}`, call_id: callId, name, input: '' };
  const item: FunctionCallItem = {
    type: 'function_call',
    id: `fc_${randomId()}`,
    call_id: callId,
    name,
    arguments: '',
    status: 'in_progress',
  };
  return namespace === null ? item : { ...item, namespace };
}

function outputLogprob({ token, logprob, bytes }: ChatLogprob): Omit<OutputLogprob, 'top_logprobs'> {
  return { token, logprob, bytes: bytes ?? [] };
}

/** Log probabilities in the form of the Responses API. */
export function outputLogprobs(logprobs: ChatLogprobs | null): OutputLogprob[] {
  return (logprobs?.content ?? []).map((entry) => ({ ...outputLogprob(entry), top_logprobs: entry.top_logprobs.map(outputLogprob) }));
}

/** Adds text to an item. */
export function appendText(item: OutputItem, text: string): void {
  if (item.type === 'function_call') item.arguments += text;
  else if (item.type === 'custom_tool_call') item.input += text;
  else {
    const part = item.content[0];
    if (part) part.text += text;
  }
}

/** Completes an item. @param cut the output ended with it for want of length */
export function completeItem(item: OutputItem, cut: boolean): void {
  if (item.type === 'custom_tool_call') item.input = customInput(item.input);
  else item.status = cut ? 'incomplete' : 'completed';
}

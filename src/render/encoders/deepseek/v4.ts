import { badRequest } from '../../../core/errors.ts';
import type { Tokenizer } from '../../../tokenizer/tokenizer.ts';
import type { ChatEncoder, ChatEncoderInput, JsonObject } from '../../chat-encoder.ts';
import { member, textOf, truthy } from '../json-value.ts';
import { readArguments } from './dsml.ts';
import { mergeToolResults, sortToolResults } from './tool-results.ts';
import { renderTurns, type V4Dialect } from './v4-turns.ts';

/** The prompt of DeepSeek V4, as its makers publish it (`encoding_dsv4.py` in the model's repository). */

type Effort = 'low' | 'high' | 'max';

const EFFORT_TEXTS: Readonly<Record<Effort, string>> = {
  low: '',
  high: `Reasoning Effort: Absolute maximum with no shortcuts permitted.
You MUST be very thorough in your thinking and comprehensively decompose the problem to resolve the root cause, rigorously stress-testing your logic against all potential paths, edge cases, and adversarial scenarios.
Explicitly write out your entire deliberation process, documenting every intermediate step, considered alternative, and rejected hypothesis to ensure absolutely no assumption is left unchecked.

`,
  max: `Reasoning Effort: Beyond maximum — exhaustive, relentless, and uncompromising.
You MUST reason with the utmost depth and rigor, leaving absolutely nothing to chance: exhaustively decompose the problem into its most fundamental components, trace every causal chain to its root, and resolve the underlying cause rather than any surface symptom.
Do not stop reasoning until you have independently verified the solution from multiple angles and are certain that no assumption remains unchecked and no error remains undiscovered.

`,
};

function dialectFor(effort: Effort): V4Dialect {
  return {
    block: 'tool_calls',
    invoke: 'invoke',
    parameter: 'parameter',
    argumentsOf: readArguments,
    isQuestion: ({ role }) => role === 'user' || role === 'developer',
    head: (_first, thinking) => (thinking ? EFFORT_TEXTS[effort] : ''),
    systemMark: () => '',
    opensAnswer: (_index, isLast, nextRole) => isLast || nextRole === 'assistant',
  };
}

/** Thinking is on unless an argument says otherwise; the effort `none` turns it off. */
function thinkingOf(kwargs: ChatEncoderInput['templateKwargs']): { thinking: boolean; effort: Effort } {
  const chosen = 'thinking' in kwargs || 'enable_thinking' in kwargs;
  const thinking = !chosen || truthy(kwargs['thinking']) || truthy(kwargs['enable_thinking']);
  const effort = kwargs['reasoning_effort'];
  if (typeof effort !== 'string') return { thinking, effort: 'high' };
  if (effort === 'none') return { thinking: false, effort: 'low' };
  if (effort === 'max') return { thinking, effort };
  return { thinking, effort: ['low', 'minimal', 'medium'].includes(effort) ? 'low' : 'high' };
}

function contentText(content: unknown): unknown {
  if (!Array.isArray(content)) return content;
  return content
    .map((part) => {
      if (typeof part === 'string') return part;
      if (member(part, 'type') === 'text') return textOf(member(part, 'text'));
      throw badRequest(`Content parts of type ${JSON.stringify(member(part, 'type'))} are not known to this model.`);
    })
    .join('\n\n');
}

/** Content as one text; a tool's result keeps its parts. */
function flattened(message: JsonObject): JsonObject {
  return message['role'] === 'tool' ? message : { ...message, content: contentText(message['content']) };
}

function withTools(conversation: readonly JsonObject[], tools: readonly JsonObject[] | null): readonly JsonObject[] {
  if (tools === null || tools.length === 0) return conversation;
  const at = conversation.findIndex(({ role }) => role === 'system');
  if (at < 0) return [{ role: 'system', tools }, ...conversation];
  return conversation.with(at, { ...conversation[at], tools });
}

function render({ conversation, tools, templateKwargs }: ChatEncoderInput): string {
  const { thinking, effort } = thinkingOf(templateKwargs);
  const messages = withTools(conversation, tools).map(flattened);
  const turns = sortToolResults(mergeToolResults(messages, ({ content }) => [{ type: 'text', text: content }]));
  const dropThinking = templateKwargs['drop_thinking'] === undefined || truthy(templateKwargs['drop_thinking']);
  return renderTurns(turns, dialectFor(effort), thinking, dropThinking);
}

/** The encoder for DeepSeek V4: token ids of a text whose special tokens count as such. */
export function createDeepseekV4Encoder(tokenizer: Tokenizer): ChatEncoder {
  return {
    name: 'deepseek_v4',
    contentFormat: 'openai',
    encode: async (input) => ({ tokenIds: await tokenizer.encode(render(input), false) }),
    completionSuffix: fimPrompt,
  };
}

/** Fill-in-the-middle prompt of DeepSeek V4 and V4.1. */
export function fimPrompt(prompt: string, suffix: string): string {
  return `<｜fim▁begin｜>${prompt}<｜fim▁hole｜>${suffix}<｜fim▁end｜>`;
}

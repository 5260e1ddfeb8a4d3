import type { PromptPiece } from '../prompt-pieces.ts';

/** A message of a Harmony conversation; `contents` are written one after another. */
export interface HarmonyMessage {
  readonly role: 'user' | 'assistant' | 'system' | 'developer' | 'tool';
  /** The author's name; tools always have one. */
  readonly name?: string;
  readonly channel?: string;
  readonly recipient?: string;
  readonly contentType?: string;
  readonly contents: readonly string[];
}

const CONSTRAIN = '<|constrain|>';

/**
 * The header between `<|start|>` and `<|message|>`. gpt-oss was trained with the recipient of a tool call behind the role
 * (`assistant to=NAME<|channel|>commentary json`); everywhere else it stands behind the channel, and a format behind `<|constrain|>`.
 */
function headerPieces({ role, name, channel, recipient, contentType }: HarmonyMessage): PromptPiece[] {
  const author = role === 'tool' ? (name ?? '') : name === undefined ? role : `${role}:${name}`;
  const to = recipient === undefined || recipient === 'all' ? '' : ` to=${recipient}`;
  const format = contentType?.startsWith(CONSTRAIN) === true ? contentType.slice(CONSTRAIN.length) : contentType;
  if (author === 'assistant' && channel !== undefined && to !== '' && format !== undefined && format !== '') {
    return [{ text: author + to }, { token: '<|channel|>' }, { text: `${channel} ${format}` }];
  }
  const constrained: PromptPiece[] = format === undefined ? [] : [{ token: CONSTRAIN }, { text: format }];
  const gap = format === undefined ? '' : ' ';
  if (channel === undefined) return [{ text: author + to + gap }, ...constrained];
  return [{ text: author }, { token: '<|channel|>' }, { text: channel + to + gap }, ...constrained];
}

/** A message with its header; calls of an assistant end in `<|call|>`. */
function messagePieces(message: HarmonyMessage): PromptPiece[] {
  const isCall = message.role === 'assistant' && message.recipient !== undefined;
  return [
    { token: '<|start|>' },
    ...headerPieces(message),
    { token: '<|message|>' },
    ...message.contents.map((text) => ({ text })),
    { token: isCall ? '<|call|>' : '<|end|>' },
  ];
}

/** The conversation and the begin of the answer. */
export function conversationPieces(messages: readonly HarmonyMessage[]): PromptPiece[] {
  return [...withoutOldAnalysis(messages).flatMap(messagePieces), { token: '<|start|>' }, { text: 'assistant' }];
}

/** The reasoning before the last final answer is not shown to the model again. */
function withoutOldAnalysis(messages: readonly HarmonyMessage[]): HarmonyMessage[] {
  const lastFinal = messages.findLastIndex(({ role, channel }) => role === 'assistant' && channel === 'final');
  return messages.filter(({ channel }, index) => index >= lastFinal || channel !== 'analysis');
}

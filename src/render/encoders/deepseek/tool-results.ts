import type { JsonObject } from '../../chat-encoder.ts';
import { items, member, textOf, truthy } from '../json-value.ts';

/** A piece of a user turn: text, or the result of a tool call. */
export interface TurnBlock {
  readonly type: string;
  readonly text?: unknown;
  readonly content?: unknown;
  readonly toolCallId?: string;
}

/** A message whose tool results have moved into user turns (`blocks`). */
export interface Turn extends JsonObject {
  readonly role: unknown;
  readonly blocks?: TurnBlock[];
}

function canTakeResults(turn: Turn | undefined): turn is Turn & { blocks: TurnBlock[] } {
  return turn?.role === 'user' && turn.blocks !== undefined;
}

/**
 * DeepSeek V4 has no tool role: consecutive tool and user messages become one user turn. A user message with a task starts its own turn
 * and takes no later user text.
 * @param userBlocks the pieces of a user message
 */
export function mergeToolResults(messages: readonly JsonObject[], userBlocks: (message: JsonObject) => TurnBlock[]): Turn[] {
  const turns: Turn[] = [];
  for (const message of messages) {
    const last = turns.at(-1);
    if (message['role'] === 'tool') {
      const block = { type: 'tool_result', content: message['content'] ?? '', toolCallId: textOf(message['tool_call_id']) };
      if (canTakeResults(last)) last.blocks.push(block);
      else turns.push({ role: 'user', blocks: [block] });
    } else if (message['role'] === 'user') {
      const blocks = userBlocks(message);
      if (canTakeResults(last) && (last['task'] ?? null) === null) last.blocks.push(...blocks);
      else turns.push({ ...message, role: 'user', blocks });
    } else {
      turns.push({ ...message, role: message['role'] });
    }
  }
  return turns;
}

function callId(call: unknown): string {
  return textOf(member(call, 'id')) || textOf(member(member(call, 'function'), 'id'));
}

/** The results of a turn in the order of the calls that they answer; results of unknown calls count as the first call's. */
export function sortToolResults(turns: readonly Turn[]): Turn[] {
  let order = new Map<string, number>();
  return turns.map((turn) => {
    if (turn.role === 'assistant' && truthy(turn['tool_calls'])) {
      order = new Map(items(turn['tool_calls']).map((call, index) => [callId(call), index]));
      order.delete('');
      return turn;
    }
    const results = turn.blocks?.filter(({ type }) => type === 'tool_result') ?? [];
    if (turn.role !== 'user' || turn.blocks === undefined || results.length < 2 || order.size === 0) return turn;
    const place = (block: TurnBlock): number => order.get(block.toolCallId ?? '') ?? 0;
    const sorted = results.sort((a, b) => place(a) - place(b)).values();
    return { ...turn, blocks: turn.blocks.map((block) => (block.type === 'tool_result' ? (sorted.next().value ?? block) : block)) };
  });
}

/** What a user turn says: its pieces with an empty line between them. */
export function blocksText(blocks: readonly TurnBlock[]): string {
  return blocks.map(blockText).join('\n\n');
}

function blockText({ type, text, content }: TurnBlock): string {
  if (type === 'text') return textOf(text);
  if (type !== 'tool_result') return `[Unsupported ${type}]`;
  const result = Array.isArray(content) ? content.map(resultPart).join('\n\n') : textOf(content);
  return `<tool_result>${result}</tool_result>`;
}

function resultPart(part: unknown): string {
  return member(part, 'type') === 'text' ? textOf(member(part, 'text')) : `[Unsupported ${textOf(member(part, 'type'))}]`;
}

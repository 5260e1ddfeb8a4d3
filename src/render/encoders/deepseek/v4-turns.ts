import { badRequest } from '../../../core/errors.ts';
import { items, textOf, truthy } from '../json-value.ts';
import {
  ASSISTANT,
  BEGIN_OF_SENTENCE,
  dsmlCalls,
  dsmlElement,
  END_OF_SENTENCE,
  END_THINK,
  responseFormatText,
  THINK,
  toolSchemas,
  USER,
} from './dsml.ts';
import type { DsmlDialect } from './dsml.ts';
import { blocksText, type Turn } from './tool-results.ts';

/** What DeepSeek V4 and V4.1 have in common: the turns of a chat whose tool results are part of user turns. */

/** What one version does its own way. */
export interface V4Dialect extends DsmlDialect {
  readonly argumentsOf: (args: unknown) => [string, unknown][];
  /** Whether a turn counts as a question (reasoning before the last one is dropped). */
  readonly isQuestion: (turn: Turn, index: number) => boolean;
  /** What stands before the first turn. */
  readonly head: (first: Turn, thinking: boolean) => string;
  /** What stands before a system text. */
  readonly systemMark: (index: number) => string;
  /** Whether an answer begins after a system turn that ends the chat or stands before an answer. */
  readonly opensAnswer: (index: number, isLast: boolean, nextRole: unknown) => boolean;
}

interface Chat {
  readonly turns: readonly Turn[];
  readonly dialect: V4Dialect;
  readonly thinking: boolean;
  readonly dropThinking: boolean;
  readonly lastQuestion: number;
}

const TASKS = new Set(['action', 'query', 'authority', 'domain', 'title', 'read_url']);
const KEPT_ROLES = new Set<unknown>(['user', 'system', 'tool', 'latest_reminder', 'direct_search_results']);

function toolsText(tools: unknown, dialect: V4Dialect): string {
  const parameter = dsmlElement(dialect.parameter, ' name="$PARAMETER_NAME" string="true|false"', '$PARAMETER_VALUE');
  const first = dsmlElement(dialect.invoke, ' name="$TOOL_NAME"', `\n${parameter}\n...\n`);
  const second = dsmlElement(dialect.invoke, ' name="$TOOL_NAME2"', '\n...\n');
  return `## Tools

You have access to a set of tools to help answer the user's question. You can invoke tools by writing a "<｜DSML｜${dialect.block}>" block like the following:

${dsmlElement(dialect.block, '', `\n${first}\n${second}\n`)}

String parameters should be specified as is and set \`string="true"\`. For all other types (numbers, booleans, arrays, objects), pass the value in JSON format and set \`string="false"\`.

If thinking_mode is enabled (triggered by ${THINK}), you MUST output your complete reasoning inside ${THINK}...${END_THINK} BEFORE any tool calls or final response.

Otherwise, output directly after ${END_THINK} with tool calls or final response.

### Available Tool Schemas

${toolSchemas(tools)}

You MUST strictly follow the above defined tool name and parameter schemas to invoke tool calls.
`;
}

function extras(turn: Turn, dialect: V4Dialect): string {
  const tools = truthy(turn['tools']) ? `\n\n${toolsText(turn['tools'], dialect)}` : '';
  const format = truthy(turn['response_format']) ? `\n\n${responseFormatText(turn['response_format'])}` : '';
  return tools + format;
}

function assistantText(turn: Turn, index: number, chat: Chat): string {
  const { turns, dialect, thinking, dropThinking, lastQuestion } = chat;
  // The answer to a task is given without reasoning.
  const answersTask = (turns[index - 1]?.['task'] ?? null) !== null;
  const reasons = thinking && !answersTask && (!dropThinking || index > lastQuestion);
  const toolCalls = items(turn['tool_calls']);
  const calls = toolCalls.length > 0 ? `\n\n${dsmlCalls(toolCalls, dialect, dialect.argumentsOf)}` : '';
  const end = truthy(turn['wo_eos']) ? '' : END_OF_SENTENCE;
  return (reasons ? textOf(turn['reasoning']) + END_THINK : '') + textOf(turn['content']) + calls + end;
}

function turnText(turn: Turn, index: number, chat: Chat): string {
  const content = textOf(turn['content']);
  switch (turn.role) {
    case 'system':
      return chat.dialect.systemMark(index) + content + extras(turn, chat.dialect);
    case 'developer':
      if (content === '') throw badRequest('A developer message must have content.');
      return USER + content + extras(turn, chat.dialect);
    case 'user':
      return USER + blocksText(turn.blocks ?? []);
    case 'latest_reminder':
      return `<｜latest_reminder｜>${content}`;
    case 'assistant':
      return assistantText(turn, index, chat);
    default:
      throw badRequest(`The role ${JSON.stringify(turn.role)} is not known to this model.`);
  }
}

/** What opens the answer (or the task's answer) after a turn. */
function openingAfter(turn: Turn, index: number, chat: Chat): string {
  const next = chat.turns[index + 1];
  if (next !== undefined && next.role !== 'assistant' && next.role !== 'latest_reminder') return '';
  const task = turn['task'] ?? null;
  if (task !== null) {
    if (!TASKS.has(textOf(task))) throw badRequest(`Unknown task ${JSON.stringify(task)}; known are ${[...TASKS].join(', ')}.`);
    const mark = `<｜${textOf(task)}｜>`;
    return task === 'action' ? ASSISTANT + (chat.thinking ? THINK : END_THINK) + mark : mark;
  }
  const opens =
    turn.role === 'user' ||
    turn.role === 'developer' ||
    (turn.role === 'system' && chat.dialect.opensAnswer(index, next === undefined, next?.role));
  if (!opens) return '';
  const thinks = chat.thinking && (!chat.dropThinking || index >= chat.lastQuestion);
  return ASSISTANT + (thinks ? THINK : END_THINK);
}

function lastQuestionOf(turns: readonly Turn[], dialect: V4Dialect): number {
  return turns.findLastIndex((turn, index) => dialect.isQuestion(turn, index));
}

/** Before the last question answers lose their reasoning; developer turns and unknown ones are left out. */
function withoutOldThinking(turns: readonly Turn[], dialect: V4Dialect): Turn[] {
  const last = lastQuestionOf(turns, dialect);
  return turns.flatMap((turn, index) => {
    if (index >= last || KEPT_ROLES.has(turn.role)) return [turn];
    return turn.role === 'assistant' ? [{ ...turn, reasoning: null }] : [];
  });
}

/**
 * The prompt of a chat.
 * @param dropThinking whether old reasoning may be dropped; it never is where tools are declared
 * @throws ApiError (400) for roles and tasks that the model does not know
 */
export function renderTurns(all: readonly Turn[], dialect: V4Dialect, thinking: boolean, dropThinking: boolean): string {
  const drops = dropThinking && !all.some((turn) => truthy(turn['tools']));
  const turns = thinking && drops ? withoutOldThinking(all, dialect) : all;
  const chat: Chat = { turns, dialect, thinking, dropThinking: drops, lastQuestion: lastQuestionOf(turns, dialect) };
  const [first] = turns;
  if (first === undefined) return BEGIN_OF_SENTENCE;
  const text = turns.map((turn, index) => turnText(turn, index, chat) + openingAfter(turn, index, chat)).join('');
  return BEGIN_OF_SENTENCE + dialect.head(first, thinking) + text;
}

import { badRequest } from '../../../core/errors.ts';
import { dumps, tryLoads } from '../../../core/python-json.ts';
import { items, isObject, member, members, textOf, toPython } from '../json-value.ts';

/** How one DeepSeek version spells its tool-call markup (DSML): the names inside `<｜DSML｜…>`. */
export interface DsmlDialect {
  readonly block: string;
  readonly invoke: string;
  readonly parameter: string;
}

export const BEGIN_OF_SENTENCE = '<｜begin▁of▁sentence｜>';
export const END_OF_SENTENCE = '<｜end▁of▁sentence｜>';
export const USER = '<｜User｜>';
export const ASSISTANT = '<｜Assistant｜>';
export const THINK = '<think>';
export const END_THINK = '</think>';

/** `<｜DSML｜name` … `>` around a body; `attributes` begins with its own space. */
export function dsmlElement(name: string, attributes: string, body: string): string {
  return `<｜DSML｜${name}${attributes}>${body}</｜DSML｜${name}>`;
}

/**
 * Arguments of a call as an object's members.
 * @throws ApiError (400) where they are text that is no JSON object
 */
export function readArguments(args: unknown): [string, unknown][] {
  const value = typeof args === 'string' ? tryLoads(args) : args;
  if (!isObject(value)) throw badRequest('The arguments of a tool call must be a JSON object.');
  return members(value);
}

function parameterElement(dialect: DsmlDialect, name: string, value: unknown): string {
  const isText = typeof value === 'string';
  return dsmlElement(dialect.parameter, ` name="${name}" string="${isText}"`, isText ? value : dumps(toPython(value)));
}

/** The block with all calls of an assistant message; `argumentsOf` reads one call's arguments. */
export function dsmlCalls(
  toolCalls: readonly unknown[],
  dialect: DsmlDialect,
  argumentsOf: (args: unknown) => [string, unknown][],
): string {
  const invocations = toolCalls.map((call) => {
    const called = member(call, 'function');
    const parameters = argumentsOf(member(called, 'arguments')).map(([name, value]) => parameterElement(dialect, name, value));
    return dsmlElement(dialect.invoke, ` name="${textOf(member(called, 'name'))}"`, `\n${parameters.join('\n')}\n`);
  });
  return dsmlElement(dialect.block, '', `\n${invocations.join('\n')}\n`);
}

/** One line of JSON a tool: its `function` object as sent. */
export function toolSchemas(tools: unknown): string {
  return items(tools)
    .map((tool) => dumps(toPython(member(tool, 'function'))))
    .join('\n');
}

/** What follows a system or developer text where an answer format is asked for. */
export function responseFormatText(schema: unknown): string {
  return `## Response Format:\n\nYou MUST strictly adhere to the following schema to reply:\n${dumps(toPython(schema))}`;
}

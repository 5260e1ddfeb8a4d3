import { badRequest } from '../core/errors.ts';
import type { ChatTool, NamedToolChoice } from '../protocol/chat-tools.ts';
import { dumps } from '../core/python-json.ts';
import { isObject, member, members, toPython } from './encoders/json-value.ts';

/** JSON schemas for answers that must be calls, for parsers that then read JSON. */

export type ForcedChoice = 'required' | NamedToolChoice;

type JsonSchema = Record<string, unknown>;

/** Arguments are an object even where the tool has no schema. */
function argumentsSchema(parameters: unknown): unknown {
  return members(parameters).length > 0 ? parameters : { type: 'object', properties: {} };
}

function namedTool(tools: readonly ChatTool[], choice: NamedToolChoice): ChatTool | undefined {
  return tools.findLast(({ function: { name } }) => name === choice.function.name);
}

/** Definitions move to the schema's root, where references look for them. */
function collectDefinitions(tools: readonly ChatTool[]): Map<string, unknown> {
  const all = new Map<string, unknown>();
  for (const { function: called } of tools) {
    const definitions = member(called.parameters, '$defs');
    if (definitions === undefined) continue;
    if (!isObject(definitions)) throw badRequest(`\`$defs\` in the parameters of tool '${called.name}' must be an object.`, 'tools');
    for (const [name, schema] of members(definitions)) {
      const known = all.get(name);
      if (known !== undefined && dumps(toPython(known)) !== dumps(toPython(schema))) {
        throw badRequest(`The tools define '${name}' in more than one way, which is not supported.`, 'tools');
      }
      all.set(name, schema);
    }
  }
  return all;
}

function withoutDefinitions(parameters: unknown): unknown {
  if (member(parameters, '$defs') === undefined) return parameters;
  const rest = members(parameters).filter(([name]) => name !== '$defs');
  return parameters instanceof Map ? new Map(rest) : Object.fromEntries(rest);
}

/** The tools with their schemas' definitions left out. */
export function toolsWithoutDefinitions(tools: readonly ChatTool[]): ChatTool[] {
  return tools.map((tool) => {
    const { parameters } = tool.function;
    return { ...tool, function: { ...tool.function, parameters: withoutDefinitions(parameters) as typeof parameters } };
  });
}

/**
 * A list of `{name, parameters}` for `required`, the arguments alone for a named tool.
 * @throws ApiError 400 for definitions that contradict each other
 */
export function forcedCallSchema(tools: readonly ChatTool[], choice: ForcedChoice, parallel: boolean | null): JsonSchema {
  if (choice !== 'required') return argumentsSchema(namedTool(tools, choice)?.function.parameters) as JsonSchema;
  const definitions = collectDefinitions(tools);
  const calls = tools.map(({ function: { name, parameters } }) => ({
    properties: {
      name: { type: 'string', enum: [name] },
      parameters: members(parameters).length > 0 ? withoutDefinitions(parameters) : argumentsSchema(null),
    },
    required: ['name', 'parameters'],
  }));
  return {
    type: 'array',
    minItems: 1,
    items: { type: 'object', anyOf: calls },
    ...(parallel === false ? { maxItems: 1 } : {}),
    ...(definitions.size > 0 ? { $defs: Object.fromEntries(definitions) } : {}),
  };
}

/** Mistral's list of `{name, arguments}`. */
export function mistralCallSchema(tools: readonly ChatTool[], choice: ForcedChoice): JsonSchema {
  const chosen = choice === 'required' ? tools : tools.filter(({ function: { name } }) => name === choice.function.name);
  const calls = chosen.map(({ function: { name, parameters } }) => ({
    type: 'object',
    properties: { name: { type: 'string', enum: [name] }, arguments: members(parameters).length > 0 ? parameters : { type: 'object' } },
    required: ['name', 'arguments'],
  }));
  return { type: 'array', minItems: 1, ...(choice === 'required' ? {} : { maxItems: 1 }), items: { type: 'object', anyOf: calls } };
}

import type { JsonObject } from '../../chat-encoder.ts';
import { member, textOf } from '../json-value.ts';

/** A tool result with the name of the tool, undefined where its call is not known. */
export interface NamedResult {
  readonly message: JsonObject;
  readonly tool: string | undefined;
}

interface Call {
  readonly position: number;
  readonly name: string;
}

function callsById(toolCalls: readonly unknown[], withAliases: boolean): Map<string, Call> {
  const calls = new Map<string, Call>();
  toolCalls.forEach((toolCall, position) => {
    const name = textOf(member(member(toolCall, 'function'), 'name'));
    const id = textOf(member(toolCall, 'id'));
    // Kimi's own ids are the tool's name and the place of the call.
    for (const key of withAliases ? [id, `${name}:${position}`] : [id])
      if (key !== '' && !calls.has(key)) calls.set(key, { position, name });
  });
  return calls;
}

/**
 * Names the tools of neighbouring results, and puts the results in the order of their calls where all calls are known.
 * @param toolCalls of the last assistant message
 * @param isDirect whether the results stand right behind it
 */
export function nameResults(results: readonly JsonObject[], toolCalls: readonly unknown[], isDirect: boolean): NamedResult[] {
  const find = (withAliases: boolean): (Call | undefined)[] => {
    const calls = callsById(toolCalls, withAliases);
    return results.map(({ tool_call_id: id }) => calls.get(textOf(id)));
  };
  let found = find(isDirect);
  const knowsAll = found.every((call) => call !== undefined);
  if (!knowsAll && isDirect) found = find(false);
  const named = results.map((message, index) => ({ message, call: found[index] }));
  if (knowsAll) named.sort((a, b) => (a.call?.position ?? 0) - (b.call?.position ?? 0));
  return named.map(({ message, call }) => ({ message, tool: call?.name }));
}

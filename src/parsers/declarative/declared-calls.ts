import { dumps, tryLoads } from '../../core/python-json.ts';
import type { ToolCall, ToolFormat } from '../../core/stream-parser.ts';
import { dropBlankContent, joinStrippedParts } from '../family/complete-answer.ts';
import { createDeepseekParser, deepseekState } from '../family/deepseek-section.ts';
import { createHeldList } from '../family/held-list.ts';
import { heldListState } from '../family/held-list-state.ts';
import { hermesFormat } from '../family/hermes-blocks.ts';
import { createJsonBlocks, jsonBlocksState } from '../family/json-blocks.ts';
import { createPythonBlocks, pythonBlocksState } from '../family/python-blocks.ts';
import { createPythonicList, pythonicListState } from '../family/pythonic-list.ts';
import { strip } from '../family/white-space.ts';
import { tableCalls } from './declared-table-calls.ts';
import type { ToolBehaviour } from './declared-table-calls.ts';
import type { CallKeys, Declaration, DeclaredCalls, JsonCalls, JsonListCalls, NameJsonCalls, PythonListCalls } from './declaration.ts';

/** The call that a complete object stands for; null where it stands for none. */
function callOf(json: string, keys: CallKeys, isQuoted: boolean): ToolCall | null {
  const object = tryLoads(json);
  if (!(object instanceof Map)) return null;
  const name = object.get(keys.name);
  const key = keys.arguments.find((candidate) => object.has(candidate));
  if (typeof name !== 'string' || key === undefined) return null;
  const value = object.get(key) ?? null;
  if (!isQuoted) return { name, arguments: dumps(value) };
  return { name, arguments: value === null ? '{}' : typeof value === 'string' ? value : dumps(value) };
}

function jsonCalls({ open, close, keys, quoted_arguments: isQuoted, ...calls }: JsonCalls): ToolBehaviour {
  const keepsText = calls.text_behind === 'content';
  if (calls.arguments === 'streamed') {
    const described = { name: '', aliases: [], models: '', sample: '' };
    const format = hermesFormat(described, { open, close, unquotes: isQuoted, keys, keepsText });
    return { ...(format as ToolFormat), forcedChoice: calls.forced_choice };
  }
  return {
    stateSchema: jsonBlocksState,
    create: () => createJsonBlocks({ open, close, toCall: (text) => callOf(text, keys, isQuoted), keepsText, keepsCut: true }),
    forcedChoice: calls.forced_choice,
    whenNone: 'content',
    callDeltas: 'merged',
    complete: dropBlankContent,
  };
}

function jsonListCalls({ open, close, keys, ...calls }: JsonListCalls): ToolBehaviour {
  const opener = { text: open, begins: '[', ...(close === undefined ? {} : { close }), ...(calls.glued ? { tight: true } : {}) } as const;
  const rules = {
    openers: [opener],
    toCall: (text: string) => callOf(text, keys, false),
    skipsOthers: false,
    keepsText: calls.text_behind === 'content',
    announces: false,
    tellsEmpty: calls.empty_deltas,
  };
  return {
    stateSchema: heldListState,
    create: (context) => createHeldList(rules, context),
    forcedChoice: calls.forced_choice,
    whenNone: 'content',
    callDeltas: 'merged',
    complete: dropBlankContent,
  };
}

function writtenCalls({ section, call, forced_choice: forcedChoice }: NameJsonCalls): ToolBehaviour {
  const [separator = ''] = call.name_end;
  const [callOpen = ''] = call.open;
  const { open = '', close = '' } = section ?? {};
  return {
    stateSchema: deepseekState,
    create: () =>
      createDeepseekParser({
        markers: { open, close, callOpen, callClose: call.close },
        header(text) {
          const at = text.indexOf(separator);
          return at === -1 ? null : { name: strip(text.slice(0, at)), length: at + separator.length };
        },
        trailer: /\s+$/,
      }),
    requiredTokens: [open, close],
    forcedChoice,
    whenNone: 'content',
    callDeltas: 'name-apart',
    complete: dropBlankContent,
  };
}

function pythonCalls({ alone, ...calls }: PythonListCalls): ToolBehaviour {
  const [open, close] = [calls.open ?? null, calls.close ?? null];
  const keepsText = calls.text_behind === 'content';
  const block = { open: open ?? '', close: close ?? '', dropsEcho: calls.drops_echo, mendsQuotes: calls.mends_quotes };
  const create: ToolFormat['create'] = (context) =>
    alone ? createPythonicList({ open, close, keepsText }, context) : createPythonBlocks(block, context);
  return {
    stateSchema: alone ? pythonicListState : pythonBlocksState,
    create,
    ...(alone ? {} : { requiredTokens: [block.open, block.close] }),
    forcedChoice: calls.forced_choice,
    whenNone: 'content',
    callDeltas: 'merged',
    complete: alone ? dropBlankContent : joinStrippedParts,
  };
}

/** How declared calls are read: by the cores that the formats in code are made of. */
export function callsBehaviour(declaration: Declaration, calls: DeclaredCalls): ToolBehaviour {
  switch (calls.payload) {
    case 'json':
      return jsonCalls(calls);
    case 'json_list':
      return jsonListCalls(calls);
    case 'python':
      return pythonCalls(calls);
    case 'name_json':
      return calls.arguments === 'as_written' ? writtenCalls(calls) : tableCalls(declaration, calls);
    default:
      return tableCalls(declaration, calls);
  }
}

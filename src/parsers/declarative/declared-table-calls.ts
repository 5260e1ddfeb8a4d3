import type { CompleteAnswer, ParserContext, ToolFormat } from '../../core/stream-parser.ts';
import type { ArgumentsReader } from '../family/arguments-reader.ts';
import { createKeyValueReader } from '../family/glm-markers.ts';
import { createJsonReader } from '../family/json-arguments.ts';
import { coerceArguments } from '../family/json-coercion.ts';
import { functionId } from '../family/kimi-markers.ts';
import { dropBlankContentBesideCalls, mergeRepeatedParameters, stripContentBesideCalls } from '../family/marked-answer.ts';
import { createMarkedTool } from '../family/marked-tool.ts';
import { markedToolState } from '../family/marked-tool-state.ts';
import type { MarkedToolRules } from '../family/marked-tool-state.ts';
import { EQUALS_NAME, QUOTED_NAME, createXmlReader } from '../family/xml-parameters.ts';
import { CALL_START, declaredMarkers, doubtfulMarkers } from './declared-markers.ts';
import type { Declaration, ParameterCalls, TableCalls } from './declaration.ts';

/** The members of a tool format that follow from its declaration. */
export type ToolBehaviour = Pick<
  ToolFormat,
  'stateSchema' | 'create' | 'forcedChoice' | 'whenNone' | 'callDeltas' | 'countsIds' | 'complete' | 'requiredTokens'
>;

/** A tag in parts between which white space may stand: `<parameter name=` is `<`, `parameter`, a space, `name`, `=`. */
function tagParts(tag: string): string[] {
  return (tag.match(/[\p{L}\p{N}_.:-]+|\s+|[^]/gu) ?? []).map((part) => (part.trim() === '' ? ' ' : part));
}

function xmlReader(calls: ParameterCalls): ArgumentsReader<unknown> {
  const { open, close, quoted_name: isQuoted } = calls.parameter;
  return createXmlReader({
    open: tagParts(open),
    close: tagParts(close),
    ...(isQuoted ? QUOTED_NAME : EQUALS_NAME),
    doubtfulMarkers: doubtfulMarkers(calls),
    trimsNewlines: calls.values === 'lines',
  });
}

function readerOf(calls: TableCalls): ArgumentsReader<unknown> {
  if (calls.payload === 'parameters') return xmlReader(calls);
  if (calls.payload === 'name_json') return createJsonReader({ waits: false, quotes: 'likely-text' });
  const { key, value } = calls;
  const tags = { keyStart: key.open, keyEnd: key.close, valueStart: value.open, valueEnd: value.close };
  return createKeyValueReader(tags, CALL_START);
}

/** A tool format that is read by a table of markers, as Qwen3-Coder's, GLM's or Kimi's are. */
export function tableCalls(declaration: Declaration, calls: TableCalls): ToolBehaviour {
  const rules: MarkedToolRules<unknown> = {
    reader: readerOf(calls),
    knownNamesOnly: calls.known_functions_only,
    dropsBlank: calls.blank_around_calls === 'dropped',
    strayText: calls.text_between,
    cutName: calls.cut_name,
    stripsReasoning: declaration.reasoning?.strips_end === true,
    ...(calls.payload === 'name_json' && calls.header === 'function_id' ? { nameOf: functionId } : {}),
  };
  return {
    stateSchema: markedToolState(rules.reader),
    create: (context: ParserContext) =>
      createMarkedTool(declaredMarkers(declaration, context), rules, context) as ReturnType<ToolFormat['create']>,
    forcedChoice: calls.forced_choice,
    whenNone: 'parse',
    callDeltas: 'merged',
    countsIds: true,
    complete(answer: CompleteAnswer, context: ParserContext): void {
      if (calls.payload === 'name_json') coerceArguments(answer, context);
      else mergeRepeatedParameters(answer);
      if (calls.strips_content) stripContentBesideCalls(answer);
      else dropBlankContentBesideCalls(answer);
    },
  };
}

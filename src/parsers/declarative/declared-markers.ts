import type { ParserContext } from '../../core/stream-parser.ts';
import { withSteps } from '../family/marked-format.ts';
import type { MarkedFormat, Step, Steps } from '../family/marked-format.ts';
import { isTrue } from '../family/thinking-switch.ts';
import type { Declaration, DeclaredReasoning, TableCalls } from './declaration.ts';

/** The names of markers in the tables of declared formats. */
export const CALL_START = 'call-start';
const CALL_END = 'call-end';
const NAME_END = 'name-end';
const WRAPPER_START = 'wrapper-start';
const WRAPPER_END = 'wrapper-end';
const SECTION_START = 'section-start';
const SECTION_END = 'section-end';
const ARGUMENT: Step = { to: 'arguments', does: ['argument'] };
const NEXT: readonly ('end-call' | 'start-call')[] = ['end-call', 'start-call'];

type Spellings = Record<string, readonly string[]>;

/** Markers between the arguments, which their reader reads itself. */
function argumentMarkers(calls: TableCalls): Spellings {
  if (calls.payload === 'parameters') return { parameter: [calls.parameter.open], 'parameter-end': [calls.parameter.close] };
  if (calls.payload === 'name_json') return {};
  const { key, value } = calls;
  return { 'key-start': [key.open], 'key-end': [key.close], 'value-start': [value.open], 'value-end': [value.close] };
}

function callMarkers(calls: TableCalls): { spellings: Spellings; byToken: string[] } {
  const { section, wrapper, call } = calls;
  const frame: Spellings = {
    ...(section ? { [SECTION_START]: [section.open], [SECTION_END]: [section.close] } : {}),
    ...(wrapper ? { [WRAPPER_START]: [wrapper.open], [WRAPPER_END]: [wrapper.close] } : {}),
  };
  const own: Spellings = {
    [CALL_START]: call.open,
    [CALL_END]: [call.close],
    ...('name_end' in call ? { [NAME_END]: call.name_end } : {}),
  };
  // Tags with a name in them are no tokens.
  const tokens = calls.payload === 'parameters' ? frame : { ...frame, ...own };
  return { spellings: { ...frame, ...own, ...argumentMarkers(calls) }, byToken: Object.keys(tokens) };
}

/** The steps inside of a call, and those by which it is left: by the end of what is around it, or by a next one. */
function callSteps(calls: TableCalls, behind: Step['to'], leaves: Readonly<Record<string, Step>>): Steps {
  const argumentSteps = Object.fromEntries(Object.keys(argumentMarkers(calls)).map((name) => [name, ARGUMENT]));
  const always = { ...leaves, [CALL_END]: { to: behind, does: ['end-call'] }, [CALL_START]: { to: 'name', does: NEXT } } as const;
  const begins = calls.payload === 'pairs' ? { 'key-start': ARGUMENT } : { [NAME_END]: { to: 'arguments' } as const };
  return { name: { ...always, ...begins }, arguments: { ...always, ...argumentSteps } };
}

const START: Step = { to: 'name', does: ['start-call'] };

function wrappedSteps(calls: TableCalls): Steps {
  const open: Step = { to: 'preamble', does: ['end-reasoning', 'start-call'] };
  const inside = callSteps(calls, 'between', {
    [WRAPPER_END]: { to: 'content', does: ['end-call'] },
    [WRAPPER_START]: { to: 'preamble', does: NEXT },
  });
  return {
    reasoning: { [WRAPPER_START]: open },
    // Models forget what is around a call.
    content: { [WRAPPER_START]: open, [CALL_START]: START },
    preamble: { [WRAPPER_END]: { to: 'content', does: ['end-call'] }, [CALL_START]: { to: 'name' } },
    ...inside,
    between: { [WRAPPER_END]: { to: 'content' }, [WRAPPER_START]: { to: 'preamble', does: ['start-call'] }, [CALL_START]: START },
  };
}

function sectionSteps(calls: TableCalls, { optional, ends_turn: endsTurn }: { optional: boolean; ends_turn: boolean }): Steps {
  const behind = endsTurn ? 'preamble' : 'content';
  const between = { [CALL_START]: START, [SECTION_END]: { to: behind } } as const;
  return {
    reasoning: { [SECTION_START]: { to: 'preamble', does: ['end-reasoning'] } },
    content: {
      [SECTION_START]: { to: 'preamble' },
      ...(endsTurn ? {} : { [SECTION_END]: { to: 'content' } as const }),
      ...(optional ? { [CALL_START]: START } : {}),
    },
    preamble: between,
    ...callSteps(calls, 'between', { [SECTION_END]: { to: behind, does: ['end-call'] } }),
    between,
  };
}

function bareSteps(calls: TableCalls): Steps {
  return {
    reasoning: { [CALL_START]: { to: 'name', does: ['end-reasoning', 'start-call'] } },
    content: { [CALL_START]: START },
    ...callSteps(calls, 'content', {}),
  };
}

function stepsOf(calls: TableCalls): Steps {
  if (calls.section) return sectionSteps(calls, calls.section);
  return calls.wrapper ? wrappedSteps(calls) : bareSteps(calls);
}

function reasoningSteps({ begins, reopens }: DeclaredReasoning): Steps {
  return {
    reasoning: { 'think-start': { to: 'reasoning' }, 'think-end': { to: 'content', does: ['end-reasoning'] } },
    content: {
      'think-end': { to: 'content' },
      ...(reopens || begins === 'content' ? { 'think-start': { to: 'reasoning' } as const } : {}),
    },
  };
}

/** Whether a request lets the model think. */
export function declaredThinking({ thinking }: DeclaredReasoning, { chatTemplateKwargs: kwargs }: ParserContext): boolean {
  if (!thinking) return true;
  const { switches, default: byDefault } = thinking;
  // Of several switches those that are null are not set; a single one is, as in templates that only ask whether it is there.
  const isSet = (name: string): boolean => (switches.length === 1 ? Object.hasOwn(kwargs, name) : (kwargs[name] ?? null) !== null);
  if (byDefault === 'on' && !switches.some(isSet)) return true;
  return switches.some((name) => isTrue(kwargs[name]));
}

/** The calls, where a table of markers reads them. */
export function tableCallsOf({ tool_calls: calls }: Declaration): TableCalls | null {
  if (calls?.payload === 'name_json') return calls.arguments === 'typed' ? calls : null;
  return calls?.payload === 'parameters' || calls?.payload === 'pairs' ? calls : null;
}

/** Where calls begin that no table of this file reads: they end reasoning all the same. */
function openingMarkers({ tool_calls: calls, reasoning }: Declaration): readonly string[] {
  if (!calls) return reasoning?.ends_at ?? [];
  const open = calls.payload === 'json' || calls.payload === 'json_list' || calls.payload === 'python' ? calls.open : calls.section?.open;
  return open === undefined ? [] : [open];
}

function openingFormat(declaration: Declaration): { spellings: Spellings; byToken: string[]; steps: Steps } {
  const openers = openingMarkers(declaration).map((marker, index) => [`${SECTION_START}-${index}`, marker] as const);
  const step: Step = { to: 'preamble', does: ['end-reasoning'] };
  return {
    spellings: Object.fromEntries(openers.map(([name, marker]) => [name, [marker]])),
    byToken: openers.map(([name]) => name),
    steps: { reasoning: Object.fromEntries(openers.map(([name]) => [name, step])) },
  };
}

/** What markers are inside of a value of XML-like parameters: the end of what is around a call may stand for the call's own. */
export function doubtfulMarkers(calls: TableCalls): ReadonlyMap<string, 'likely-end' | null> {
  if (calls.wrapper) return new Map([[WRAPPER_END, 'likely-end'] as const, [WRAPPER_START, null] as const]);
  return calls.section ? new Map([[SECTION_END, 'likely-end'] as const, [CALL_START, null] as const]) : new Map();
}

/** The table of a declared format for one request. */
export function declaredMarkers(declaration: Declaration, context: ParserContext): MarkedFormat {
  const { reasoning } = declaration;
  const calls = tableCallsOf(declaration);
  const thinks = reasoning !== undefined && declaredThinking(reasoning, context);
  const hasThinkMarkers = reasoning !== undefined && (thinks || reasoning.markers_when_off === 'hidden');
  const own = calls ? { ...callMarkers(calls), steps: stepsOf(calls) } : openingFormat(declaration);
  const think: Spellings = hasThinkMarkers ? { 'think-start': [reasoning.open], 'think-end': [reasoning.close] } : {};
  return {
    markers: { spellings: { ...think, ...own.spellings }, byToken: [...Object.keys(think), ...own.byToken] },
    steps: hasThinkMarkers ? withSteps(own.steps, reasoningSteps(reasoning)) : own.steps,
    start: thinks ? reasoning.begins : 'content',
    reasoningMarkers: Object.keys(think),
  };
}

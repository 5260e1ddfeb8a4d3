import { z } from 'zod';
import type { EventSink, ParserContext } from '../../core/stream-parser.ts';
import type { ArgumentsReader } from './arguments-reader.ts';
import { callListState, startCallList } from './call-list.ts';
import type { CallList } from './call-list.ts';
import { contentGateState, openGate } from './content-gate.ts';
import type { ContentGate } from './content-gate.ts';
import { createJsonReader, jsonArgumentsState } from './json-arguments.ts';
import type { JsonArguments } from './json-arguments.ts';
import { jsonScanState, startScan } from './json-scan.ts';
import type { JsonScan } from './json-scan.ts';

export const TOOL_CALLS = '[TOOL_CALLS]';
export const CALL_ID = '[CALL_ID]';
export const ARGS = '[ARGS]';

/** State of both forms of Mistral's calls: a list behind the marker, or a name and arguments. */
export interface MistralState {
  /**
   * `header`, `arguments`, `closed`: in a name, in its arguments, behind them; `list`: in a list of calls; `behind`: in text behind one;
   * `broken`: in what follows a list that broke off.
   */
  mode: 'content' | 'reasoning' | 'header' | 'arguments' | 'closed' | 'list' | 'behind' | 'broken';
  /** Text that may begin a marker. */
  held: string;
  /** The header of the open call as far as it has come; its function's name, once that is given out. */
  name: string;
  /** The open call's name was given out. */
  given: boolean;
  calls: number;
  arguments: JsonArguments;
  scan: JsonScan;
  /** White space behind arguments, or at the end of reasoning so far. */
  space: string;
  list: CallList;
  /** Arguments of a listed call that wait for their end. */
  written: string;
  gate: ContentGate;
}

export const mistralState: z.ZodType<MistralState> = z.object({
  mode: z.enum(['content', 'reasoning', 'header', 'arguments', 'closed', 'list', 'behind', 'broken']),
  held: z.string(),
  name: z.string(),
  given: z.boolean(),
  calls: z.int().min(0),
  arguments: jsonArgumentsState,
  scan: jsonScanState,
  space: z.string(),
  list: callListState,
  written: z.string(),
  gate: contentGateState,
});

export const mistralArguments: ArgumentsReader<JsonArguments> = createJsonReader({ waits: false, quotes: null });

export function startMistral(mode: MistralState['mode']): MistralState {
  return {
    mode,
    held: '',
    name: '',
    given: false,
    calls: 0,
    arguments: mistralArguments.start(),
    scan: startScan(),
    space: '',
    list: startCallList(),
    written: '',
    gate: openGate(),
  };
}

/** The spellings of the markers around reasoning: tokens of their own, plain text in models from before these, or none. */
export function mistralThinkMarkers({ vocabulary }: ParserContext): { start: string; end: string; isToken: boolean } | null {
  if (vocabulary.tokenToId('[THINK]') !== undefined) return { start: '[THINK]', end: '[/THINK]', isToken: true };
  return vocabulary.tokenToId(ARGS) === undefined ? null : { start: '<think>', end: '</think>', isToken: false };
}

/** A call of a list begins. @returns its index */
export function startListed(state: MistralState, name: string, sink: EventSink): void {
  sink.toolStart(state.calls, name);
  state.calls += 1;
}

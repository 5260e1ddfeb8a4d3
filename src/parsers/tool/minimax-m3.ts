import { z } from 'zod';
import type { ToolFormat } from '../../core/stream-parser.ts';
import type { ArgumentsReader } from '../family/arguments-reader.ts';
import { dropBlankContentBesideCalls } from '../family/marked-answer.ts';
import type { MarkedFormat } from '../family/marked-format.ts';
import { createMarkedTool } from '../family/marked-tool.ts';
import { markedToolState } from '../family/marked-tool-state.ts';
import type { MarkedToolRules, MarkedToolState } from '../family/marked-tool-state.ts';
import { NAMESPACE, elementsToJson } from '../family/minimax-m3-elements.ts';

interface HeldElements {
  text: string;
}

/** Held until the call is complete: a name that repeats would turn a value given out into a list. */
const reader: ArgumentsReader<HeldElements> = {
  stateSchema: z.object({ text: z.string() }),
  start: () => ({ text: '' }),
  push(state, text): void {
    state.text += text;
  },
  end: (state, properties, write) => write(elementsToJson(state.text, properties)),
  cut: (state, _tail, properties, write) => write(elementsToJson(state.text, properties)),
};

const INVOKE = { to: 'name', does: ['start-call'] } as const;

const FORMAT: MarkedFormat = {
  markers: {
    spellings: {
      'tool-start': [`${NAMESPACE}<tool_call>`],
      'tool-end': [`${NAMESPACE}</tool_call>`],
      invoke: [`${NAMESPACE}<invoke name="`, `${NAMESPACE}<invoke name='`, `${NAMESPACE}<invoke name=`],
      'invoke-end': [`${NAMESPACE}</invoke>`],
      'name-end': ['">', "'>", '>'],
    },
    byToken: [],
  },
  steps: {
    content: { 'tool-start': { to: 'preamble' } },
    preamble: { invoke: INVOKE, 'tool-end': { to: 'between' } },
    name: { 'name-end': { to: 'arguments' } },
    arguments: { 'invoke-end': { to: 'between', does: ['end-call'] } },
    // Calls end the turn: nothing behind the block is shown.
    between: { invoke: INVOKE, 'tool-end': { to: 'between' } },
  },
  start: 'content',
  reasoningMarkers: [],
};

const RULES: MarkedToolRules<HeldElements> = {
  reader,
  dropsBlank: true,
  strayText: 'dropped',
  cutName: 'dropped',
  stripsReasoning: false,
};

/**
 * MiniMax M3: calls as elements, every tag behind `]<]minimax[>[`; parameters are elements by their names, and may nest.
 *
 *     ]<]minimax[>[<tool_call>
 *     ]<]minimax[>[<invoke name="get_weather">
 *     ]<]minimax[>[<city>Bergen]<]minimax[>[</city>
 *     ]<]minimax[>[</invoke>
 *     ]<]minimax[>[</tool_call>
 *
 * Specified by the model's chat template. As in the reference, arguments come when their call is complete, and calls end the turn: text
 * behind them is dropped. Other than it: a call whose name was cut off is none.
 */
export const minimaxM3: ToolFormat<MarkedToolState<HeldElements>> = {
  kind: 'tool',
  name: 'minimax_m3',
  aliases: ['minimax-m3'],
  models: 'MiniMax M3',
  sample: `${NAMESPACE}<tool_call>\n${NAMESPACE}<invoke name="get_weather">\n${NAMESPACE}<city>Bergen${NAMESPACE}</city>\n${NAMESPACE}</invoke>\n${NAMESPACE}</tool_call>`,
  stateVersion: 1,
  stateSchema: markedToolState(reader),
  create: (context) => createMarkedTool(FORMAT, RULES, context),
  forcedChoice: 'markup',
  whenNone: 'parse',
  callDeltas: 'merged',
  countsIds: true,
  complete: dropBlankContentBesideCalls,
};

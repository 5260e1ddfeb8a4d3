import type { ArgumentsReader } from './arguments-reader.ts';
import type { MarkedFormat, Steps } from './marked-format.ts';
import { QUOTED_NAME, createXmlReader } from './xml-parameters.ts';
import type { XmlParameters } from './xml-parameters.ts';

const INVOKE = { to: 'name', does: ['start-call'] } as const;

const STEPS: Steps = {
  reasoning: {
    'think-start': { to: 'reasoning' },
    'think-end': { to: 'content', does: ['end-reasoning'] },
    'tool-start': { to: 'preamble', does: ['end-reasoning'] },
  },
  content: {
    'think-end': { to: 'content' },
    'tool-start': { to: 'preamble' },
    'tool-end': { to: 'content' },
    // Models forget the wrapper.
    invoke: INVOKE,
  },
  preamble: { invoke: INVOKE, 'tool-end': { to: 'content' } },
  name: { 'name-end': { to: 'arguments' } },
  arguments: {
    'invoke-end': { to: 'between', does: ['end-call'] },
    // A call that was not closed ends where something else begins or ends.
    'tool-end': { to: 'content', does: ['end-call'] },
    invoke: { to: 'name', does: ['end-call', 'start-call'] },
    parameter: { to: 'arguments', does: ['argument'] },
    'parameter-end': { to: 'arguments', does: ['argument'] },
  },
  between: { invoke: INVOKE, 'tool-end': { to: 'content' } },
};

/** Markers of MiniMax M2: `<minimax:tool_call><invoke name="NAME"><parameter name="KEY">VALUE</parameter></invoke></minimax:tool_call>`. */
export const MINIMAX_M2_MARKERS: MarkedFormat = {
  markers: {
    spellings: {
      'think-start': ['<think>'],
      'think-end': ['</think>'],
      'tool-start': ['<minimax:tool_call>'],
      'tool-end': ['</minimax:tool_call>'],
      invoke: ['<invoke name="', "<invoke name='", '<invoke name='],
      'invoke-end': ['</invoke>'],
      'name-end': ['">', "'>", '>'],
      parameter: ['<parameter name='],
      'parameter-end': ['</parameter>'],
    },
    byToken: ['think-start', 'think-end', 'tool-start', 'tool-end'],
  },
  steps: STEPS,
  start: 'reasoning',
  reasoningMarkers: ['think-start', 'think-end'],
};

/** Parameters whose names may be quoted; values are verbatim. */
export const minimaxParameters: ArgumentsReader<XmlParameters> = createXmlReader({
  open: ['<', 'parameter', ' ', 'name', '='],
  close: ['<', '/', 'parameter', '>'],
  ...QUOTED_NAME,
  doubtfulMarkers: new Map([
    ['tool-end', 'likely-end'],
    ['invoke', null],
  ]),
  trimsNewlines: false,
});

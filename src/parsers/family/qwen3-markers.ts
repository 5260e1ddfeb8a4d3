import { EQUALS_NAME, createXmlReader } from './xml-parameters.ts';
import type { XmlParameters } from './xml-parameters.ts';
import type { ArgumentsReader } from './arguments-reader.ts';
import type { MarkedFormat, Steps } from './marked-format.ts';

/** The four markers in which the formats of this family differ. */
export interface Wrappers {
  thinkStart: string;
  thinkEnd: string;
  toolStart: string;
  toolEnd: string;
}

export const QWEN3_WRAPPERS: Wrappers = {
  thinkStart: '<think>',
  thinkEnd: '</think>',
  toolStart: '<tool_call>',
  toolEnd: '</tool_call>',
};

export const SEED_WRAPPERS: Wrappers = {
  thinkStart: '<seed:think>',
  thinkEnd: '</seed:think>',
  toolStart: '<seed:tool_call>',
  toolEnd: '</seed:tool_call>',
};

export const CHATML_TURNS: readonly string[] = ['<|im_start|>', '<|im_end|>'];

const STEPS: Steps = {
  reasoning: {
    'think-start': { to: 'reasoning' },
    'think-end': { to: 'content', does: ['end-reasoning'] },
    'tool-start': { to: 'preamble', does: ['end-reasoning', 'start-call'] },
  },
  content: {
    'think-end': { to: 'content' },
    'tool-start': { to: 'preamble', does: ['end-reasoning', 'start-call'] },
    // Models forget the wrapper.
    function: { to: 'name', does: ['start-call'] },
  },
  preamble: {
    'tool-end': { to: 'content', does: ['end-call'] },
    function: { to: 'name' },
  },
  name: {
    bracket: { to: 'arguments' },
    // What follows ends a call whose name was never closed.
    'function-end': { to: 'between', does: ['end-call'] },
    'tool-end': { to: 'content', does: ['end-call'] },
    'tool-start': { to: 'preamble', does: ['end-call', 'start-call'] },
    function: { to: 'name', does: ['end-call', 'start-call'] },
  },
  arguments: {
    'function-end': { to: 'between', does: ['end-call'] },
    function: { to: 'name', does: ['end-call', 'start-call'] },
    'tool-end': { to: 'content', does: ['end-call'] },
    'tool-start': { to: 'preamble', does: ['end-call', 'start-call'] },
    parameter: { to: 'arguments', does: ['argument'] },
    'parameter-end': { to: 'arguments', does: ['argument'] },
  },
  between: {
    'tool-end': { to: 'content' },
    'tool-start': { to: 'preamble', does: ['start-call'] },
    function: { to: 'name', does: ['start-call'] },
  },
};

/**
 * The grammar of Qwen3-Coder: `<tool_call><function=NAME><parameter=KEY>VALUE</parameter></function></tool_call>`, and reasoning
 * between `<think>` and `</think>`.
 */
export function qwen3Markers(thinking: boolean, wrappers: Wrappers = QWEN3_WRAPPERS): MarkedFormat {
  return {
    markers: {
      spellings: {
        'think-start': [wrappers.thinkStart],
        'think-end': [wrappers.thinkEnd],
        'tool-start': [wrappers.toolStart],
        'tool-end': [wrappers.toolEnd],
        function: ['<function='],
        'function-end': ['</function>'],
        parameter: ['<parameter='],
        'parameter-end': ['</parameter>'],
        bracket: ['>'],
      },
      byToken: ['think-start', 'think-end', 'tool-start', 'tool-end'],
    },
    steps: STEPS,
    start: thinking ? 'reasoning' : 'content',
    reasoningMarkers: ['think-start', 'think-end'],
  };
}

const TAGS = {
  open: ['<', 'parameter', '='],
  close: ['<', '/', 'parameter', '>'],
  ...EQUALS_NAME,
  doubtfulMarkers: new Map<string, 'likely-end' | null>([
    ['tool-end', 'likely-end'],
    ['tool-start', null],
  ]),
} as const;

/** Values on lines of their own, as Qwen's template writes them. */
export const qwen3Parameters: ArgumentsReader<XmlParameters> = createXmlReader({ ...TAGS, trimsNewlines: true });

/** Values as they stand between the tags. */
export const verbatimParameters: ArgumentsReader<XmlParameters> = createXmlReader({ ...TAGS, trimsNewlines: false });

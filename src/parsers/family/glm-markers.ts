import { z } from 'zod';
import type { ParserContext } from '../../core/stream-parser.ts';
import type { ArgumentsReader } from './arguments-reader.ts';
import type { MarkedFormat, Steps } from './marked-format.ts';
import type { MarkedReasoningRules } from './marked-reasoning.ts';
import type { MarkedToolRules } from './marked-tool-state.ts';
import {
  closeParameter,
  cutParameters,
  endParameters,
  openParameter,
  parameterWriterState,
  startWriter,
  writeValue,
} from './parameter-writer.ts';
import type { ParameterWriter } from './parameter-writer.ts';
import { thinksByEitherName } from './thinking-switch.ts';
import { strip } from './white-space.ts';

const KEY_START = '<arg_key>';
const KEY_END = '</arg_key>';
const VALUE_START = '<arg_value>';
const VALUE_END = '</arg_value>';

export interface GlmArguments {
  mode: 'outside' | 'key' | 'keyed' | 'value';
  key: string;
  writer: ParameterWriter;
}

/** What a key and its value stand between. */
export interface KeyValueTags {
  keyStart: string;
  keyEnd: string;
  valueStart: string;
  valueEnd: string;
}

/**
 * Reads keys and values, each between markers of their own, which always come whole. Values are verbatim.
 * @param callMarker the name of the marker that begins a call: it is text in values
 */
export function createKeyValueReader(tags: KeyValueTags, callMarker: string): ArgumentsReader<GlmArguments> {
  return {
    stateSchema: z.object({ mode: z.enum(['outside', 'key', 'keyed', 'value']), key: z.string(), writer: parameterWriterState }),
    start: () => ({ mode: 'outside', key: '', writer: startWriter() }),
    push(state, text, properties, write): void {
      if (state.mode === 'value') {
        if (text !== tags.valueEnd) return writeValue(state.writer, text, write);
        closeParameter(state.writer, properties);
        state.mode = 'outside';
      } else if (text === tags.keyStart) {
        state.mode = 'key';
        state.key = '';
      } else if (text === tags.keyEnd && state.mode === 'key') {
        state.mode = 'keyed';
      } else if (text === tags.valueStart && state.mode === 'keyed') {
        openParameter(state.writer, strip(state.key), properties, write);
        state.mode = 'value';
      } else if (state.mode === 'key') {
        state.key += text;
      }
    },
    quotes: (state, marker) => (state.mode === 'value' && marker === callMarker ? 'text' : null),
    end(state, properties, write): void {
      endParameters(state.writer, properties, write);
    },
    cut(state, _tail, properties, write): void {
      cutParameters(state.writer, properties, write);
    },
  };
}

const ARGUMENT = { to: 'arguments', does: ['argument'] } as const;

const STEPS: Steps = {
  reasoning: {
    'think-start': { to: 'reasoning' },
    'think-end': { to: 'content', does: ['end-reasoning'] },
    'tool-start': { to: 'name', does: ['end-reasoning', 'start-call'] },
  },
  content: {
    'think-start': { to: 'reasoning' },
    'think-end': { to: 'content' },
    'tool-start': { to: 'name', does: ['start-call'] },
  },
  name: {
    'key-start': ARGUMENT,
    'tool-end': { to: 'content', does: ['end-call'] },
    'tool-start': { to: 'name', does: ['end-call', 'start-call'] },
  },
  arguments: {
    'tool-end': { to: 'content', does: ['end-call'] },
    // A call that was not closed ends where the next one begins.
    'tool-start': { to: 'name', does: ['end-call', 'start-call'] },
    'key-start': ARGUMENT,
    'key-end': ARGUMENT,
    'value-start': ARGUMENT,
    'value-end': ARGUMENT,
  },
};

const THINK_MARKERS = { 'think-start': ['<think>'], 'think-end': ['</think>'] };

/** Markers of the GLM family: `<tool_call>NAME<arg_key>KEY</arg_key><arg_value>VALUE</arg_value></tool_call>`. Without thinking, its markers are text. */
export function glmMarkers(thinking: boolean): MarkedFormat {
  return {
    markers: {
      spellings: {
        ...(thinking ? THINK_MARKERS : {}),
        'tool-start': ['<tool_call>'],
        'tool-end': ['</tool_call>'],
        'key-start': [KEY_START],
        'key-end': [KEY_END],
        'value-start': [VALUE_START],
        'value-end': [VALUE_END],
      },
      byToken: [...(thinking ? Object.keys(THINK_MARKERS) : []), 'tool-start', 'tool-end'],
    },
    steps: STEPS,
    start: thinking ? 'reasoning' : 'content',
    reasoningMarkers: ['think-start', 'think-end'],
  };
}

export const GLM_TOOL_RULES: MarkedToolRules<GlmArguments> = {
  reader: createKeyValueReader({ keyStart: KEY_START, keyEnd: KEY_END, valueStart: VALUE_START, valueEnd: VALUE_END }, 'tool-start'),
  knownNamesOnly: true,
  dropsBlank: true,
  strayText: 'content',
  cutName: 'call',
  stripsReasoning: true,
};

export const GLM_REASONING_RULES: MarkedReasoningRules = {
  stripsEnd: true,
  dropsNewlines: false,
  turnTokens: ['<|system|>', '<|user|>', '<|assistant|>', '<|observation|>'],
};

/** The template of GLM-5.3 has no switch for thinking; a request's switch is then without effect. */
function alwaysThinks(context: ParserContext): boolean {
  const template = context.tokenizerConfig['chat_template'];
  if (typeof template !== 'string' || template.includes('enable_thinking')) return false;
  return ['[gMASK]<sop>', 'Reasoning Effort:', '<tool_call>', KEY_START, VALUE_START].every((part) => template.includes(part));
}

export function glmThinks(context: ParserContext): boolean {
  return thinksByEitherName(context.chatTemplateKwargs) || alwaysThinks(context);
}

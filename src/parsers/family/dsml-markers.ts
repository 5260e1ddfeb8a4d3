import type { MarkedFormat, Steps } from './marked-format.ts';
import { withSteps } from './marked-format.ts';

/** The spellings in which DeepSeek's versions differ. */
export interface DsmlDialect {
  /** What opens the block of calls; the first is the version's own. */
  toolStart: readonly string[];
  toolEnd: string;
  invoke: string;
  invokeEnd: string;
  parameter: string;
  parameterEnd: string;
}

const STEPS: Steps = {
  content: {
    'tool-start': { to: 'preamble' },
    invoke: { to: 'name', does: ['start-call'] },
  },
  preamble: { invoke: { to: 'name', does: ['start-call'] } },
  name: { 'name-end': { to: 'arguments' } },
  arguments: {
    'invoke-end': { to: 'between', does: ['end-call'] },
    'tool-end': { to: 'between', does: ['end-call'] },
  },
  // Calls end the turn: nothing behind the block is shown.
  between: {
    invoke: { to: 'name', does: ['start-call'] },
    'tool-end': { to: 'between' },
    'tool-start': { to: 'preamble' },
  },
};

const THINKING: Steps = {
  content: {
    'think-start': { to: 'reasoning' },
    'think-end': { to: 'content' },
  },
  reasoning: {
    'think-start': { to: 'reasoning' },
    'think-end': { to: 'content', does: ['end-reasoning'] },
    'tool-start': { to: 'preamble', does: ['end-reasoning'] },
  },
};

/**
 * DeepSeek's markup language for calls, from V3.2 on.
 * @param thinking whether reasoning is open from the start; null for a version whose reasoning is no part of the format
 */
export function dsmlMarkers(dialect: DsmlDialect, thinking: boolean | null): MarkedFormat {
  return {
    markers: {
      spellings: {
        ...(thinking === null ? {} : { 'think-start': ['<think>'], 'think-end': ['</think>'] }),
        'tool-start': dialect.toolStart,
        'tool-end': [dialect.toolEnd],
        invoke: [dialect.invoke],
        'name-end': ['">'],
        'invoke-end': [dialect.invokeEnd],
        parameter: [dialect.parameter],
        'parameter-end': [dialect.parameterEnd],
      },
      byToken: [...(thinking === null ? [] : ['think-start', 'think-end']), 'tool-start', 'tool-end'],
    },
    steps: thinking === null ? STEPS : withSteps(STEPS, THINKING),
    start: thinking === true ? 'reasoning' : 'content',
    reasoningMarkers: ['think-start', 'think-end'],
  };
}

import type { MarkedFormat, Steps } from './marked-format.ts';
import { strip } from './white-space.ts';

const STEPS: Steps = {
  content: { 'section-start': { to: 'preamble' } },
  reasoning: { 'section-start': { to: 'preamble', does: ['end-reasoning'] } },
  // Calls end the turn: nothing behind the section is shown.
  preamble: { 'call-start': { to: 'name', does: ['start-call'] }, 'section-end': { to: 'preamble' } },
  name: { argument: { to: 'arguments' }, 'call-end': { to: 'between', does: ['end-call'] } },
  arguments: {
    'call-end': { to: 'between', does: ['end-call'] },
    'section-end': { to: 'preamble', does: ['end-call'] },
    'call-start': { to: 'name', does: ['end-call', 'start-call'] },
  },
  between: { 'call-start': { to: 'name', does: ['start-call'] }, 'section-end': { to: 'preamble' } },
};

const THINKING: Steps = {
  content: { ...STEPS.content, 'think-end': { to: 'content' } },
  reasoning: {
    ...STEPS.reasoning,
    'think-start': { to: 'reasoning' },
    'think-end': { to: 'content', does: ['end-reasoning'] },
  },
};

const CALL_MARKERS = {
  'section-start': ['<|tool_calls_section_begin|>'],
  'section-end': ['<|tool_calls_section_end|>'],
  'call-start': ['<|tool_call_begin|>'],
  'call-end': ['<|tool_call_end|>'],
  argument: ['<|tool_call_argument_begin|>'],
};

const THINK_MARKERS = { 'think-start': ['<think>'], 'think-end': ['</think>'] };

/** Markers of Kimi K2, each a token: a section of calls, whose headers are ids such as `functions.get_weather:0`. Without thinking, its markers are text. */
export function kimiMarkers(thinking: boolean): MarkedFormat {
  const spellings = thinking ? { ...THINK_MARKERS, ...CALL_MARKERS } : CALL_MARKERS;
  return {
    markers: { spellings, byToken: Object.keys(spellings) },
    steps: thinking ? { ...STEPS, ...THINKING } : STEPS,
    start: thinking ? 'reasoning' : 'content',
    reasoningMarkers: ['think-start', 'think-end'],
  };
}

const ID = /^.+:\d+/;

/** The name in a header that is the call's id, such as `functions.get_weather:0`; some models leave the count out. Null where there is none. */
export function functionId(header: string): { name: string; id?: string } | null {
  const text = strip(header);
  const id = strip(ID.exec(text)?.[0] ?? '');
  const name = (id === '' ? text : (id.split(':')[0] ?? '')).replace(/^functions\./, '');
  if (name === '' || (id === '' && /[\s:]/.test(name))) return null;
  return id === '' ? { name } : { name, id };
}

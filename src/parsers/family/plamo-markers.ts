import type { ParserContext } from '../../core/stream-parser.ts';
import type { MarkedFormat, Steps } from './marked-format.ts';
import { enablesThinking } from './thinking-switch.ts';

const BEGIN = '<|plamo:begin_';
const END = '<|plamo:end_';
const CLOSE = ':plamo|>';
const CONSTRAIN = '<|plamo:constrain|>';
const MESSAGE = '<|plamo:msg|>';

const CALL_STEPS: Steps = {
  content: { 'section-start': { to: 'preamble' }, turn: { to: 'content' } },
  preamble: {
    'call-start': { to: 'preamble' },
    'name-start': { to: 'name', does: ['start-call'] },
    argument: { to: 'arguments' },
    'section-end': { to: 'content' },
    turn: { to: 'content', does: ['end-call'] },
  },
  name: { 'name-end': { to: 'preamble' }, turn: { to: 'content', does: ['end-call'] } },
  arguments: { 'argument-end': { to: 'between', does: ['end-call'] }, turn: { to: 'content', does: ['end-call'] } },
  between: { 'call-end': { to: 'preamble' }, 'section-end': { to: 'content' }, turn: { to: 'content' } },
};

const THINKING_STEPS: Steps = {
  ...CALL_STEPS,
  content: { ...CALL_STEPS.content, 'think-start': { to: 'reasoning' }, 'think-end': { to: 'content' } },
  reasoning: {
    'think-start': { to: 'reasoning' },
    'think-end': { to: 'content', does: ['end-reasoning'] },
    'section-start': { to: 'preamble', does: ['end-reasoning'] },
    turn: { to: 'content', does: ['end-reasoning'] },
  },
};

const CALL_MARKERS = {
  'section-start': [`${BEGIN}tool_requests${CLOSE}`],
  'section-end': [`${END}tool_requests${CLOSE}`],
  'call-start': [`${BEGIN}tool_request${CLOSE}`],
  'call-end': [`${END}tool_request${CLOSE}`],
  'name-start': [`${BEGIN}tool_name${CLOSE}`],
  'name-end': [`${END}tool_name${CLOSE}`],
  argument: [`${BEGIN}tool_arguments${CLOSE}${CONSTRAIN}json${MESSAGE}`],
  'argument-end': [`${END}tool_arguments${CLOSE}`],
  turn: ['<|plamo:tag|>'],
};

const THINK_MARKERS = { 'think-start': [`${BEGIN}think${CLOSE}`], 'think-end': [`${END}think${CLOSE}`] };

/** Markers of PLaMo 3, each of several tokens. Without thinking, its markers are text. */
export function plamoMarkers({ chatTemplateKwargs }: ParserContext): MarkedFormat {
  const thinking = enablesThinking(chatTemplateKwargs);
  return {
    markers: {
      spellings: thinking ? { ...THINK_MARKERS, ...CALL_MARKERS } : CALL_MARKERS,
      byToken: thinking ? ['think-start', 'think-end', 'turn'] : ['turn'],
      textTokens: [BEGIN, END, CLOSE, CONSTRAIN, MESSAGE],
      unfinished: '<|plamo:',
    },
    steps: thinking ? THINKING_STEPS : CALL_STEPS,
    start: thinking ? 'reasoning' : 'content',
    // A tool parser that stands alone reads reasoning too.
    reasoningMarkers: [],
  };
}

/** Whether reasoning is over at the end of a prompt, whose markers are several tokens each, or one. */
export function plamoPromptEnded(promptTokenIds: readonly number[], { vocabulary, chatTemplateKwargs }: ParserContext): boolean {
  if (!enablesThinking(chatTemplateKwargs)) return true;
  const id = (token: string): number | undefined => vocabulary.tokenToId(token);
  const [word, close] = [id('think'), id(CLOSE)];
  const isMarker = (at: number, begin: string): boolean => {
    const first = promptTokenIds[at];
    if (first === undefined) return false;
    return (
      first === id(`${begin}think${CLOSE}`) || (first === id(begin) && promptTokenIds[at + 1] === word && promptTokenIds[at + 2] === close)
    );
  };
  const last = promptTokenIds.findLastIndex((token, at) => isMarker(at, BEGIN) || isMarker(at, END) || token === id('<|plamo:tag|>'));
  return isMarker(last, END);
}

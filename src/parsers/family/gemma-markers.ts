import type { ParserContext } from '../../core/stream-parser.ts';
import { GEMMA_QUOTE } from './gemma-values.ts';
import type { MarkedFormat } from './marked-format.ts';
import type { MarkedReasoningRules } from './marked-reasoning.ts';
import { isTrue } from './thinking-switch.ts';

const START_CALL = { to: 'preamble', does: ['start-call'] } as const;
const END_CALL = { to: 'content', does: ['end-call'] } as const;

/** Markers of Gemma 4. Calls read `call:NAME{...}`, though some models leave `call` out and some write parentheses. */
export const GEMMA_MARKERS: MarkedFormat = {
  markers: {
    spellings: {
      'think-start': ['<|channel>'],
      'think-end': ['<channel|>'],
      'tool-start': ['<|tool_call>'],
      'tool-end': ['<tool_call|>'],
      call: ['call:'],
      colon: [':'],
      brace: ['{'],
      parenthesis: ['('],
    },
    byToken: ['think-start', 'think-end', 'tool-start', 'tool-end'],
    textTokens: [GEMMA_QUOTE],
  },
  steps: {
    content: {
      'think-start': { to: 'reasoning' },
      'think-end': { to: 'content' },
      'tool-start': START_CALL,
      'tool-end': { to: 'content' },
    },
    reasoning: {
      'think-start': { to: 'reasoning' },
      'think-end': { to: 'content', does: ['end-reasoning'] },
      'tool-start': { to: 'preamble', does: ['end-reasoning', 'start-call'] },
    },
    preamble: { call: { to: 'name' }, colon: { to: 'name' }, 'tool-end': END_CALL },
    name: { brace: { to: 'arguments' }, parenthesis: { to: 'arguments' }, 'tool-end': END_CALL },
    // A call that was not closed ends where the next one begins.
    arguments: { 'tool-end': END_CALL, 'tool-start': { to: 'preamble', does: ['end-call', 'start-call'] } },
  },
  start: 'content',
  reasoningMarkers: ['think-start', 'think-end'],
};

export function gemmaReasoningRules(context: ParserContext): MarkedReasoningRules {
  return {
    stripsEnd: true,
    dropsNewlines: false,
    turnTokens: ['<|turn>', '<|tool_response>'],
    awaits: isTrue(context.chatTemplateKwargs['enable_thinking']),
    opensInPrompt: true,
  };
}

import { dumps } from '../../core/python-json.ts';
import type { Vocabulary } from '../../core/vocabulary.ts';
import { toPython } from '../encoders/json-value.ts';
import type { GrammarTool } from './tool-formats.ts';

/**
 * Calls of Mistral's tokenizers from version 11 on: `[TOOL_CALLS]name[ARGS]{...}`, one after the other. The markers are tokens, not text,
 * which structural tags cannot say here, so this is a grammar in llguidance's dialect of Lark.
 */

const ANY_OBJECT = { type: 'object' };

function token(vocabulary: Vocabulary, name: string): string | null {
  const id = vocabulary.tokenToId(name);
  return id === undefined ? null : `<[${id}]>`;
}

/** Whether the tokenizer writes calls in this form. */
export function writesMistralCalls(vocabulary: Vocabulary): boolean {
  return token(vocabulary, '[TOOL_CALLS]') !== null && token(vocabulary, '[ARGS]') !== null;
}

function argumentsOf({ strict, parameters }: GrammarTool): string {
  return dumps(toPython(strict ? (parameters ?? ANY_OBJECT) : ANY_OBJECT));
}

/**
 * The grammar of an answer that is calls of some of the tools, after thinking and text of any kind.
 * @param single whether there is exactly one call
 */
export function mistralGrammar(vocabulary: Vocabulary, tools: readonly GrammarTool[], single: boolean): string {
  const [calls, args, think, endThink] = ['[TOOL_CALLS]', '[ARGS]', '[THINK]', '[/THINK]'].map((name) => token(vocabulary, name));
  const alternatives = tools.map((tool) => `${calls} SPACE? ${JSON.stringify(tool.name)} ${args} SPACE? %json ${argumentsOf(tool)} SPACE?`);
  const thinks = think !== null && endThink !== null;
  return [
    `start: ${thinks ? 'think? ' : ''}text? ${single ? 'call' : 'call+'}`,
    ...(thinks ? [`think: ${think} text ${endThink}`] : []),
    'text: /(.|\\n)+/',
    `call: ${alternatives.join('\n    | ')}`,
    'SPACE: /[ \\t\\r\\n]{1,8}/',
    '',
  ].join('\n');
}

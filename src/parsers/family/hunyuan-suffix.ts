import type { ParserContext } from '../../core/stream-parser.ts';
import type { Vocabulary } from '../../core/vocabulary.ts';
import type { ThinkTags } from './think-tags.ts';

const TAG = /^<(?:think|tool_calls|tool_call|arg_key|arg_value)(:[^\s>]+)?>$/;
const found = new WeakMap<object, string>();

/** The suffix of a Hunyuan 3 checkpoint's tags, as its configuration gives it. */
export function configuredSuffix({ tokenizerConfig }: Pick<ParserContext, 'tokenizerConfig'>): string {
  const suffix = tokenizerConfig['token_suffix'];
  return typeof suffix === 'string' ? suffix : '';
}

/** The suffix of a Hunyuan 4 checkpoint's tags, as its vocabulary shows it. Vocabularies are searched once. */
export function vocabularySuffix({ vocabulary }: { vocabulary: Pick<Vocabulary, 'size' | 'idToToken'> }): string {
  let suffix = found.get(vocabulary);
  for (let id = vocabulary.size - 1; id >= 0 && suffix === undefined; id -= 1) {
    const tag = TAG.exec(vocabulary.idToToken(id) ?? '');
    if (tag) suffix = tag[1] ?? '';
  }
  found.set(vocabulary, suffix ?? '');
  return suffix ?? '';
}

/** The tags around the calls, which must be tokens. */
export function hunyuanCallTokens(suffix: string): string[] {
  return [`<tool_calls${suffix}>`, `</tool_calls${suffix}>`];
}

/** The tags around thinking. */
export function hunyuanThinkTags(suffix: string): ThinkTags {
  return { start: `<think${suffix}>`, end: `</think${suffix}>` };
}

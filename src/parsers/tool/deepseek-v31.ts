import type { ToolFormat } from '../../core/stream-parser.ts';
import { dropBlankContent } from '../family/complete-answer.ts';
import {
  DEEPSEEK_MARKERS,
  SECTION_CLOSE,
  SECTION_OPEN,
  SEPARATOR,
  createDeepseekParser,
  deepseekState,
} from '../family/deepseek-section.ts';
import type { DeepseekState } from '../family/deepseek-section.ts';

/*
 * <｜tool▁calls▁begin｜><｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>{"city": "Oslo"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>
 *
 * Written by DeepSeek V3.1. Specified by its model card and chat template.
 *
 * As in the reference: arguments are given as written, in complete answers too; a header that is cut off is not shown. On purpose unlike
 * it: calls and their last units do not depend on chunking, markers inside strings are text, and text behind the section is kept.
 */

export const deepseekV31: ToolFormat<DeepseekState> = {
  kind: 'tool',
  name: 'deepseek_v31',
  aliases: ['deepseek31', 'deepseek_v3_1', 'deepseekv31'],
  models: 'DeepSeek V3.1',
  sample: '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>{"city": "Oslo"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
  stateVersion: 1,
  stateSchema: deepseekState,
  requiredTokens: [SECTION_OPEN, SECTION_CLOSE],
  create: () =>
    createDeepseekParser({
      markers: DEEPSEEK_MARKERS,
      header(text) {
        const at = text.indexOf(SEPARATOR);
        return at === -1 ? null : { name: text.slice(0, at).trim(), length: at + SEPARATOR.length };
      },
      trailer: /\s+$/,
    }),
  forcedChoice: 'markup',
  whenNone: 'content',
  callDeltas: 'name-apart',
  complete: dropBlankContent,
};

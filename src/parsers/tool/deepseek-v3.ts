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
 * <｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>get_weather
 * ```json
 * {"city": "Oslo"}
 * ```<｜tool▁call▁end｜><｜tool▁calls▁end｜>
 *
 * Written by DeepSeek V3 (0324) and R1 (0528). Specified by their model cards and chat templates.
 *
 * As in the reference: arguments are given as written, in complete answers too. On purpose unlike it: calls and their last units do not
 * depend on chunking, markers and fences inside strings are text, and the fence may be missing.
 */

const SAMPLE =
  '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>get_weather\n```json\n{"city": "Oslo"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>';
/** Behind the name's line: a fence, mostly, up to the first unit of the arguments. */
const LEAD = /^\s*(?:```(?:json)?\s*)?(?=["{[])/;

export const deepseekV3: ToolFormat<DeepseekState> = {
  kind: 'tool',
  name: 'deepseek_v3',
  aliases: ['deepseek', 'deepseekv3'],
  models: 'DeepSeek V3 and R1',
  sample: SAMPLE,
  stateVersion: 1,
  stateSchema: deepseekState,
  requiredTokens: [SECTION_OPEN, SECTION_CLOSE],
  create: () =>
    createDeepseekParser({
      markers: DEEPSEEK_MARKERS,
      header(text) {
        const separator = text.indexOf(SEPARATOR);
        const name = separator === -1 ? -1 : separator + SEPARATOR.length;
        const line = name === -1 ? -1 : text.indexOf('\n', name);
        if (line === -1) return null;
        const lead = LEAD.exec(text.slice(line + 1));
        return lead && { name: text.slice(name, line).trim(), length: line + 1 + lead[0].length };
      },
      trailer: /\s*`{0,3}\s*$/,
    }),
  forcedChoice: 'markup',
  whenNone: 'content',
  callDeltas: 'name-apart',
  complete: dropBlankContent,
};

import type { ToolFormat } from '../../core/stream-parser.ts';
import { joinStrippedParts } from '../family/complete-answer.ts';
import { createPythonBlocks, pythonBlocksState } from '../family/python-blocks.ts';
import type { PythonBlocks } from '../family/python-blocks.ts';

/*
 * <|tool_call_start|>[get_weather(city='Oslo', days=2)]<|tool_call_end|>Checking the weather now.
 *
 * Written by Liquid's LFM2 and LFM2.5. Specified by their model cards and chat templates.
 *
 * As in the reference: quotes inside a string of the same quotes, parameters named as Python's keywords and numbers with leading zeros are
 * read for what they mean; the list written once more behind the end token is dropped; in complete answers the texts before and behind are
 * stripped and joined by a newline. On purpose unlike it: markers inside strings are text, further lists between tokens are calls.
 */

const START = '<|tool_call_start|>';
const END = '<|tool_call_end|>';

export const lfm2: ToolFormat<PythonBlocks> = {
  kind: 'tool',
  name: 'lfm2',
  aliases: [],
  models: 'LFM2, LFM2.5',
  sample: "<|tool_call_start|>[get_weather(city='Oslo', days=2)]<|tool_call_end|>",
  stateVersion: 1,
  stateSchema: pythonBlocksState,
  requiredTokens: [START, END],
  create: (context) => createPythonBlocks({ open: START, close: END, dropsEcho: true, mendsQuotes: true }, context),
  forcedChoice: 'json',
  whenNone: 'content',
  callDeltas: 'merged',
  complete: joinStrippedParts,
};

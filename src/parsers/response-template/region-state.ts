import { z } from 'zod';
import { jsonCheckState, startCheck } from '../family/json-check.ts';
import type { JsonCheck } from '../family/json-check.ts';
import type { FieldName } from './template.ts';

/** How far a message was read by its template. */
export interface RegionState {
  /** Text that may begin a delimiter. */
  held: string;
  /** How many units of `held` stand in the prompt. */
  promptUnits: number;
  /** The character in front of `held`; empty at the beginning of the message. */
  before: string;
  /** The region opened by its delimiter; null outside of those. */
  region: FieldName | null;
  /** The current region has begun, by its delimiter or its first text. */
  opened: boolean;
  /** Named groups of the region's opening delimiter. */
  captures: Record<string, string>;
  /** Text of a region that is read as a whole. */
  body: string;
  check: JsonCheck;
  /** The first closing delimiter in `body` that stands inside of a string: it counts after all if the text turns out to be no JSON. */
  quoted: { from: number; to: number } | null;
  calls: number;
  /** There was output. */
  written: boolean;
}

const offset = z.int().min(0);

export const regionState: z.ZodType<RegionState> = z.object({
  held: z.string(),
  promptUnits: offset,
  before: z.string(),
  region: z.enum(['thinking', 'content', 'tool_calls']).nullable(),
  opened: z.boolean(),
  captures: z.record(z.string(), z.string()),
  body: z.string(),
  check: jsonCheckState,
  quoted: z.object({ from: offset, to: offset }).nullable(),
  calls: offset,
  written: z.boolean(),
});

export function startRegions(): RegionState {
  return {
    held: '',
    promptUnits: 0,
    before: '',
    region: null,
    opened: false,
    captures: {},
    body: '',
    check: startCheck(),
    quoted: null,
    calls: 0,
    written: false,
  };
}

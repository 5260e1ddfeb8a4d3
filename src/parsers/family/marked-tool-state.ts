import { z } from 'zod';
import type { ArgumentsReader } from './arguments-reader.ts';
import { contentGateState } from './content-gate.ts';
import type { ContentGate } from './content-gate.ts';
import type { Mode } from './marked-format.ts';

/** A call's name as its header gives it; null where it gives none. */
export type NameOf = (header: string) => { name: string; id?: string } | null;

/** What the tool parsers of marked formats differ in. */
export interface MarkedToolRules<Arguments> {
  reader: ArgumentsReader<Arguments>;
  /** By default the header without white space around. */
  nameOf?: NameOf;
  /** Calls of functions that the request does not offer are no calls: their text becomes content. */
  knownNamesOnly?: boolean;
  /** White space is dropped where there is a call and no other content. */
  dropsBlank: boolean;
  /** Text between markers of calls, outside any call. */
  strayText: 'content' | 'dropped';
  /** A call whose name was cut off by the end of the output. */
  cutName: 'call' | 'dropped';
  /** White space at the end of reasoning is dropped. */
  stripsReasoning: boolean;
}

export interface MarkedToolState<Arguments> {
  /** Text that may begin a marker. */
  held: string;
  mode: Mode;
  /** `open`: begun, and its name is not given out; `given`: its name is given out; `refused`: it is content. */
  call: 'none' | 'open' | 'given' | 'refused';
  /** All text of a call that is `open`, markers included. */
  raw: string;
  /** What has come of the call's header; the name, once it is given out. */
  name: string;
  /** Calls that were given out. */
  calls: number;
  arguments: Arguments | null;
  /** A marker whose meaning is decided by what follows, and white space behind it. */
  doubtful: { marker: string; text: string; space: string; likely: 'likely-text' | 'likely-end' } | null;
  /** White space that ends reasoning so far. */
  trailing: string;
  gate: ContentGate;
}

export function markedToolState<Arguments>(reader: ArgumentsReader<Arguments>): z.ZodType<MarkedToolState<Arguments>> {
  return z.object({
    held: z.string(),
    mode: z.enum(['content', 'reasoning', 'preamble', 'name', 'arguments', 'between']),
    call: z.enum(['none', 'open', 'given', 'refused']),
    raw: z.string(),
    name: z.string(),
    calls: z.int().min(0),
    arguments: reader.stateSchema.nullable(),
    doubtful: z
      .object({ marker: z.string(), text: z.string(), space: z.string(), likely: z.enum(['likely-text', 'likely-end']) })
      .nullable(),
    trailing: z.string(),
    gate: contentGateState,
  });
}

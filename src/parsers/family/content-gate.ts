import { z } from 'zod';
import type { EventSink } from '../../core/stream-parser.ts';
import { isBlank } from './white-space.ts';

/**
 * The content around calls, with the white-space rules of the reference's engine: white space in front of everything is held until
 * text or a call follows. Text behind a call waits for the next chunk, so that in each delta content stands before calls.
 */
export interface ContentGate {
  /** Leading white space, while there was neither text nor a call. */
  blank: string;
  /** Text that waits for a chunk without a call's deltas. */
  waiting: string;
  /** More than white space was given out. */
  said: boolean;
  /** A call has begun. */
  calls: boolean;
  /** In the current chunk: something of a call was read; something of a call was given out. */
  sawCall: boolean;
  gaveCall: boolean;
}

export const contentGateState: z.ZodType<ContentGate> = z.object({
  blank: z.string(),
  waiting: z.string(),
  said: z.boolean(),
  calls: z.boolean(),
  sawCall: z.boolean(),
  gaveCall: z.boolean(),
});

export interface ContentRules {
  /** White space before any text is dropped once there is a call. */
  dropsBlank: boolean;
  /** Text behind a call waits for the next chunk; not so in complete answers. */
  waits: boolean;
}

export function openGate(): ContentGate {
  return { blank: '', waiting: '', said: false, calls: false, sawCall: false, gaveCall: false };
}

function give(gate: ContentGate, text: string, rules: ContentRules, sink: EventSink): void {
  if (rules.waits && gate.sawCall) gate.waiting += text;
  else {
    sink.content(gate.waiting + text);
    gate.waiting = '';
  }
}

export function passContent(gate: ContentGate, text: string, rules: ContentRules, sink: EventSink): void {
  if (gate.said) return give(gate, text, rules, sink);
  if (isBlank(text)) {
    if (!gate.calls) gate.blank += text;
    else if (!rules.dropsBlank) give(gate, text, rules, sink);
    return;
  }
  gate.said = true;
  give(gate, gate.blank + text, rules, sink);
  gate.blank = '';
}

/** A call begins. */
export function passCallStart(gate: ContentGate, rules: ContentRules, sink: EventSink): void {
  gate.calls = true;
  if (gate.blank !== '' && !rules.dropsBlank) give(gate, gate.blank, rules, sink);
  gate.blank = '';
}

/** A chunk has ended. */
export function endGateChunk(gate: ContentGate, sink: EventSink): void {
  if (gate.waiting !== '' && !gate.gaveCall) {
    sink.content(gate.waiting);
    gate.waiting = '';
  }
  gate.sawCall = false;
  gate.gaveCall = false;
}

/** The output has ended. */
export function closeGate(gate: ContentGate, sink: EventSink): void {
  const rest = gate.waiting + gate.blank;
  if (rest !== '') sink.content(rest);
  gate.waiting = '';
  gate.blank = '';
}

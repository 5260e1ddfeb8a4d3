import { RegionReading } from './region-reading.ts';
import type { RegionSink } from './region-reading.ts';
import { startRegions } from './region-state.ts';
import type { ResponseTemplate, TemplateField } from './template.ts';

/** Notes which regions open and close. */
class RegionLog implements RegionSink {
  readonly events: { field: TemplateField; opens: boolean; explicit: boolean }[] = [];

  open(field: TemplateField, _delimiter: string, explicit: boolean): void {
    this.events.push({ field, opens: true, explicit });
  }

  close(field: TemplateField): void {
    this.events.push({ field, opens: false, explicit: false });
  }

  text(): void {
    // What regions hold does not matter here.
  }

  readsWhole(): boolean {
    return false;
  }
}

/** Stands for the first of the output: a character that no model writes. */
const PROBE = '\0';

/**
 * Whether reasoning is over at the end of a prompt.
 * @param prefix the prompt's part of the message
 * @param thinks whether the request lets the model think: that decides where the prompt does not
 */
export function reasoningEnded(prefix: string, template: ResponseTemplate, thinks: boolean): boolean {
  const thinking = template.fields.get('thinking');
  if (!thinking) return true;
  if (thinking.repeats) return false;
  const log = new RegionLog();
  const reading = new RegionReading(template, startRegions(), log);
  reading.read(prefix, false);
  if (log.events.some(({ field, opens }) => field === thinking && !opens)) return true;
  const last = log.events.at(-1);
  const open = last?.opens ? last.field : null;
  if (open && open !== thinking) return true;
  // What the prompt ends with may be a delimiter that only the output tells apart.
  const seen = log.events.length;
  reading.read(PROBE, false);
  for (const { field, opens, explicit } of log.events.slice(seen)) {
    if (field === thinking) return !opens;
    if (opens && explicit) return true;
  }
  return open === null && !thinks;
}

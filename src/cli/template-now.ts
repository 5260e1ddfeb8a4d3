import { StartupError } from '../core/errors.ts';
import { parseClockTime, type ClockTime } from '../template/index.ts';

/**
 * Reads `--template-now`.
 * @param origin the option's name for the message
 * @throws StartupError where the text is no ISO 8601 time
 */
export function readTemplateNow(text: string, origin: string): ClockTime {
  const time = parseClockTime(text);
  if (time === undefined) throw new StartupError(`${origin} must be an ISO time like 2026-12-01T09:30:00, not "${text}".`);
  return time;
}

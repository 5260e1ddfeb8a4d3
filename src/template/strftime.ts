/** `strftime` with all directives that Python hands to the C library (glibc, C locale). */
import { reserve } from './budget.ts';

/** A date and time as the clock on the wall shows it, without a zone, as Python's `datetime.now()`. */
export interface ClockTime {
  readonly year: number;
  /** 1 to 12 */
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly microsecond: number;
}

/** @returns the time of `date` in the zone of this process. */
export function clockTimeOf(date: Date): ClockTime {
  return {
    year: date.getFullYear(),
    month: date.getMonth() + 1,
    day: date.getDate(),
    hour: date.getHours(),
    minute: date.getMinutes(),
    second: date.getSeconds(),
    microsecond: date.getMilliseconds() * 1000,
  };
}

const ISO = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?)?(?:Z|[+-]\d\d(?::?\d\d)?)?$/;

/**
 * Reads an ISO 8601 time. What is written is what the clock shows: a zone behind it changes nothing, so that a fixed time gives the
 * same prompt on every machine.
 *
 * @returns the time, or undefined where the text is none.
 */
export function parseClockTime(text: string): ClockTime | undefined {
  const match = ISO.exec(text.trim());
  if (match === null) return undefined;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const microsecond = Number((match[7] ?? '').padEnd(6, '0').slice(0, 6));
  const daysInMonth = new Date(Date.UTC(year, month, 0)).getUTCDate();
  const valid = month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth && hour < 24 && minute < 60 && second < 60;
  return valid ? { year, month, day, hour, minute, second, microsecond } : undefined;
}

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const MONTHS = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'];

interface Day {
  /** 0 is Sunday */
  readonly weekday: number;
  /** 1 to 366 */
  readonly yearDay: number;
}

function dayOf(time: ClockTime): Day {
  const date = Date.UTC(time.year, time.month - 1, time.day);
  return { weekday: new Date(date).getUTCDay(), yearDay: Math.round((date - Date.UTC(time.year, 0, 1)) / 86_400_000) + 1 };
}

function isoWeek(time: ClockTime, { weekday, yearDay }: Day): { year: number; week: number } {
  const week = Math.floor((yearDay - ((weekday + 6) % 7) + 9) / 7);
  if (week < 1) return { year: time.year - 1, week: weeksIn(time.year - 1) };
  return week > weeksIn(time.year) ? { year: time.year + 1, week: 1 } : { year: time.year, week };
}

function weeksIn(year: number): number {
  const startsOn = new Date(Date.UTC(year, 0, 1)).getUTCDay();
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return startsOn === 4 || (leap && startsOn === 3) ? 53 : 52;
}

/** A field of the time: a number with its width and padding, or a text. */
type Field = string | { readonly value: number; readonly width: number; readonly padding: '0' | ' ' };

const zeros = (value: number, width = 2): Field => ({ value, width, padding: '0' });
const blanks = (value: number): Field => ({ value, width: 2, padding: ' ' });

function epochSeconds(time: ClockTime): number {
  return Math.floor(new Date(time.year, time.month - 1, time.day, time.hour, time.minute, time.second).getTime() / 1000);
}

const COMPOSED: Record<string, string> = {
  c: '%a %b %e %H:%M:%S %Y',
  D: '%m/%d/%y',
  F: '%Y-%m-%d',
  h: '%b',
  r: '%I:%M:%S %p',
  R: '%H:%M',
  T: '%H:%M:%S',
  x: '%m/%d/%y',
  X: '%H:%M:%S',
};

function field(directive: string, time: ClockTime, day: Day): Field | undefined {
  const hour12 = time.hour % 12 === 0 ? 12 : time.hour % 12;
  switch (directive) {
    case 'a':
      return (DAYS[day.weekday] as string).slice(0, 3);
    case 'A':
      return DAYS[day.weekday];
    case 'b':
      return (MONTHS[time.month - 1] as string).slice(0, 3);
    case 'B':
      return MONTHS[time.month - 1];
    case 'C':
      return zeros(Math.floor(time.year / 100));
    case 'd':
      return zeros(time.day);
    case 'e':
      return blanks(time.day);
    case 'f':
      return String(time.microsecond).padStart(6, '0');
    case 'g':
      return zeros(isoWeek(time, day).year % 100);
    case 'G':
      return zeros(isoWeek(time, day).year, 1);
    case 'H':
      return zeros(time.hour);
    case 'I':
      return zeros(hour12);
    case 'j':
      return zeros(day.yearDay, 3);
    case 'k':
      return blanks(time.hour);
    case 'l':
      return blanks(hour12);
    case 'm':
      return zeros(time.month);
    case 'M':
      return zeros(time.minute);
    case 'n':
      return '\n';
    case 'p':
      return time.hour < 12 ? 'AM' : 'PM';
    case 'P':
      return time.hour < 12 ? 'am' : 'pm';
    case 's':
      return zeros(epochSeconds(time), 1);
    case 'S':
      return zeros(time.second);
    case 't':
      return '\t';
    case 'u':
      return zeros(day.weekday === 0 ? 7 : day.weekday, 1);
    case 'U':
      return zeros(Math.floor((day.yearDay + 6 - day.weekday) / 7));
    case 'V':
      return zeros(isoWeek(time, day).week);
    case 'w':
      return zeros(day.weekday, 1);
    case 'W':
      return zeros(Math.floor((day.yearDay + 6 - ((day.weekday + 6) % 7)) / 7));
    case 'y':
      return zeros(time.year % 100);
    case 'Y':
      return zeros(time.year, 1);
    // A time without a zone has neither an offset nor a name for it.
    case 'z':
    case 'Z':
      return '';
    case '%':
      return '%';
    default:
      return undefined;
  }
}

function padded(shown: string, width: number, padding: string): string {
  reserve(width);
  return shown.padStart(width, padding);
}

function formatField(value: Field, flags: string, width: number | undefined): string {
  const padFlag = /[-_0](?=[^-_0]*$)/.exec(flags)?.[0];
  if (typeof value === 'string') {
    const shown = flags.includes('^') ? value.toUpperCase() : flags.includes('#') ? swapped(value) : value;
    return padded(shown, width ?? 0, padFlag === '0' ? '0' : ' ');
  }
  if (padFlag === '-' && width === undefined) return String(value.value);
  const padding = padFlag === '_' ? ' ' : padFlag === '0' ? '0' : value.padding;
  return padded(String(value.value), width ?? value.width, padding);
}

// `%#p` is lower case; every other name becomes upper case.
function swapped(value: string): string {
  return value === 'AM' || value === 'PM' ? value.toLowerCase() : value.toUpperCase();
}

/** @returns `time` in the form that `format` describes; what is no directive stays as it is. */
export function strftime(time: ClockTime, format: string): string {
  const day = dayOf(time);
  return format.replaceAll(
    /%([-_0^#]*)(\d*)([EO]?)([a-zA-Z%])/g,
    (whole: string, flags: string, width: string, _modifier: string, directive: string) => {
      const asked = width === '' ? undefined : Number(width);
      const composed = COMPOSED[directive];
      if (composed !== undefined) {
        const shown = strftime(time, composed);
        return padded(flags.includes('^') || (flags.includes('#') && directive === 'h') ? shown.toUpperCase() : shown, asked ?? 0, ' ');
      }
      const value = field(directive, time, day);
      return value === undefined ? whole : formatField(value, flags, asked);
    },
  );
}

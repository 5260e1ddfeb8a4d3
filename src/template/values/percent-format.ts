/** The `%` operator of strings. */
import { checkLength, reserve } from '../budget.ts';
import { PythonError, typeError, valueError } from '../errors.ts';
import { stringOf } from './compare.ts';
import { Dict } from './dict.ts';
import { formatFloatDigits, type FloatStyle } from './format-float.ts';
import { integerOfFloat, floatOfInteger, type Integer } from './integer.ts';
import { escapeHtml } from './markup.ts';
import { integerText } from './number-text.ts';
import { repr, reprText, text, undefinedError } from './repr.ts';
import { codePointLength, codePointSlice } from './text.ts';
import { typeName } from './type-name.ts';
import { Undefined } from './undefined.ts';
import { Float, Markup, NumberRange, Tuple, type Value } from './value.ts';

const DIRECTIVE = /%(?:\(((?:[^()]|\([^()]*\))*)\))?([-+ #0]*)(\*|\d+)?(?:\.(\*|\d*))?[hlL]?/y;

interface Directive {
  readonly flags: string;
  readonly width: number;
  readonly precision: number | undefined;
  readonly conversion: string;
}

/** Hands out the arguments one after the other. */
class FormatArguments {
  readonly #values: readonly Value[];
  readonly #isTuple: boolean;
  readonly #single: Value;
  #next = 0;

  constructor(argument: Value) {
    this.#single = argument;
    this.#isTuple = argument instanceof Tuple;
    this.#values = argument instanceof Tuple ? argument.items : [argument];
  }

  take(): Value {
    const value = this.#values[this.#next];
    if (value === undefined) throw typeError('not enough arguments for format string');
    this.#next += 1;
    return value;
  }

  named(name: string): Value {
    if (!(this.#single instanceof Dict)) throw typeError('format requires a mapping');
    const value = this.#single.get(name);
    if (value === undefined) throw new PythonError('KeyError', repr(name));
    this.#next = 1;
    return value;
  }

  finish(): void {
    const isMapping = !this.#isTuple && isSubscriptable(this.#single);
    if (this.#next < this.#values.length && !isMapping) throw typeError('not all arguments converted during string formatting');
  }
}

function isSubscriptable(value: Value): boolean {
  return Array.isArray(value) || value instanceof Dict || value instanceof Undefined || value instanceof NumberRange;
}

function starValue(value: Value): number {
  if (typeof value === 'boolean') return Number(value);
  if (typeof value !== 'number') throw typeError('* wants int');
  return value;
}

function integerArgument(value: Value, conversion: string): Integer {
  if (typeof value === 'number' || typeof value === 'bigint') return value;
  if (typeof value === 'boolean') return Number(value);
  if (value instanceof Float && 'diu'.includes(conversion)) return integerOfFloat(value.value);
  if (value instanceof Undefined) throw undefinedError(value);
  const wanted = 'diu'.includes(conversion) ? 'a real number' : 'an integer';
  throw typeError(`%${conversion} format: ${wanted} is required, not ${typeName(value)}`);
}

function floatArgument(value: Value): number {
  if (value instanceof Float) return value.value;
  if (typeof value === 'number' || typeof value === 'bigint') return floatOfInteger(value);
  if (typeof value === 'boolean') return Number(value);
  if (value instanceof Undefined) throw undefinedError(value);
  throw typeError(`must be real number, not ${typeName(value)}`);
}

const RADIX: Record<string, readonly [number, string]> = { o: [8, '0o'], x: [16, '0x'], X: [16, '0X'] };

function integerDigits(value: Integer, { flags, precision, conversion }: Directive): { digits: string; prefix: string } {
  const magnitude = value < 0 ? -value : value;
  const [radix, prefix] = RADIX[conversion] ?? [10, ''];
  const digits = radix === 10 ? integerText(magnitude) : magnitude.toString(radix);
  const shown = conversion === 'X' ? digits.toUpperCase() : digits;
  reserve(precision ?? 0);
  return { digits: shown.padStart(precision ?? 0, '0'), prefix: flags.includes('#') ? prefix : '' };
}

function padNumber(sign: string, prefix: string, digits: string, { flags, width }: Directive, zeros: boolean): string {
  reserve(width);
  const shown = `${sign}${prefix}${digits}`;
  if (flags.includes('-')) return shown.padEnd(width);
  return zeros && flags.includes('0')
    ? `${sign}${prefix}${digits.padStart(width - sign.length - prefix.length, '0')}`
    : shown.padStart(width);
}

function signOf(negative: boolean, flags: string): string {
  if (negative) return '-';
  return flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : '';
}

function formatNumber(value: Value, directive: Directive): string {
  const { conversion, flags, precision } = directive;
  if ('diuoxX'.includes(conversion)) {
    const int = integerArgument(value, conversion);
    const { digits, prefix } = integerDigits(int, directive);
    return padNumber(signOf(int < 0, flags), prefix, digits, directive, true);
  }
  const float = floatArgument(value);
  const digits = formatFloatDigits(float, conversion.toLowerCase() as FloatStyle, precision, flags.includes('#'));
  const shown = conversion === conversion.toUpperCase() ? digits.toUpperCase() : digits;
  return padNumber(signOf(float < 0 || Object.is(float, -0), flags), '', shown, directive, Number.isFinite(float));
}

function padText(characters: string, { flags, width }: Directive): string {
  const missing = Math.max(0, width - codePointLength(characters));
  reserve(missing);
  return flags.includes('-') ? characters + ' '.repeat(missing) : ' '.repeat(missing) + characters;
}

function character(value: Value): string {
  const single = stringOf(value);
  if (single !== undefined) {
    if (codePointLength(single) !== 1) throw typeError('%c requires int or char');
    return single;
  }
  if (typeof value !== 'number' && typeof value !== 'boolean') throw typeError('%c requires int or char');
  if (Number(value) < 0 || Number(value) > 0x10ffff) throw new PythonError('OverflowError', '%c arg not in range(0x110000)');
  return String.fromCodePoint(Number(value));
}

function formatText(value: Value, directive: Directive, escape: boolean): string {
  const { conversion, precision } = directive;
  if (conversion === 'c') return padText(character(value), directive);
  const plain = conversion === 's' ? text(value) : conversion === 'r' ? repr(value) : asciiRepr(value);
  const shown = escape ? escapeHtml(conversion === 's' ? value : plain).text : plain;
  return padText(precision === undefined ? shown : codePointSlice(shown, 0, Math.min(precision, codePointLength(shown))), directive);
}

/** @returns Python's `ascii(value)`. */
export function asciiRepr(value: Value): string {
  const plain = repr(value);
  return plain.replaceAll(/[^\0-\x7f]/gu, (symbol) => reprText(symbol, true).slice(1, -1));
}

function formatAll(format: string, argument: Value, escape: boolean): string {
  const values = new FormatArguments(argument);
  let out = '';
  let position = 0;
  for (let at = format.indexOf('%'); at >= 0; at = format.indexOf('%', position)) {
    out += format.slice(position, at);
    DIRECTIVE.lastIndex = at;
    const match = DIRECTIVE.exec(format) as RegExpExecArray;
    position = DIRECTIVE.lastIndex + 1;
    const conversion = format[position - 1];
    if (conversion === '%' && position - at === 2) {
      out += '%';
      continue;
    }
    if (format[at + 1] === '(' && match[1] === undefined) throw valueError('incomplete format key');
    if (conversion === undefined) throw valueError('incomplete format');
    const named = match[1] === undefined ? undefined : values.named(match[1]);
    const width = match[3] === '*' ? starValue(values.take()) : Number(match[3] ?? 0);
    const precision = match[4] === undefined ? undefined : match[4] === '*' ? Math.max(0, starValue(values.take())) : Number(match[4]);
    const flags = width < 0 ? `${match[2] ?? ''}-` : (match[2] ?? '');
    const directive: Directive = { flags, width: Math.abs(width), precision, conversion };
    const value = named === undefined ? values.take() : named;
    if ('diuoxXeEfFgG'.includes(conversion)) out += formatNumber(value, directive);
    else if ('csra'.includes(conversion)) out += formatText(value, directive, escape);
    else
      throw valueError(
        `unsupported format character '${conversion}' (0x${(conversion.codePointAt(0) as number).toString(16)}) at index ${position - 1}`,
      );
    checkLength(out.length);
  }
  values.finish();
  return out + format.slice(position);
}

/**
 * @returns Python's `format % argument`; Markup escapes what it is given.
 * @throws PythonError as Python does.
 */
export function percentFormat(format: Value, argument: Value): Value {
  if (format instanceof Markup) return new Markup(formatAll(format.text, argument, true));
  return formatAll(stringOf(format) as string, argument, false);
}

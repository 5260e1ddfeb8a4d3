/** Python's format specification (`{:>10.2f}`) for the values that have one. */
import { reserve } from '../budget.ts';
import { typeError, valueError } from '../errors.ts';
import { formatFloatDigits, type FloatStyle } from './format-float.ts';
import { floatOfInteger, type Integer } from './integer.ts';
import { integerText } from './number-text.ts';
import { text } from './repr.ts';
import { codePointLength, codePointSlice } from './text.ts';
import { typeName } from './type-name.ts';
import { Float, type Value } from './value.ts';

interface FormatSpec {
  readonly fill: string;
  readonly align: string | undefined;
  readonly sign: string;
  readonly noNegativeZero: boolean;
  readonly alternate: boolean;
  readonly width: number;
  readonly grouping: string;
  readonly precision: number | undefined;
  readonly type: string;
}

const SPEC = /^(?:(.)?([<>=^]))?([-+ ])?(z)?(#)?(0)?(\d+)?([,_])?(?:\.(\d+))?(.)?$/su;

function parseSpec(spec: string, value: Value): FormatSpec {
  const match = SPEC.exec(spec);
  if (match === null)
    throw valueError(
      /\.(?!\d)/.test(spec)
        ? 'Format specifier missing precision'
        : `Invalid format specifier '${spec}' for object of type '${typeName(value)}'`,
    );
  const [, fill, align, sign, z, alternate, zero, width, grouping, precision, type] = match;
  return {
    fill: fill ?? (zero === undefined ? ' ' : '0'),
    align: align ?? (zero === undefined || typeof value === 'string' ? undefined : '='),
    sign: sign ?? '',
    noNegativeZero: z !== undefined,
    alternate: alternate !== undefined,
    width: Number(width ?? 0),
    grouping: grouping ?? '',
    precision: precision === undefined ? undefined : Number(precision),
    type: type ?? '',
  };
}

function pad(shown: string, spec: FormatSpec, align: string): string {
  const missing = spec.width - codePointLength(shown);
  if (missing <= 0) return shown;
  reserve(missing * spec.fill.length);
  if (align === '<') return shown + spec.fill.repeat(missing);
  if (align === '>') return spec.fill.repeat(missing) + shown;
  const left = Math.floor(missing / 2);
  return spec.fill.repeat(left) + shown + spec.fill.repeat(missing - left);
}

function formatText(value: string, spec: FormatSpec): string {
  if (spec.sign !== '')
    throw valueError(spec.sign === ' ' ? 'Space not allowed in string format specifier' : 'Sign not allowed in string format specifier');
  if (spec.noNegativeZero) throw valueError('Negative zero coercion (z) not allowed in string format specifier');
  if (spec.alternate) throw valueError('Alternate form (#) not allowed in string format specifier');
  if (spec.align === '=') throw valueError("'=' alignment not allowed in string format specifier");
  if (spec.grouping !== '') throw valueError(`Cannot specify '${spec.grouping}' with 's'.`);
  if (spec.type !== '' && spec.type !== 's') throw unknownCode(spec.type, value);
  const shown = spec.precision === undefined ? value : codePointSlice(value, 0, Math.min(spec.precision, codePointLength(value)));
  return pad(shown, spec, spec.align ?? '<');
}

function unknownCode(type: string, value: Value): Error {
  return valueError(`Unknown format code '${type}' for object of type '${typeName(value)}'`);
}

function group(digits: string, separator: string, size: number): string {
  const first = digits.length % size;
  const groups = first === 0 ? [] : [digits.slice(0, first)];
  for (let at = first; at < digits.length; at += size) groups.push(digits.slice(at, at + size));
  return groups.join(separator);
}

/** @returns how many digits it takes, in groups with a separator between them, to fill `room` characters; they never begin with a separator. */
function digitsInGroups(room: number, size: number): number {
  const rest = room % (size + 1);
  return Math.floor(room / (size + 1)) * size + (rest === 0 ? 1 : rest);
}

/** Joins sign, prefix and digits, grouped and padded; zeros that pad grouped digits are grouped too. */
function formatDigits(sign: string, prefix: string, whole: string, rest: string, groupSize: number, spec: FormatSpec): string {
  const zeros = spec.align === '=' && spec.fill === '0';
  const room = spec.width - sign.length - prefix.length - rest.length;
  reserve(Math.max(0, spec.width));
  const padded = zeros ? whole.padStart(spec.grouping === '' ? room : digitsInGroups(room, groupSize), '0') : whole;
  const shown = (spec.grouping === '' ? padded : group(padded, spec.grouping, groupSize)) + rest;
  if (spec.align !== '=') return pad(sign + prefix + shown, spec, spec.align ?? '>');
  const missing = Math.max(0, spec.width - sign.length - prefix.length - shown.length);
  return sign + prefix + spec.fill.repeat(missing) + shown;
}

function signText(negative: boolean, spec: FormatSpec): string {
  return negative ? '-' : spec.sign === '-' ? '' : spec.sign;
}

const RADIX: Record<string, number> = { b: 2, o: 8, x: 16, X: 16 };

function formatInteger(value: Integer, spec: FormatSpec): string {
  const { type } = spec;
  if (type !== '' && 'eEfFgG%'.includes(type)) return formatFloat(floatOfInteger(value), spec);
  if (spec.precision !== undefined) throw valueError('Precision not allowed in integer format specifier');
  if (spec.noNegativeZero) throw valueError('Negative zero coercion (z) not allowed in format specifier with integer presentation type');
  if (type === 'c') return formatCharacter(value, spec);
  if (type !== '' && !'bdoxXn'.includes(type)) throw unknownCode(type, value);
  const radix = RADIX[type] ?? 10;
  if (spec.grouping === ',' && radix !== 10) throw valueError(`Cannot specify ',' with '${type}'.`);
  if (spec.grouping !== '' && type === 'n') throw valueError(`Cannot specify '${spec.grouping}' with 'n'.`);
  const magnitude = value < 0 ? -value : value;
  const digits = radix === 10 ? integerText(magnitude) : magnitude.toString(radix);
  const prefix = spec.alternate && radix !== 10 ? `0${type}` : '';
  return formatDigits(signText(value < 0, spec), prefix, type === 'X' ? digits.toUpperCase() : digits, '', radix === 10 ? 3 : 4, spec);
}

function formatCharacter(value: Integer, spec: FormatSpec): string {
  if (spec.sign !== '') throw valueError("Sign not allowed with integer format specifier 'c'");
  if (spec.alternate) throw valueError("Alternate form (#) not allowed with integer format specifier 'c'");
  if (spec.grouping !== '') throw valueError(`Cannot specify '${spec.grouping}' with 'c'.`);
  if (value < 0 || value > 0x10ffff) throw valueError('%c arg not in range(0x110000)');
  return pad(String.fromCodePoint(Number(value)), spec, spec.align === '=' || spec.align === undefined ? '<' : spec.align);
}

function formatFloat(value: number, spec: FormatSpec): string {
  const { type } = spec;
  if (type !== '' && !'eEfFgGn%'.includes(type)) throw unknownCode(type, new Float(value));
  const style = (type === 'n' ? 'g' : type.toLowerCase()) as FloatStyle;
  const digits = formatFloatDigits(value, style, spec.precision, spec.alternate);
  const shown = type !== '' && 'EFG'.includes(type) ? digits.toUpperCase() : digits;
  const isZero = !/[1-9a-zA-Z]/.test(shown.replace(/[eE].*$/, ''));
  const negative = (value < 0 || Object.is(value, -0)) && !(spec.noNegativeZero && isZero);
  const [, whole = '', rest = ''] = /^(\d*)(.*)$/.exec(shown) as RegExpExecArray;
  // inf and nan are padded and never grouped.
  if (whole === '') return formatDigits(signText(negative, spec), '', rest, '', 3, { ...spec, grouping: '' });
  return formatDigits(signText(negative, spec), '', whole, rest, 3, spec);
}

/**
 * @returns Python's `format(value, spec)`.
 * @throws PythonError as Python does.
 */
export function formatValue(value: Value, spec: string): string {
  if (spec === '') return text(value);
  if (typeof value === 'string') return formatText(value, parseSpec(spec, value));
  if (typeof value === 'number' || typeof value === 'bigint') return formatInteger(value, parseSpec(spec, value));
  if (typeof value === 'boolean') return formatInteger(Number(value), parseSpec(spec, value));
  if (value instanceof Float) return formatFloat(value.value, parseSpec(spec, value));
  throw typeError(`unsupported format string passed to ${typeName(value)}.__format__`);
}

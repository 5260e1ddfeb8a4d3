import { exponentText, fixedDigits, floatText, significantDigits } from './number-text.ts';

/** How digits of a float are asked for: C's conversions, `%`, or none (`str.format` without a type). */
export type FloatStyle = 'e' | 'f' | 'g' | '%' | '';

function withExponent(digits: string, exponent: number, alternate: boolean): string {
  const point = digits.length > 1 || alternate ? '.' : '';
  return `${digits[0]}${point}${digits.slice(1)}e${exponentText(exponent)}`;
}

function stripZeros(text: string): string {
  return text.includes('.') ? text.replace(/0+$/, '').replace(/\.$/, '') : text;
}

function general(value: number, precision: number, alternate: boolean, keepsFraction: boolean): string {
  const count = Math.max(1, precision);
  const { digits, exponent } = significantDigits(value, count);
  if (exponent < -4 || exponent >= count - (keepsFraction ? 1 : 0)) {
    const shown = alternate ? digits : stripZeros(`${digits[0]}.${digits.slice(1)}`).replace('.', '');
    return withExponent(shown, exponent, alternate);
  }
  const fixed = fixedDigits(value, Math.max(0, count - 1 - exponent));
  if (alternate) return fixed.includes('.') ? fixed : `${fixed}.`;
  const short = stripZeros(fixed);
  return keepsFraction && !short.includes('.') ? `${short}.0` : short;
}

/**
 * @param precision digits, as the style counts them; undefined for its default.
 * @returns the digits of |value|, in lower case; exactly rounded, ties to even.
 */
export function formatFloatDigits(value: number, style: FloatStyle, precision: number | undefined, alternate: boolean): string {
  const magnitude = Math.abs(style === '%' ? value * 100 : value);
  const suffix = style === '%' ? '%' : '';
  if (!Number.isFinite(magnitude)) return `${floatText(magnitude)}${suffix}`;
  if (style === '') {
    if (precision === undefined) return floatText(magnitude);
    return general(magnitude, precision, alternate, true);
  }
  const digits = precision ?? 6;
  if (style === 'g') return general(magnitude, digits, alternate, false);
  if (style === 'e') {
    const shown = significantDigits(magnitude, digits + 1);
    return withExponent(shown.digits, shown.exponent, alternate);
  }
  return `${fixedDigits(magnitude, digits)}${digits === 0 && alternate ? '.' : ''}${suffix}`;
}

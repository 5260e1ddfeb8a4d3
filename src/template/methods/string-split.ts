import { charge, checkLength, reserve, reserveItems } from '../budget.ts';
import { typeError, valueError } from '../errors.ts';
import { stringOf } from '../values/compare.ts';
import { allItems } from '../values/iterate.ts';
import { method, optionalIndex, stringArgument, type Method } from '../values/method.ts';
import { truthy } from '../values/truth.ts';
import { codePoints, isPlain, isSpace, splitLines, trimEnd, trimStart } from '../values/text.ts';
import { typeName } from '../values/type-name.ts';
import { Tuple, type Value } from '../values/value.ts';

/** @returns the text without the characters of `chars` (white space where none are given) at the chosen ends. */
export function strip(text: string, chars: string | undefined, start: boolean, end: boolean): string {
  if (chars === undefined) {
    const left = start ? trimStart(text) : text;
    return end ? trimEnd(left) : left;
  }
  // Half a surrogate pair is in no text without surrogates: code units will do.
  const characters = isPlain(chars) ? text : codePoints(text);
  const stripped = isPlain(chars) ? chars : codePoints(chars);
  let from = 0;
  let to = characters.length;
  if (start) while (from < to && stripped.includes(characters[from] as string)) from += 1;
  if (end) while (to > from && stripped.includes(characters[to - 1] as string)) to -= 1;
  return typeof characters === 'string' ? characters.slice(from, to) : characters.slice(from, to).join('');
}

function stripMethod(name: string, start: boolean, end: boolean): Method<string> {
  return method(name, 'chars?', (self, [chars]) =>
    strip(self, chars === undefined || chars === null ? undefined : stringArgument(chars, `${name} arg`), start, end),
  );
}

function splitAtSpace(text: string, limit: number): string[] {
  const parts: string[] = [];
  let at = 0;
  for (;;) {
    while (at < text.length && isSpace(text.charCodeAt(at))) at += 1;
    if (at === text.length) return parts;
    if (parts.length === limit) break;
    let end = at;
    while (end < text.length && !isSpace(text.charCodeAt(end))) end += 1;
    parts.push(text.slice(at, end));
    at = end;
  }
  parts.push(text.slice(at));
  return parts;
}

function splitAtSpaceFromEnd(text: string, limit: number): string[] {
  const parts: string[] = [];
  let end = text.length;
  for (;;) {
    while (end > 0 && isSpace(text.charCodeAt(end - 1))) end -= 1;
    if (end === 0) return parts.reverse();
    if (parts.length === limit) break;
    let at = end;
    while (at > 0 && !isSpace(text.charCodeAt(at - 1))) at -= 1;
    parts.push(text.slice(at, end));
    end = at;
  }
  parts.push(text.slice(0, end));
  return parts.reverse();
}

function splitAt(text: string, separator: string, limit: number): string[] {
  const parts = text.split(separator);
  if (parts.length <= limit + 1) return parts;
  return [...parts.slice(0, limit), parts.slice(limit).join(separator)];
}

function splitAtFromEnd(text: string, separator: string, limit: number): string[] {
  const parts: string[] = [];
  let end = text.length;
  while (parts.length < limit) {
    const at = end < separator.length ? -1 : text.lastIndexOf(separator, end - separator.length);
    if (at < 0) break;
    parts.push(text.slice(at + separator.length, end));
    end = at;
  }
  parts.push(text.slice(0, end));
  return parts.reverse();
}

/** @returns Python's `text.split(separator, limit)`, or `rsplit`; a negative limit is none, no separator is white space. */
export function split(text: string, separator: Value | undefined, maxSplit: Value | undefined, fromEnd: boolean): string[] {
  charge(text.length / 16);
  const parts = splitParts(text, separator, maxSplit, fromEnd);
  reserveItems(parts.length);
  return parts;
}

function splitParts(text: string, separator: Value | undefined, maxSplit: Value | undefined, fromEnd: boolean): string[] {
  const asked = optionalIndex(maxSplit, -1);
  const limit = asked < 0 ? Number.POSITIVE_INFINITY : asked;
  if (separator === undefined || separator === null) return fromEnd ? splitAtSpaceFromEnd(text, limit) : splitAtSpace(text, limit);
  const mark = stringArgument(separator, 'separator');
  if (mark === '') throw valueError('empty separator');
  return fromEnd ? splitAtFromEnd(text, mark, limit) : splitAt(text, mark, limit);
}

function partition(text: string, separator: Value | undefined, fromEnd: boolean): Tuple {
  const mark = stringArgument(separator, 'separator');
  if (mark === '') throw valueError('empty separator');
  const at = fromEnd ? text.lastIndexOf(mark) : text.indexOf(mark);
  if (at < 0) return new Tuple(fromEnd ? ['', '', text] : [text, '', '']);
  return new Tuple([text.slice(0, at), mark, text.slice(at + mark.length)]);
}

/**
 * @returns the strings with `separator` between them.
 * @throws PythonError `TypeError` where an item is no string.
 */
export function join(separator: string, items: readonly Value[]): string {
  let length = 0;
  const parts = items.map((item, index) => {
    const characters = stringOf(item);
    if (characters === undefined) throw typeError(`sequence item ${index}: expected str instance, ${typeName(item)} found`);
    length += characters.length + separator.length;
    checkLength(length);
    return characters;
  });
  reserve(length);
  return parts.join(separator);
}

/** Methods of `str` that take a text apart or put one together. */
export const splitMethods: Record<string, Method<string>> = {
  strip: stripMethod('strip', true, true),
  lstrip: stripMethod('lstrip', true, false),
  rstrip: stripMethod('rstrip', false, true),
  split: method('split', 'sep? maxsplit?', (self, [separator, limit]) => split(self, separator, limit, false), true),
  rsplit: method('rsplit', 'sep? maxsplit?', (self, [separator, limit]) => split(self, separator, limit, true), true),
  splitlines: method('splitlines', 'keepends?', (self, [keepEnds]) => splitLines(self, keepEnds !== undefined && truthy(keepEnds)), true),
  partition: method('partition', 'sep', (self, [separator]) => partition(self, separator, false)),
  rpartition: method('rpartition', 'sep', (self, [separator]) => partition(self, separator, true)),
  join: method('join', 'iterable', (self, [items]) => join(self, allItems(items as Value))),
  removeprefix: method('removeprefix', 'prefix', (self, [prefix]) => {
    const wanted = stringArgument(prefix, 'removeprefix() argument');
    return self.startsWith(wanted) ? self.slice(wanted.length) : self;
  }),
  removesuffix: method('removesuffix', 'suffix', (self, [suffix]) => {
    const wanted = stringArgument(suffix, 'removesuffix() argument');
    return wanted !== '' && self.endsWith(wanted) ? self.slice(0, -wanted.length) : self;
  }),
};

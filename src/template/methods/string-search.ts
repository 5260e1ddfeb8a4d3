import { typeError, valueError } from '../errors.ts';
import type { Arguments } from '../values/callable.ts';
import { method, optionalIndex, stringArgument, type Method } from '../values/method.ts';
import { codePointLength, isPlain, unitOffset } from '../values/text.ts';
import { typeName } from '../values/type-name.ts';
import { Tuple, type Value } from '../values/value.ts';

/** The part of the text that `start` and `end` name, and where it begins (in code points); undefined where `start` lies behind the text's end. */
function range(self: string, start: Value | undefined, end: Value | undefined): { part: string; offset: number } | undefined {
  if ((start === undefined || start === null) && (end === undefined || end === null)) return { part: self, offset: 0 };
  const length = codePointLength(self);
  const clamp = (index: number): number => Math.max(0, index < 0 ? index + length : index);
  const from = clamp(optionalIndex(start, 0));
  const to = Math.min(length, clamp(optionalIndex(end, length)));
  if (from > length || from > to) return undefined;
  return { part: self.slice(unitOffset(self, from), unitOffset(self, to)), offset: from };
}

function find(self: string, [sub, start, end]: Arguments, last: boolean): number {
  const wanted = stringArgument(sub, 'argument');
  const searched = range(self, start, end);
  if (searched === undefined) return -1;
  const at = last ? searched.part.lastIndexOf(wanted) : searched.part.indexOf(wanted);
  if (at < 0) return -1;
  return searched.offset + (isPlain(searched.part) ? at : codePointLength(searched.part.slice(0, at)));
}

function index(self: string, args: Arguments, last: boolean): number {
  const at = find(self, args, last);
  if (at < 0) throw valueError('substring not found');
  return at;
}

/** @returns how often `wanted` occurs, without overlaps. */
export function countOccurrences(text: string, wanted: string): number {
  if (wanted === '') return codePointLength(text) + 1;
  let count = 0;
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) count += 1;
  return count;
}

function count(self: string, [sub, start, end]: Arguments): number {
  const wanted = stringArgument(sub, 'argument');
  const searched = range(self, start, end);
  return searched === undefined ? 0 : countOccurrences(searched.part, wanted);
}

function affixes(value: Value | undefined, name: string): string[] {
  if (value instanceof Tuple) return value.items.map((item) => affix(item, name, 'tuple for'));
  return [affix(value as Value, name, '')];
}

function affix(value: Value, name: string, where: string): string {
  if (typeof value === 'string') return value;
  if (where !== '') throw typeError(`tuple for ${name} must only contain str, not ${typeName(value)}`);
  return stringArgument(value, `${name} first arg`);
}

function hasAffix(self: string, [wanted, start, end]: Arguments, name: 'startswith' | 'endswith'): boolean {
  const candidates = affixes(wanted, name);
  const searched = range(self, start, end);
  if (searched === undefined) return false;
  return candidates.some((candidate) => (name === 'startswith' ? searched.part.startsWith(candidate) : searched.part.endsWith(candidate)));
}

/** Methods of `str` that look for a part of the text. Places are in code points. */
export const searchMethods: Record<string, Method<string>> = {
  find: method('find', 'sub start? end?', (self, args) => find(self, args, false)),
  rfind: method('rfind', 'sub start? end?', (self, args) => find(self, args, true)),
  index: method('index', 'sub start? end?', (self, args) => index(self, args, false)),
  rindex: method('rindex', 'sub start? end?', (self, args) => index(self, args, true)),
  count: method('count', 'sub start? end?', count),
  startswith: method('startswith', 'prefix start? end?', (self, args) => hasAffix(self, args, 'startswith')),
  endswith: method('endswith', 'suffix start? end?', (self, args) => hasAffix(self, args, 'endswith')),
};

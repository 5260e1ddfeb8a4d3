import { reserve } from '../budget.ts';
import { PythonError, valueError } from '../errors.ts';
import { stripTags } from '../methods/markup-methods.ts';
import type { Arguments, CallState } from '../values/callable.ts';
import { stringOf } from '../values/compare.ts';
import { Dict } from '../values/dict.ts';
import { allItems, isIterable } from '../values/iterate.ts';
import { escapeHtml } from '../values/markup.ts';
import { repr, text, undefinedError } from '../values/repr.ts';
import { truthy } from '../values/truth.ts';
import { typeName } from '../values/type-name.ts';
import { Undefined } from '../values/undefined.ts';
import { Bytes, Markup, type Value } from '../values/value.ts';
import { filter, type NamedFilter } from './filter.ts';
import { urlizeFilter } from './urlize.ts';

function quote(value: Value, forQuery: boolean): string {
  const characters = value instanceof Bytes ? undefined : text(value);
  if (characters !== undefined && /\p{Surrogate}/u.test(characters))
    throw new PythonError('UnicodeEncodeError', "'utf-8' codec can't encode character: surrogates not allowed");
  const bytes = value instanceof Bytes ? value.bytes : new TextEncoder().encode(characters);
  reserve(bytes.length * 3);
  let out = '';
  for (const byte of bytes) {
    const character = String.fromCharCode(byte);
    if (/[A-Za-z0-9_.~-]/.test(character) || (character === '/' && !forQuery)) out += character;
    else if (character === ' ' && forQuery) out += '+';
    else out += `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return out;
}

function pair(item: Value): [Value, Value] {
  const parts = allItems(item);
  if (parts.length !== 2) throw valueError(`${parts.length > 2 ? 'too many' : 'not enough'} values to unpack (expected 2)`);
  return [parts[0] as Value, parts[1] as Value];
}

function urlEncode([value]: Arguments): Value {
  const given = value as Value;
  if (stringOf(given) !== undefined || !isIterable(given)) return quote(given, false);
  const pairs = given instanceof Dict ? given.entries() : allItems(given).map(pair);
  return pairs.map(([key, item]) => `${quote(key, true)}=${quote(item, true)}`).join('&');
}

function attributes([value, autospace = true]: Arguments, state: CallState): Value {
  if (value instanceof Undefined) throw undefinedError(value);
  if (!(value instanceof Dict)) throw new PythonError('AttributeError', `'${typeName(value as Value)}' object has no attribute 'items'`);
  const shown: string[] = [];
  for (const [key, item] of value.entries()) {
    if (item === null || item instanceof Undefined) continue;
    const name = stringOf(key);
    if (name === undefined) throw new PythonError('TypeError', `expected string or bytes-like object, got '${typeName(key)}'`);
    if (/[ \t\n\r\f\v/>=]/.test(name)) throw valueError(`Invalid character in attribute name: ${repr(key)}`);
    shown.push(`${escapeHtml(key).text}="${escapeHtml(item).text}"`);
  }
  const joined = shown.join(' ');
  const out = truthy(autospace) && joined !== '' ? ` ${joined}` : joined;
  return state.autoescape ? new Markup(out) : out;
}

/** Filters for HTML and URLs. */
export const htmlFilters: readonly NamedFilter[] = [
  filter('escape', 's', ([value]) => escapeHtml(value as Value)),
  filter('e', 's', ([value]) => escapeHtml(value as Value)),
  filter('forceescape', 'value', ([value]) => escapeHtml(text(value as Value))),
  filter('safe', 'value', ([value]) => (value instanceof Markup ? value : new Markup(text(value as Value)))),
  filter('striptags', 'value', ([value]) => stripTags(text(value as Value))),
  filter('urlencode', 'value', urlEncode),
  filter('xmlattr', 'd autospace?', attributes),
  filter('urlize', 'value trim_url_limit? nofollow? target? rel? extra_schemes?', urlizeFilter),
];

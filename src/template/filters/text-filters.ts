import { charge, reserve } from '../budget.ts';
import { filterArgumentError, PythonError, typeError } from '../errors.ts';
import { capitalize } from '../methods/string-case.ts';
import { center, replace } from '../methods/string-build.ts';
import { join, strip } from '../methods/string-split.ts';
import { add, binary } from '../values/arithmetic.ts';
import { VariadicFunction, type Arguments, type CallState } from '../values/callable.ts';
import { stringOf } from '../values/compare.ts';
import { Dict } from '../values/dict.ts';
import { allItems } from '../values/iterate.ts';
import { escapeHtml } from '../values/markup.ts';
import { indexArgument, stringArgument, textWithMethod } from '../values/method.ts';
import { text } from '../values/repr.ts';
import { codePointLength, codePoints, codePointSlice, SPACES, splitLines } from '../values/text.ts';
import { length, truthy } from '../values/truth.ts';
import { typeName } from '../values/type-name.ts';
import { Markup, Tuple, type Value } from '../values/value.ts';
import { attributeGetter } from './attribute-getter.ts';
import { filter, type NamedFilter } from './filter.ts';
import { wrapText } from './wrap-text.ts';

const WORD_START = new RegExp(`([-${SPACES}({[<]+)`);

/** Applies `change` to the value's text, which stays Markup if it was. */
function onText(value: Value | undefined, change: (characters: string) => string): Value {
  const characters = text(value as Value);
  charge(characters.length / 64);
  return value instanceof Markup ? new Markup(change(characters)) : change(characters);
}

function title(characters: string): string {
  reserve(characters.length);
  return characters
    .split(WORD_START)
    .map((word) => {
      const [first = ''] = codePoints(word.slice(0, 2));
      return first.toUpperCase() + word.slice(first.length).toLowerCase();
    })
    .join('');
}

function replaceFilter([value, old, replacement, count = null]: Arguments, state: CallState): Value {
  const limit = count === null ? -1 : indexArgument(count);
  const plain = [value, old, replacement].map((part) => text(part as Value)) as [string, string, string];
  if (!state.autoescape) return replace(...plain, limit);
  const escapes = old instanceof Markup || replacement instanceof Markup || value instanceof Markup;
  if (!escapes) return replace(...plain, limit);
  return new Markup(replace(escapeHtml(value as Value).text, plain[1], escapeHtml(replacement as Value).text, limit));
}

function joinFilter([value, separator = '', attribute = null]: Arguments, state: CallState): Value {
  const items = attribute === null ? allItems(value as Value) : allItems(value as Value).map(attributeGetter(state, attribute));
  charge(items.length);
  if (state.autoescape && [separator, ...items].some((item) => item instanceof Markup)) {
    return new Markup(
      join(
        escapeHtml(separator).text,
        items.map((item) => escapeHtml(item).text),
      ),
    );
  }
  return join(text(separator), items.map(text));
}

function indent([value, width = 4, first = false, blank = false]: Arguments): Value {
  // Python adds a newline first, and lists take one.
  const characters = Array.isArray(value) ? textWithMethod(value, 'splitlines') : text(add(value as Value, '\n')).slice(0, -1);
  const blanks = stringOf(width) ?? spaces(width);
  const lines = splitLines(`${characters}\n`, false);
  reserve(characters.length + lines.length * blanks.length);
  const [head = '', ...rest] = lines;
  const indented = [head, ...rest.map((line) => (truthy(blank) || line !== '' ? blanks + line : line))].join('\n');
  const out = truthy(first) ? blanks + indented : indented;
  return value instanceof Markup ? new Markup(out) : out;
}

function spaces(width: Value): string {
  const count = Math.max(0, indexArgument(width));
  reserve(count);
  return ' '.repeat(count);
}

function truncate([value, maximum = 255, killWords = false, end = '...', leeway = null]: Arguments): Value {
  const limit = indexArgument(maximum);
  const ending = stringArgument(end, 'end');
  const slack = leeway === null ? 5 : indexArgument(leeway);
  const endingLength = codePointLength(ending);
  if (limit < endingLength) throw new PythonError('AssertionError', `expected length >= ${endingLength}, got ${limit}`);
  if (slack < 0) throw new PythonError('AssertionError', `expected leeway >= 0, got ${slack}`);
  if (length(value as Value) <= limit + slack) return value as Value;
  const characters = stringOf(value as Value);
  if (characters === undefined)
    throw typeError(`can only concatenate ${typeName(value as Value)} (not "str") to ${typeName(value as Value)}`);
  const kept = codePointSlice(characters, 0, limit - endingLength);
  if (truthy(killWords)) return kept + ending;
  const lastSpace = kept.lastIndexOf(' ');
  return (lastSpace < 0 ? kept : kept.slice(0, lastSpace)) + ending;
}

function wordWrap([value, width = 79, breakLongWords = true, wrapString = null, breakOnHyphens = true]: Arguments): Value {
  const newline = wrapString === null ? '\n' : stringArgument(wrapString, 'wrapstring');
  const options = { width: indexArgument(width), breakLongWords: truthy(breakLongWords), breakOnHyphens: truthy(breakOnHyphens) };
  const lines = splitLines(textWithMethod(value as Value, 'splitlines'), false);
  return join(
    newline,
    lines.map((line) => join(newline, wrapText(line, options))),
  );
}

function wordCount([value]: Arguments): Value {
  const characters = text(value as Value);
  charge(characters.length / 16);
  return characters.match(/[\p{L}\p{N}_]+/gu)?.length ?? 0;
}

/** Filters on text. */
export const textFilters: readonly NamedFilter[] = [
  filter('upper', 's', ([value]) => onText(value, (characters) => characters.toUpperCase())),
  filter('lower', 's', ([value]) => onText(value, (characters) => characters.toLowerCase())),
  filter('capitalize', 's', ([value]) => onText(value, capitalize)),
  filter('title', 's', ([value]) => {
    const characters = text(value as Value);
    return title(characters);
  }),
  filter('trim', 'value chars?', ([value, chars = null]) =>
    onText(value, (characters) => strip(characters, chars === null ? undefined : stringArgument(chars, 'strip arg'), true, true)),
  ),
  filter('string', 'object', ([value]) => (stringOf(value as Value) === undefined ? text(value as Value) : (value as Value))),
  filter('center', 'value width?', ([value, width = 80]) => onText(value, (characters) => center(characters, width, ' '))),
  filter('replace', 's old new count?', replaceFilter),
  filter('join', 'value d? attribute?', joinFilter),
  filter('indent', 's width? first? blank?', indent),
  filter('truncate', 's length? killwords? end? leeway?', truncate),
  filter('wordwrap', 's width? break_long_words? wrapstring? break_on_hyphens?', wordWrap),
  filter('wordcount', 's', wordCount),
  [
    'format',
    new VariadicFunction('do_format', ([value, ...args], keywords) => {
      if (args.length > 0 && keywords.size > 0) throw filterArgumentError("can't handle positional and keyword arguments at the same time");
      const format = stringOf(value as Value) === undefined ? text(value as Value) : (value as Value);
      return binary('%', format, keywords.size > 0 ? Dict.from(keywords) : new Tuple(args));
    }),
  ],
];

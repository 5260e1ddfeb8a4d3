import { charge } from '../budget.ts';
import type { CallState, Keywords } from '../values/callable.ts';
import { unescapeHtml } from '../values/html-entities.ts';
import { allItems } from '../values/iterate.ts';
import { escapeHtml } from '../values/markup.ts';
import { method, type Method } from '../values/method.ts';
import { Markup, Tuple, type Value } from '../values/value.ts';
import { formatMap, formatString } from './string-format.ts';
import { stringMethods } from './string-methods.ts';
import { split } from './string-split.ts';

/** Tags and comments removed, white space collapsed, entities resolved: markupsafe's `striptags`. */
export function stripTags(markup: string): string {
  charge(markup.length / 16);
  let out = '';
  let position = 0;
  for (let start = markup.indexOf('<'); start >= 0; start = markup.indexOf('<', position)) {
    const isComment = markup.startsWith('<!--', start);
    const end = isComment ? markup.indexOf('-->', start + 4) : markup.indexOf('>', start);
    if (end < 0) break;
    out += markup.slice(position, start);
    position = end + (isComment ? 3 : 1);
  }
  const plain = position > 0 ? out + markup.slice(position) : markup;
  return unescapeHtml(split(plain, undefined, undefined, false).join(' '));
}

// Which argument of a method is escaped; what gives text gives Markup again.
const ESCAPED_ARGUMENT: Record<string, number> = { replace: 1, ljust: 1, rjust: 1, center: 1 };
const PLAIN_RESULTS = new Set(['encode', 'maketrans']);

function marked(result: Value): Value {
  if (typeof result === 'string') return new Markup(result);
  if (Array.isArray(result)) return result.map(marked);
  return result instanceof Tuple ? new Tuple(result.items.map(marked)) : result;
}

function escapedArguments(name: string, args: readonly Value[]): readonly Value[] {
  if (name === 'join') return args.length === 1 ? [allItems(args[0] as Value).map(escapeHtml)] : args;
  const escaped = ESCAPED_ARGUMENT[name];
  return escaped === undefined ? args : args.map((arg, index) => (index === escaped ? escapeHtml(arg) : arg));
}

function onMarkup(name: string, method: Method<string>): Method<Markup> {
  return {
    call: (self: Markup, args: readonly Value[], keywords: Keywords | undefined, state: CallState): Value => {
      const result = method.call(self.text, escapedArguments(name, args), keywords, state);
      return PLAIN_RESULTS.has(name) ? result : marked(result);
    },
  };
}

/** The methods of Markup: those of `str`, escaping what they are given and giving Markup. */
export const markupMethods: ReadonlyMap<string, Method<Markup>> = new Map<string, Method<Markup>>([
  ...[...stringMethods].map(([name, method]): [string, Method<Markup>] => [name, onMarkup(name, method)]),
  ['format', { call: (self, args, keywords, state) => new Markup(formatString(self.text, args, keywords, state, true)) }],
  ['format_map', { call: (self, args, keywords, state) => new Markup(formatMap(self.text, args, keywords, state, true)) }],
  ['striptags', method('striptags', '', (self) => stripTags(self.text))],
  ['unescape', method('unescape', '', (self) => unescapeHtml(self.text))],
]);

import { charge, reserve } from '../budget.ts';
import { filterArgumentError } from '../errors.ts';
import type { Arguments, CallState } from '../values/callable.ts';
import { allItems } from '../values/iterate.ts';
import { escapeHtml } from '../values/markup.ts';
import { indexArgument, stringArgument } from '../values/method.ts';
import { codePointLength, codePointSlice, SPACES } from '../values/text.ts';
import { truthy } from '../values/truth.ts';
import { Markup, type Value } from '../values/value.ts';
import { split } from '../methods/string-split.ts';

const WORD = String.raw`[\p{L}\p{N}_`;
const ADDRESS = new RegExp(
  `^(?:(?:https?://|www\\.)(?:(?:${WORD}%-]+\\.)+)?(?:[a-z]{2,63}|xn--${WORD}%]{2,59})|(?:${WORD}%-]{2,63}\\.)+(?:com|net|int|edu|gov|org|info|mil)|` +
    String.raw`https?://(?:\p{Nd}{1,3}(?:\.\p{Nd}{1,3}){3}|\[(?:[\p{Nd}a-f]{0,4}:){2}(?:[\p{Nd}a-f]{0,4}:?){1,6}\]))(?::\p{Nd}{1,5})?(?:[/?#]\S*)?$`,
  'iu',
);
const MAIL_DOMAIN = new RegExp(String.raw`^[\p{L}\p{N}_][\p{L}\p{N}_.-]*$`, 'u');
const SCHEME = new RegExp(`^${WORD}.+-]{2,}:/{0,2}$`, 'u');
const BLANKS = new RegExp(`([${SPACES}]+)`);
const BRACKETS = [
  ['(', ')'],
  ['<', '>'],
  ['&lt;', '&gt;'],
] as const;

// The last at sign parts name and domain; the domain's last dot has to be followed by letters.
function isMail(word: string): boolean {
  const at = word.lastIndexOf('@');
  const domain = word.slice(at + 1);
  const dot = domain.lastIndexOf('.');
  return at > 0 && dot > 0 && MAIL_DOMAIN.test(domain) && /^[\p{L}\p{N}_]+$/u.test(domain.slice(dot + 1));
}

function occurrences(text: string, part: string): number {
  return text.split(part).length - 1;
}

interface LinkOptions {
  readonly limit: number | undefined;
  readonly attributes: string;
  readonly schemes: readonly string[];
}

/** Punctuation around a word is not part of its address, but brackets that open inside it also close inside. */
function parts(word: string): { head: string; middle: string; tail: string } {
  const head = /^(?:[(<]|&lt;)+/.exec(word)?.[0] ?? '';
  let middle = word.slice(head.length);
  let end = middle.length;
  for (;;) {
    if (')>.,\n'.includes(middle[end - 1] ?? ' ')) end -= 1;
    else if (middle.endsWith('&gt;', end)) end -= 4;
    else break;
  }
  let tail = middle.slice(end);
  middle = middle.slice(0, end);
  for (const [open, close] of BRACKETS) {
    const opened = occurrences(middle, open);
    if (opened <= occurrences(middle, close)) continue;
    for (let count = Math.min(opened, occurrences(tail, close)); count > 0; count -= 1) {
      const after = tail.indexOf(close) + close.length;
      middle += tail.slice(0, after);
      tail = tail.slice(after);
    }
  }
  return { head, middle, tail };
}

function link(word: string, { limit, attributes, schemes }: LinkOptions): string {
  const shown = limit !== undefined && codePointLength(word) > limit ? `${codePointSlice(word, 0, Math.max(0, limit))}...` : word;
  if (ADDRESS.test(word)) {
    const isComplete = word.startsWith('https://') || word.startsWith('http://');
    return `<a href="${isComplete ? '' : 'https://'}${word}"${attributes}>${shown}</a>`;
  }
  if (word.startsWith('mailto:') && isMail(word.slice(7))) return `<a href="${word}">${word.slice(7)}</a>`;
  if (word.includes('@') && !word.startsWith('www.') && !word.startsWith('@') && !word.includes(':') && isMail(word))
    return `<a href="mailto:${word}">${word}</a>`;
  // Every scheme that fits wraps what the ones before made of the word, and none fits a link.
  const scheme = schemes.find((prefix) => word !== prefix && word.startsWith(prefix));
  return scheme === undefined ? word : `<a href="${word}"${attributes}>${word}</a>`;
}

function relation(rel: Value, nofollow: boolean): string {
  const names = new Set([
    ...(rel === null ? [] : split(stringArgument(rel, 'rel'), undefined, undefined, false)),
    ...(nofollow ? ['nofollow'] : []),
    'noopener',
  ]);
  return [...names].sort().join(' ');
}

/** The `urlize` filter: web and mail addresses in a text become links. */
export function urlizeFilter(
  [value, limit = null, nofollow = false, target = null, rel = null, schemes = null]: Arguments,
  state: CallState,
): Value {
  const extra = schemes === null ? [] : allItems(schemes).map((scheme) => stringArgument(scheme, 'scheme'));
  for (const scheme of extra) if (!SCHEME.test(scheme)) throw filterArgumentError(`'${scheme}' is not a valid URI scheme prefix.`);
  const escaped = escapeHtml(value as Value).text;
  charge(escaped.length);
  const targetAttribute = target === null || !truthy(target) ? '' : ` target="${escapeHtml(target).text}"`;
  const options: LinkOptions = {
    limit: limit === null ? undefined : indexArgument(limit),
    attributes: ` rel="${escapeHtml(relation(rel, truthy(nofollow))).text}"${targetAttribute}`,
    schemes: extra,
  };
  const linked = escaped
    .split(BLANKS)
    .map((word) => {
      const { head, middle, tail } = parts(word);
      return head + link(middle, options) + tail;
    })
    .join('');
  reserve(linked.length);
  return state.autoescape ? new Markup(linked) : linked;
}

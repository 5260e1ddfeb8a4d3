/**
 * Matching of untyped JSON against alternative shapes, as the reference chooses among the forms that a chat message or a content part
 * may have: the alternative wins that recognises the most members, the first of equals. Members that a shape does not name are kept.
 */

/** What came of matching a value: how many members were recognised, or where it failed. */
export type Match = { readonly fields: number } | { readonly failedAt: readonly PropertyKey[] };

export type Matcher = (value: unknown) => Match;

const FAILED: Match = { failedAt: [] };
const MATCHED: Match = { fields: 0 };

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export const text: Matcher = (value) => (typeof value === 'string' ? MATCHED : FAILED);

export const anyRecord: Matcher = (value) => (isRecord(value) ? MATCHED : FAILED);

/** A list, or an object whose keys are then the items: whatever Python can iterate, but text. Items are not looked at. */
export const iterable: Matcher = (value) => (typeof value === 'object' && value !== null ? MATCHED : FAILED);

export const bool: Matcher = (value) =>
  typeof value === 'boolean' ||
  value === 0 ||
  value === 1 ||
  (typeof value === 'string' && /^(?:true|false|[tfyn01]|yes|no|on|off)$/i.test(value))
    ? MATCHED
    : FAILED;

export const nothing: Matcher = (value) => (value === null ? MATCHED : FAILED);

export function oneOf(...words: readonly string[]): Matcher {
  return (value) => (typeof value === 'string' && words.includes(value) ? MATCHED : FAILED);
}

export function nullable(inner: Matcher): Matcher {
  return (value) => (value === null ? MATCHED : inner(value));
}

export function listOf(item: Matcher): Matcher {
  return (value) => {
    if (!Array.isArray(value)) return FAILED;
    let fields = 0;
    for (const [index, entry] of value.entries()) {
      const match = item(entry);
      if ('failedAt' in match) return { failedAt: [index, ...match.failedAt] };
      fields += match.fields;
    }
    return { fields };
  };
}

export function mapOf(item: Matcher): Matcher {
  return (value) => (isRecord(value) && Object.values(value).every((entry) => 'fields' in item(entry)) ? MATCHED : FAILED);
}

/** An object: `required` members must be there, `optional` ones may be; both must match, others are let through. */
export function shape(required: Readonly<Record<string, Matcher>>, optional: Readonly<Record<string, Matcher>> = {}): Matcher {
  const members = Object.entries({ ...required, ...optional });
  return (value) => {
    if (!isRecord(value)) return FAILED;
    let fields = 0;
    for (const [name, matcher] of members) {
      if (!Object.hasOwn(value, name)) {
        if (Object.hasOwn(required, name)) return { failedAt: [name] };
        continue;
      }
      const match = matcher(value[name]);
      if ('failedAt' in match) return { failedAt: [name, ...match.failedAt] };
      fields += 1 + match.fields;
    }
    return { fields };
  };
}

/** The most members of a value that a shape can recognise; Infinity where that would take a look inside. */
function mostFields(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const members = Object.values(value);
  return Array.isArray(value) || members.some((member) => typeof member === 'object' && member !== null) ? Infinity : members.length;
}

/** The best of several matches; where none matches, the failure of the first. */
export function union(...alternatives: readonly [Matcher, ...Matcher[]]): Matcher {
  return (value) => {
    const most = mostFields(value);
    let best: Match | undefined;
    for (const alternative of alternatives) {
      const match = alternative(value);
      if ('fields' in match && (best === undefined || 'failedAt' in best || match.fields > best.fields)) best = match;
      else best ??= match;
      if ('fields' in best && best.fields === most) break;
    }
    return best ?? FAILED;
  };
}

import type { z } from 'zod';

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'a text',
  boolean: 'true or false',
  object: 'a mapping',
  record: 'a mapping',
  array: 'a list',
  tuple: 'a list',
};

/**
 * What is wrong with a member of a configuration, as the end of a sentence that begins with the member's name.
 * @param isMissing whether the member is not there at all
 */
export function issueClause(issue: z.core.$ZodIssue, isMissing: boolean): string {
  if (isMissing && issue.code !== 'custom') return 'is missing';
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${TYPE_NAMES[issue.expected] ?? `of type ${issue.expected}`}`;
    case 'invalid_value':
      return `must be ${issue.values.map(String).join(' or ')}`;
    case 'invalid_union': {
      const { options } = issue as { options?: readonly unknown[] };
      return options ? `must be one of ${options.map(String).join(', ')}` : issue.message;
    }
    case 'unrecognized_keys':
      return `has no member "${issue.keys.join('", "')}"`;
    case 'too_small':
      return 'must not be empty';
    default:
      return issue.message;
  }
}

import { member } from '../json-value.ts';

/** The texts of a content's parts as one; undefined where there are none. */
export function flatText(content: unknown): string | undefined {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return undefined;
  const texts = content
    .map((part: unknown) => (typeof part === 'string' ? part : member(part, 'text')))
    .filter((text) => typeof text === 'string');
  return texts.length === 0 ? undefined : texts.join('');
}

/** A text a part; parts without text are empty. */
export function partTexts(content: unknown): string[] {
  if (typeof content === 'string') return [content];
  if (!Array.isArray(content) || content.length === 0) return [''];
  return content.map((part: unknown) => flatText([part]) ?? '');
}

/** Instructions in a leading system or developer message, and the messages after it. */
export function leadingInstructions<T>(messages: readonly T[]): { instructions: string | null; rest: readonly T[] } {
  const [first] = messages;
  const role = member(first, 'role');
  if (role !== 'system' && role !== 'developer') return { instructions: null, rest: messages };
  return { instructions: flatText(member(first, 'content')) ?? null, rest: messages.slice(1) };
}

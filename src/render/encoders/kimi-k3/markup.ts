import type { PromptPiece } from '../prompt-pieces.ts';

/** Kimi K3's markup (XTML): tags made of special tokens, whose names and attributes are plain text. */

export const TOKENS = ['<|open|>', '<|close|>', '<|sep|>', '<|end_of_msg|>'] as const;

/** Text by itself; nothing for an empty one. */
export function plain(text: string): PromptPiece[] {
  return text === '' ? [] : [{ text }];
}

/** Each attribute is tokenized by itself. */
export function openTag(name: string, attributes: readonly (readonly [string, string | number])[] = []): PromptPiece[] {
  const written = attributes.map(([key, value]) => {
    const escaped = String(value).replaceAll('&', '&amp;').replaceAll('"', '&quot;');
    return { text: ` ${key}="${escaped}"` };
  });
  return [{ token: '<|open|>' }, { text: name }, ...written, { token: '<|sep|>' }];
}

function closeTag(name: string): PromptPiece[] {
  return [{ token: '<|close|>' }, { text: name }, { token: '<|sep|>' }];
}

/** An element around pieces. */
export function element(
  name: string,
  attributes: readonly (readonly [string, string | number])[],
  inner: readonly PromptPiece[],
): PromptPiece[] {
  return [...openTag(name, attributes), ...inner, ...closeTag(name)];
}

/** A whole message. */
export function messageElement(attributes: readonly (readonly [string, string | number])[], inner: readonly PromptPiece[]): PromptPiece[] {
  return [...element('message', attributes, inner), { token: '<|end_of_msg|>' }];
}

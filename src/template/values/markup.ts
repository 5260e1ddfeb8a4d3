import { charge, reserve } from '../budget.ts';
import { text } from './repr.ts';
import { Markup, type Value } from './value.ts';

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', "'": '&#39;', '"': '&#34;' };

/** @returns the characters with HTML's special ones as entities. */
function escapeCharacters(characters: string): string {
  if (!/[&<>'"]/.test(characters)) return characters;
  reserve(characters.length);
  return characters.replaceAll(/[&<>'"]/g, (character) => {
    charge(1);
    return ENTITIES[character] as string;
  });
}

/** @returns markupsafe's `escape(value)`: Markup stays as it is. */
export function escapeHtml(value: Value): Markup {
  return value instanceof Markup ? value : new Markup(escapeCharacters(text(value)));
}

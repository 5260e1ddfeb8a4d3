import { Template } from '@huggingface/jinja';
import { badRequest } from '../core/errors.ts';
import type { ContentFormat } from './conversation.ts';

/** A compiled chat template. */
export interface ChatTemplate {
  readonly source: string;
  /** The form of content that the template reads. */
  readonly contentFormat: ContentFormat;
  /** Variables that the template reads and does not set. */
  readonly undeclared: ReadonlySet<string>;
  /** @throws ApiError 400 where the template fails or refuses */
  render(variables: Readonly<Record<string, unknown>>): string;
}

function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (value instanceof Map) return Object.fromEntries(Array.from(value, ([k, v]) => [k, plain(v)]));
  if (typeof value === 'object' && value !== null && 'isFloat' in value) return Number((value as unknown as { text: string }).text);
  if (typeof value === 'object' && value !== null) return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, plain(v)]));
  return value;
}

export function compileChatTemplate(source: string): ChatTemplate {
  const template = new Template(source);
  const names = new Set([...source.matchAll(/[A-Za-z_][A-Za-z_0-9]*/g)].map(([name]) => name));
  return {
    source,
    contentFormat: /for \w+ in (?:message|m)(?:\['content'\]|\.content)/.test(source) ? 'openai' : 'string',
    undeclared: names,
    render(variables) {
      try {
        return template.render(plain(variables) as Record<string, unknown>);
      } catch (error) {
        throw badRequest(String((error as Error).message));
      }
    },
  };
}

import type { ChatTemplates } from '../model/chat-templates.ts';

/**
 * The template's text that is meant.
 * @param given a template, or the name of one of the model's where it has several; null for the model's own
 * @param withTools whether the chat has tools, for which a model may have a template of its own
 * @returns null where the model has none
 */
export function chooseTemplate({ default: own, named }: ChatTemplates, given: string | null, withTools: boolean): string | null {
  const several = Object.keys(named).some((name) => name !== 'default');
  if (given !== null) return several && Object.hasOwn(named, given) ? (named[given] ?? given) : given;
  return (several && withTools ? named['tool_use'] : undefined) ?? own;
}

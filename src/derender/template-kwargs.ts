import type { ChatRequest } from '../protocol/chat-request.ts';

/** A chat request's members that reach the chat template, and from there the parsers. */
export type TemplateRequest = Pick<
  ChatRequest,
  'chat_template_kwargs' | 'reasoning_effort' | 'add_generation_prompt' | 'continue_final_message' | 'documents'
>;

/** Values over defaults; null and "auto" stand for "not set". */
function merge(defaults: Readonly<Record<string, unknown>>, values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const set = Object.entries(values).filter(([, value]) => value !== null && value !== 'auto');
  return { ...defaults, ...Object.fromEntries(set) };
}

/**
 * The template arguments that parsers see: the server's defaults, the request's own, and what follows from its members.
 * An effort switches thinking on, or off for "none", where the request does not say so itself.
 */
export function parserTemplateKwargs(
  request: TemplateRequest,
  defaults: Readonly<Record<string, unknown>>,
  effortMap: Readonly<Record<string, string>>,
): Record<string, unknown> {
  const own = request.chat_template_kwargs ?? {};
  const effort = request.reasoning_effort;
  const mapped = effort === null ? null : (effortMap[effort] ?? effort);
  const implied: Record<string, unknown> = {
    add_generation_prompt: request.add_generation_prompt,
    continue_final_message: request.continue_final_message,
    documents: request.documents,
    reasoning_effort: mapped,
  };
  if (mapped !== null && !Object.hasOwn(own, 'enable_thinking')) implied['enable_thinking'] = mapped !== 'none';
  return merge(defaults, merge(own, implied));
}

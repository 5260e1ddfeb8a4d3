import { badRequest } from '../core/errors.ts';
import type { JsonObject } from './chat-encoder.ts';
import { truthy } from './encoders/json-value.ts';
import { compileChatTemplate } from './chat-template.ts';
import type { ChatTemplate } from './chat-template.ts';
import { conversationOf, withoutDeveloperRole } from './conversation.ts';
import type { ContentFormat, MediaPart } from './conversation.ts';
import type { ChatMessage } from '../protocol/chat-messages.ts';
import { areDocuments, templateVariables } from './template-kwargs.ts';

/**
 * One rendering of a chat template. Plain data (but for PythonNumbers in tools and arguments), so that it can be sent to a worker thread.
 */
export interface TemplateJob {
  readonly source: string;
  /** `auto`: what the template reads. */
  readonly contentFormat: ContentFormat | 'auto';
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly unknown[] | null;
  readonly kwargs: Readonly<Record<string, unknown>>;
  readonly specialTokens: Readonly<Record<string, string | readonly string[]>>;
  /** ISO 8601 time that templates see as now, or null for the clock's. */
  readonly now: string | null;
}

export interface TemplatePrompt {
  readonly text: string;
  readonly media: readonly MediaPart[];
}

const MAX_COMPILED = 32;
const compiled = new Map<string, ChatTemplate>();

/** Compiles a template once; requests may carry their own, so only the last few are kept. */
export function chatTemplateOf(source: string): ChatTemplate {
  const known = compiled.get(source);
  const template = known ?? compileChatTemplate(source);
  compiled.delete(source);
  compiled.set(source, template);
  if (compiled.size > MAX_COMPILED) compiled.delete(compiled.keys().next().value as string);
  return template;
}

/** Arguments that the call into the template takes itself. */
function refuseReserved(kwargs: Readonly<Record<string, unknown>>, template: ChatTemplate): void {
  const reserved = ['conversation', 'model_config', 'tokenizer', ...(template.undeclared.has('messages') ? ['messages'] : [])];
  const found = reserved.find((name) => Object.hasOwn(kwargs, name));
  if (found !== undefined) throw badRequest(`\`chat_template_kwargs\` must not hold '${found}'.`);
  const asked = ['sanitize_control_tokens', 'return_assistant_tokens_mask'].find((name) => truthy(kwargs[name] ?? null));
  if (asked !== undefined) throw badRequest(`\`${asked}\` in \`chat_template_kwargs\` cannot be had: the prompt is rendered as text.`);
}

function render(template: ChatTemplate, job: TemplateJob, conversation: readonly JsonObject[]): string {
  const { kwargs, tools } = job;
  const knowsDeveloper = template.source.includes('"developer"') || template.source.includes("'developer'");
  const needsConversion = !knowsDeveloper && conversation.some(({ role }) => role === 'developer');
  const messages = needsConversion ? withoutDeveloperRole(conversation) : conversation;
  refuseReserved(kwargs, template);
  if (messages.length === 0) throw badRequest('A chat template cannot be applied to no messages: give one at least.');
  const documents = kwargs['documents'] ?? null;
  if (documents !== null && !areDocuments(documents)) throw badRequest('`documents` must be a list of objects.');
  const variables = {
    ...job.specialTokens,
    ...templateVariables(kwargs, template.undeclared),
    messages,
    tools,
    documents,
    add_generation_prompt: kwargs['add_generation_prompt'] === true,
    continue_final_message: kwargs['continue_final_message'] === true,
  };
  return template.render(variables, job.now);
}

/** Media that the template shows nothing of would be lost, so each kind must make a difference. */
function checkMedia(
  template: ChatTemplate,
  job: TemplateJob,
  conversation: readonly JsonObject[],
  media: readonly MediaPart[],
  text: string,
): void {
  for (const modality of new Set(media.map((part) => part.modality))) {
    const without = conversation.map((message) => {
      const { content } = message;
      return Array.isArray(content) ? { ...message, content: content.filter((part: JsonObject) => part['type'] !== modality) } : message;
    });
    if (render(template, job, without) === text) {
      throw badRequest(`This model takes no ${modality} content: its chat template has no place for it.`);
    }
  }
}

/**
 * The prompt of a chat. Pure: it can run on any thread.
 * @throws ApiError 400 for messages that cannot be rendered, and where the template fails or refuses
 */
export function renderTemplatePrompt(job: TemplateJob): TemplatePrompt {
  const template = chatTemplateOf(job.source);
  const format = job.contentFormat === 'auto' ? template.contentFormat : job.contentFormat;
  const { messages, media } = conversationOf(job.messages, format);
  const text = render(template, job, messages);
  if (media.length > 0) checkMedia(template, job, messages, media, text);
  return { text, media };
}

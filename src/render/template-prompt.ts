import { badRequest } from '../core/errors.ts';
import type { JsonObject } from './chat-encoder.ts';
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

const CONTINUE_TAG = 'CONTINUE_FINAL_MESSAGE_TAG ';
const PYTHON_SPACE = '[\\t-\\r\\x1c- \\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]+';
const LEADING_SPACE = new RegExp(`^${PYTHON_SPACE}`);
const TRAILING_SPACE = new RegExp(`${PYTHON_SPACE}$`);

function strip(text: string): string {
  return text.replace(LEADING_SPACE, '').replace(TRAILING_SPACE, '');
}

/** Marks where the final message's text ends, so that the prompt can be cut there. */
function markFinalMessage(messages: readonly JsonObject[]): { messages: readonly JsonObject[]; text: string } {
  const final = messages.at(-1) as JsonObject;
  const content = final['content'] ?? null;
  const marked = (changed: unknown): readonly JsonObject[] => [...messages.slice(0, -1), { ...final, content: changed }];
  if (typeof content === 'string') return { messages: marked(content + CONTINUE_TAG), text: content };
  if (content === null) throw badRequest('`continue_final_message` is set, but the final message has no content to continue.');
  const blocks = content as readonly JsonObject[];
  const at = blocks.findLastIndex((block) => Object.hasOwn(block, 'text'));
  if (at < 0) throw badRequest('`continue_final_message` is set, but the final message has no text to continue.');
  const text = String(blocks[at]?.['text']);
  return { messages: marked(blocks.map((block, index) => (index === at ? { ...block, text: text + CONTINUE_TAG } : block))), text };
}

function cutAtFinalMessage(rendered: string, text: string): string {
  const at = rendered.lastIndexOf(CONTINUE_TAG.trimEnd());
  if (at < 0 || !rendered.includes(strip(text))) {
    throw badRequest('`continue_final_message` is set, but the final message does not appear in the prompt: the chat template may drop or change it.');
  }
  const before = rendered.slice(0, at);
  return rendered.startsWith(CONTINUE_TAG, at) ? before : before.replace(TRAILING_SPACE, '');
}

/** Arguments that the call into the template takes itself. */
function refuseReserved(kwargs: Readonly<Record<string, unknown>>, template: ChatTemplate): void {
  const reserved = ['conversation', 'model_config', 'tokenizer', ...(template.undeclared.has('messages') ? ['messages'] : [])];
  const found = reserved.find((name) => Object.hasOwn(kwargs, name));
  if (found !== undefined) throw badRequest(`\`chat_template_kwargs\` must not hold '${found}'.`);
}

function render(template: ChatTemplate, job: TemplateJob, conversation: readonly JsonObject[]): string {
  const { kwargs, tools } = job;
  const knowsDeveloper = template.source.includes('"developer"') || template.source.includes("'developer'");
  const needsConversion = !knowsDeveloper && conversation.some(({ role }) => role === 'developer');
  const messages = needsConversion ? withoutDeveloperRole(conversation) : conversation;
  refuseReserved(kwargs, template);
  if (messages.length === 0) throw badRequest('A chat template cannot be applied to no messages: give one at least.');
  const addGenerationPrompt = kwargs['add_generation_prompt'] === true;
  const continues = kwargs['continue_final_message'] === true;
  if (continues && addGenerationPrompt) throw badRequest('`continue_final_message` needs `add_generation_prompt: false`.');
  const documents = kwargs['documents'] ?? null;
  if (documents !== null && !areDocuments(documents)) throw badRequest('`documents` must be a list of objects.');
  const marked = continues ? markFinalMessage(messages) : null;
  const text = template.render({
    ...job.specialTokens,
    ...templateVariables(kwargs, template.undeclared),
    messages: marked?.messages ?? messages,
    tools,
    documents,
    add_generation_prompt: addGenerationPrompt,
  });
  return marked === null ? text : cutAtFinalMessage(text, marked.text);
}

/** Media that the template shows nothing of would be lost, so each kind must make a difference. */
function checkMedia(template: ChatTemplate, job: TemplateJob, conversation: readonly JsonObject[], media: readonly MediaPart[], text: string): void {
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

import { badRequest } from '../core/errors.ts';
import type { ChatMessages } from '../protocol/chat-messages.ts';
import type { ChatTool, ToolChoice } from '../protocol/chat-tools.ts';
import type { ResponseFormat } from '../protocol/response-format.ts';
import type { ChatEncoder, EncodedPrompt, JsonObject } from './chat-encoder.ts';
import { chooseTemplate } from './choose-template.ts';
import { conversationOf } from './conversation.ts';
import type { MediaPart } from './conversation.ts';
import { boundIds, tokenizePrompt } from './prompt-tokens.ts';
import type { PromptTokens, TokenizeOptions } from './prompt-tokens.ts';
import type { RenderEnvironment } from './render-environment.ts';
import { renderTemplatePrompt } from './template-prompt.ts';
import type { TemplateJob, TemplatePrompt } from './template-prompt.ts';

/** All that a chat's prompt is made of. */
export interface ChatPromptInput {
  readonly messages: ChatMessages;
  /** The tools that the prompt shows, or null. */
  readonly tools: readonly ChatTool[] | null;
  readonly toolChoice: ToolChoice;
  readonly responseFormat: ResponseFormat | null;
  readonly documents: readonly unknown[] | null;
  readonly reasoningEffort: string | null;
  /** The request's own template and arguments, as sent. */
  readonly chatTemplate: string | null;
  readonly chatTemplateKwargs: Readonly<Record<string, unknown>> | null;
  /** The arguments in force: see `effectiveKwargs`. */
  readonly kwargs: Readonly<Record<string, unknown>>;
  readonly tokenize: TokenizeOptions;
}

export interface ChatPrompt extends PromptTokens {
  readonly media: readonly MediaPart[];
}

/** The template that a chat is rendered with: the request's, the server's, or the model's own. "auto" stands for none given. */
function templateSource(environment: RenderEnvironment, input: ChatPromptInput): string {
  const { model, settings } = environment;
  const fromKwargs = input.kwargs['chat_template'];
  const ofRequest = input.chatTemplate === 'auto' ? null : input.chatTemplate;
  const given = ofRequest ?? settings.chatTemplate ?? (typeof fromKwargs === 'string' ? fromKwargs : null);
  const source = chooseTemplate(model.chatTemplates, given, input.tools !== null);
  if (source !== null) return source;
  throw badRequest('This model has no chat template: give one with --chat-template, or use /v1/completions/render.');
}

async function fromTemplate(environment: RenderEnvironment, input: ChatPromptInput): Promise<TemplatePrompt> {
  const { settings, tokenizer } = environment;
  const override = input.kwargs['tools'];
  const job: TemplateJob = {
    source: templateSource(environment, input),
    contentFormat: settings.chatTemplateContentFormat,
    messages: input.messages.list,
    tools: Array.isArray(override) ? override : input.tools,
    kwargs: input.kwargs,
    specialTokens: tokenizer.specialTokens,
    now: settings.templateNow,
  };
  return (environment.renderTemplate ?? renderTemplatePrompt)(job);
}

async function fromEncoder(encoder: ChatEncoder, input: ChatPromptInput): Promise<EncodedPrompt> {
  const { messages, media } = conversationOf(input.messages.list, encoder.contentFormat);
  const [first] = media;
  if (first !== undefined) throw badRequest(`This model takes no ${first.modality} content.`);
  return encoder.encode({
    messages: input.messages.list,
    conversation: messages,
    tools: input.tools as readonly JsonObject[] | null,
    documents: input.documents,
    templateKwargs: input.kwargs,
    addGenerationPrompt: input.kwargs['add_generation_prompt'] === true,
    continueFinalMessage: input.kwargs['continue_final_message'] === true,
    reasoningEffort: input.reasoningEffort,
    toolChoice: input.tools === null ? null : input.toolChoice,
    responseFormat: input.responseFormat,
    requestChatTemplate: input.chatTemplate,
    requestTemplateKwargs: input.chatTemplateKwargs,
  });
}

/** Tokenizes what an encoder gave. Its texts have no offsets, as in the reference. */
export async function encodedIds(environment: RenderEnvironment, encoded: EncodedPrompt, tokenize: TokenizeOptions): Promise<PromptTokens> {
  const { tokenizer, encoder } = environment;
  if ('tokenIds' in encoded) {
    // Harmony's prompts are never cut: half a conversation has no meaning in it.
    const ids = encoder?.name === 'harmony' ? encoded.tokenIds : boundIds(tokenizer, encoded.tokenIds, tokenize);
    return { ids, offsets: null };
  }
  const options = { ...tokenize, addSpecialTokens: tokenize.addSpecialTokens || encoded.addSpecialTokens, returnOffsets: false };
  return tokenizePrompt(tokenizer, encoded.text, options);
}

/**
 * The token ids of a chat's prompt.
 * @throws ApiError 400
 */
export async function chatPrompt(environment: RenderEnvironment, input: ChatPromptInput): Promise<ChatPrompt> {
  if (input.messages.partsError !== null) throw badRequest(input.messages.partsError);
  const { encoder, tokenizer } = environment;
  if (encoder !== null) {
    return { ...(await encodedIds(environment, await fromEncoder(encoder, input), input.tokenize)), media: [] };
  }
  const { text, media } = await fromTemplate(environment, input);
  const returnOffsets = input.tokenize.returnOffsets && media.length === 0;
  return { ...(await tokenizePrompt(tokenizer, text, { ...input.tokenize, returnOffsets })), media };
}

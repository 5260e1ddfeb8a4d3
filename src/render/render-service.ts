import { ApiError } from '../core/errors.ts';
import type { ChatRequest, ReasoningEffort } from '../protocol/chat-request.ts';
import type { CompletionRequest } from '../protocol/completion-request.ts';
import type { GenerateRequest } from '../protocol/generate-request.ts';
import type { MessagesRequest } from '../protocol/messages-request.ts';
import type { ResponsesRequest } from '../protocol/responses-request.ts';
import type { TokenizeChatRequest } from '../protocol/tokenize-request.ts';
import { renderChat } from './chat-render.ts';
import { chooseTemplate } from './choose-template.ts';
import { renderCompletion } from './completion-render.ts';
import { samplingDefaults } from './default-sampling.ts';
import type { RenderContext } from './generate-request-parts.ts';
import { renderMessages } from './messages-render.ts';
import type { RenderEnvironment, RenderOptions } from './render-environment.ts';
import { renderResponses } from './responses-render.ts';
import { createTemplateProbe } from './template-probe.ts';
import { chatTemplateOf } from './template-prompt.ts';
import { tokenizeChat } from './tokenize-chat.ts';

/** Turns requests into what a tokens-only engine generates from. Every method throws ApiError 400 for what it cannot render. */
export interface RenderService {
  chat(request: ChatRequest, context: RenderContext): Promise<GenerateRequest>;
  /** One request a prompt. */
  completion(request: CompletionRequest, context: RenderContext): Promise<GenerateRequest[]>;
  messages(request: MessagesRequest, context: RenderContext): Promise<GenerateRequest>;
  responses(request: ResponsesRequest, context: RenderContext): Promise<GenerateRequest>;
  /** The token ids of a conversation, for /tokenize. */
  tokenizeChat(request: TokenizeChatRequest, context: RenderContext): Promise<number[]>;
  /** The effort that stands for thinking switched off in a Messages request. */
  disabledThinkingEffort(): Promise<ReasoningEffort>;
}

const DEFAULT_COHERE_FORMAT = 'cmd4';

/** Compiles the server's templates before the first request needs one. A broken one is told to whoever asks for it. */
function compileAhead({ model, settings }: RenderOptions): void {
  for (const withTools of [false, true]) {
    const source = chooseTemplate(model.chatTemplates, settings.chatTemplate, withTools);
    try {
      if (source !== null) chatTemplateOf(source);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
    }
  }
}

export function createRenderService(options: RenderOptions): RenderService {
  const { model, settings } = options;
  compileAhead(options);
  const environment: RenderEnvironment = {
    ...options,
    sampling: samplingDefaults(settings.generationConfig, model.generationConfig, settings.overrideGenerationConfig),
    defaultKwargs: { ...settings.defaultChatTemplateKwargs, cohere_format: settings.cohereFormat ?? DEFAULT_COHERE_FORMAT },
  };
  const probe = createTemplateProbe(environment);
  return {
    chat: (request, context) => renderChat(environment, request, context),
    completion: (request, context) => renderCompletion(environment, request, context),
    messages: (request, context) => renderMessages(environment, probe, request, context),
    responses: (request, context) => renderResponses(environment, request, context),
    tokenizeChat: (request, context) => tokenizeChat(environment, request, context),
    disabledThinkingEffort: () => probe.disabledThinkingEffort(),
  };
}

import type { TokenizeChatRequest } from '../protocol/tokenize-request.ts';
import { chatPrompt } from './chat-prompt.ts';
import { exactMembers } from './exact-members.ts';
import { RawJson } from './raw-json.ts';
import { checkMediaOptions, checkOwnTemplate, exactTools } from './generate-request-parts.ts';
import type { RenderContext } from './generate-request-parts.ts';
import type { RenderEnvironment } from './render-environment.ts';
import { effectiveKwargs } from './template-kwargs.ts';

/**
 * The token ids that a chat request with these members gets.
 * @throws ApiError 400
 */
export async function tokenizeChat(
  environment: RenderEnvironment,
  request: TokenizeChatRequest,
  context: RenderContext,
): Promise<number[]> {
  const raw = new RawJson(context.rawBody);
  const chatTemplateKwargs = exactMembers(raw, request.chat_template_kwargs, 'chat_template_kwargs');
  checkOwnTemplate(environment, request.chat_template, chatTemplateKwargs);
  checkMediaOptions(environment, request);
  const { add_generation_prompt: addGenerationPrompt, continue_final_message: continueFinalMessage } = request;
  const asked = { requested: chatTemplateKwargs, addGenerationPrompt, continueFinalMessage, documents: null, reasoningEffort: null };
  const prompt = await chatPrompt(environment, {
    messages: request.messages,
    tools: exactTools(raw, request.tools),
    toolChoice: null,
    responseFormat: null,
    documents: null,
    reasoningEffort: null,
    chatTemplate: request.chat_template,
    chatTemplateKwargs,
    kwargs: effectiveKwargs(asked, environment.defaultKwargs),
    tokenize: {
      // Whoever counts the tokens of a conversation wants to know also how much too long it is.
      maxModelLen: Number.POSITIVE_INFINITY,
      maxOutputTokens: 0,
      maxOutputTokensName: 'max_tokens',
      truncateTo: null,
      truncationSide: null,
      addSpecialTokens: request.add_special_tokens,
      returnOffsets: false,
    },
  });
  return prompt.ids;
}

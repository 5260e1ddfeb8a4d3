import { ApiError, badRequest, StartupError } from '../../../core/errors.ts';
import type { Tokenizer } from '../../../tokenizer/tokenizer.ts';
import type { ChatEncoder, ChatEncoderInput } from '../../chat-encoder.ts';
import { encodePieces, type PromptPiece, specialTokenIds } from '../prompt-pieces.ts';
import { readMessage } from './message.ts';
import { isMistralEffort, type ModelSettings, settingsJson } from './model-settings.ts';
import { normalize } from './normalize.ts';
import { PromptWriter } from './prompt.ts';
import { toolsJson } from './tools.ts';
import { checkMessages } from './validate.ts';
import type { MistralVersion } from './version.ts';

/** The prompt of Mistral's models as their own library (mistral-common) writes it, for its tokenizer versions 1 to 15. */

/** What the model's tokenizer file says. */
export interface MistralTokenizerFacts {
  readonly version: MistralVersion;
  /** Whether the file is a tekken.json (SentencePiece else). */
  readonly isTekken: boolean;
  /** Settings in the prompt (v15); null where the file describes none. */
  readonly settings: ModelSettings | null;
}

const TOKENS_SINCE: readonly (readonly [MistralVersion, readonly string[]])[] = [
  [1, ['<s>', '</s>']],
  [2, ['[INST]', '[/INST]', '[AVAILABLE_TOOLS]', '[/AVAILABLE_TOOLS]', '[TOOL_RESULTS]', '[/TOOL_RESULTS]', '[TOOL_CALLS]']],
  [7, ['[SYSTEM_PROMPT]', '[/SYSTEM_PROMPT]', '[TOOL_CONTENT]']],
  [11, ['[ARGS]', '[CALL_ID]']],
  [15, ['[MODEL_SETTINGS]', '[/MODEL_SETTINGS]']],
];
const THINKING_TOKENS = ['[THINK]', '[/THINK]'];

function refused(param: string, message: string): ApiError {
  return new ApiError(400, 'BadRequestError', message, param);
}

function checkRequest({ requestChatTemplate, requestTemplateKwargs, reasoningEffort }: ChatEncoderInput): void {
  if (requestChatTemplate !== null || requestTemplateKwargs !== null) {
    throw refused('chat_template', "This model's prompt is not written by a template: chat_template and chat_template_kwargs have no use.");
  }
  if (reasoningEffort !== null && reasoningEffort !== '' && !isMistralEffort(reasoningEffort)) {
    throw refused('reasoning_effort', `There is no reasoning effort ${JSON.stringify(reasoningEffort)}.`);
  }
}

function checkLastMessage({ messages, addGenerationPrompt, continueFinalMessage }: ChatEncoderInput): void {
  const isAssistant = messages.at(-1)?.['role'] === 'assistant';
  if (addGenerationPrompt && continueFinalMessage) throw badRequest('add_generation_prompt and continue_final_message exclude each other.');
  if (addGenerationPrompt && isAssistant)
    throw badRequest('The last message is from the assistant; set continue_final_message to go on with it.');
  if (continueFinalMessage && !isAssistant) throw badRequest('continue_final_message needs a last message from the assistant.');
}

function promptPieces(input: ChatEncoderInput, facts: MistralTokenizerFacts, writer: PromptWriter): PromptPiece[] {
  const { version, settings } = facts;
  checkRequest(input);
  checkLastMessage(input);
  const lastIndex = input.messages.length - 1;
  const messages = input.messages.map((message, index) =>
    readMessage(message, input.conversation[index]?.['tool_calls'], input.continueFinalMessage && index === lastIndex),
  );
  checkMessages(messages, version);
  const preface = {
    tools: toolsJson(input.tools),
    settings: version < 15 ? null : settingsJson(settings, input.templateKwargs['reasoning_effort']),
  };
  return writer.write(normalize(messages, version), preface);
}

/**
 * The encoder for Mistral's models: token ids. The tokenizer's `encode` must take special tokens in a text as plain text.
 * @throws StartupError where the tokenizer lacks the version's tokens
 */
export function createMistralEncoder(tokenizer: Tokenizer, facts: MistralTokenizerFacts): ChatEncoder {
  const { version, isTekken } = facts;
  if (version >= 13 && !isTekken) throw new StartupError(`Mistral's tokenizer version v${version} needs a tekken.json.`);
  const needed = TOKENS_SINCE.flatMap(([since, tokens]) => (since <= version ? tokens : []));
  const hasThinking = version >= 13 && THINKING_TOKENS.every((token) => tokenizer.tokenToId(token) !== undefined);
  const tokens = hasThinking ? [...needed, ...THINKING_TOKENS] : needed;
  const ids = specialTokenIds(tokenizer, `mistral v${version}`, Object.fromEntries(tokens.map((token) => [token, [token]])));
  const writer = new PromptWriter(version, hasThinking);
  const encodeText = async (text: string): Promise<number[]> => (text === '' ? [] : tokenizer.encode(text, false));
  return {
    name: 'mistral',
    contentFormat: 'string',
    encode: async (input) => ({ tokenIds: await encodePieces(promptPieces(input, facts, writer), ids, encodeText) }),
  };
}

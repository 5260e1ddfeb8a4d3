import { ApiError, badRequest } from '../../../core/errors.ts';
import type { Tokenizer } from '../../../tokenizer/tokenizer.ts';
import type { ChatEncoder, ChatEncoderInput, EncodedPrompt, JsonObject, ResponsesEncoderInput } from '../../chat-encoder.ts';
import { member } from '../json-value.ts';
import { encodePieces, specialTokenIds } from '../prompt-pieces.ts';
import { chatMessages } from './chat-messages.ts';
import { leadingInstructions } from './content-text.ts';
import { conversationPieces, type HarmonyMessage } from './message.ts';
import { developerMessage, type FunctionDeclaration, functionDeclaration, systemMessage } from './preamble.ts';
import { inputMessages, previousMessages } from './responses-items.ts';

/** The prompt of gpt-oss: OpenAI's Harmony format, https://cookbook.openai.com/articles/openai-harmony. */

const TOKENS = ['<|start|>', '<|message|>', '<|channel|>', '<|constrain|>', '<|end|>', '<|call|>'] as const;
const BUILTIN_TOOLS = new Set<unknown>(['web_search_preview', 'code_interpreter', 'container']);

function preamble(
  instructions: string | null,
  functions: readonly FunctionDeclaration[],
  effort: string | null,
  today: Date,
): HarmonyMessage[] {
  const system = systemMessage(effort, today, functions.length > 0);
  if ((instructions ?? '') === '' && functions.length === 0) return [system];
  return [system, developerMessage(instructions, functions)];
}

function fromChat(input: ChatEncoderInput, today: Date): HarmonyMessage[] {
  const { instructions, rest } = leadingInstructions(input.messages);
  const functions = (input.tools ?? []).map((tool) => functionDeclaration(member(tool, 'function')));
  return [...preamble(instructions, functions, input.reasoningEffort, today), ...chatMessages(rest)];
}

function declaredFunctions(tools: readonly JsonObject[]): FunctionDeclaration[] {
  const custom = tools.filter(({ type }) => !BUILTIN_TOOLS.has(type) && type !== 'mcp');
  if (custom.length === 0) return [];
  const odd = tools.find(({ type }) => !BUILTIN_TOOLS.has(type) && type !== 'function');
  if (odd !== undefined) throw badRequest(`Tools of type ${JSON.stringify(odd['type'])} are not supported.`, 'tools');
  return custom.map(functionDeclaration);
}

function fromResponses(request: ResponsesEncoderInput, today: Date): HarmonyMessage[] {
  const { input, previousInputMessages } = request;
  const read =
    request.instructions !== null || typeof input === 'string'
      ? { instructions: request.instructions, rest: input }
      : leadingInstructions(input);
  const messages = preamble(read.instructions, declaredFunctions(request.tools), request.reasoningEffort, today);
  messages.push(...previousMessages(previousInputMessages ?? []));
  if (typeof read.rest !== 'string') messages.push(...inputMessages(read.rest));
  else if (read.rest !== '' || (previousInputMessages ?? []).length === 0) messages.push({ role: 'user', contents: [read.rest] });
  return messages;
}

/**
 * Text whose special tokens are plain text. Cutting behind `<|` before a letter breaks up every special token, and is where the
 * tokenizer's own pattern ends a word in any text (punctuation is taken as far as it goes, a letter begins a new word).
 */
function withoutSpecialTokens(text: string): string[] {
  return text.split(/(?<=<\|)(?=[A-Za-z])/);
}

/**
 * The encoder for gpt-oss: token ids; special tokens in texts are plain text.
 * @param now the clock for the date in the prompt (its local day)
 * @throws StartupError where the tokenizer lacks Harmony's tokens
 */
export function createHarmonyEncoder(tokenizer: Tokenizer, now: () => Date): ChatEncoder {
  const ids = specialTokenIds(tokenizer, 'gpt-oss (Harmony)', Object.fromEntries(TOKENS.map((token) => [token, [token]])));
  const encodeText = async (text: string): Promise<number[]> => {
    const parts = await Promise.all(withoutSpecialTokens(text).map(async (part) => (part === '' ? [] : tokenizer.encode(part, false))));
    return parts.flat();
  };
  const encodeMessages = async (messages: readonly HarmonyMessage[]): Promise<EncodedPrompt> => ({
    tokenIds: await encodePieces(conversationPieces(messages), ids, encodeText),
  });
  return {
    name: 'harmony',
    contentFormat: 'string',
    encode(input) {
      if (input.reasoningEffort === 'none') throw new ApiError(400, 'BadRequestError', 'This model always reasons.', 'reasoning_effort');
      return encodeMessages(fromChat(input, now()));
    },
    encodeResponses: (request) => encodeMessages(fromResponses(request, now())),
  };
}

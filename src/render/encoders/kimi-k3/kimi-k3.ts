import { ApiError, badRequest } from '../../../core/errors.ts';
import { dumps, PythonNumber } from '../../../core/python-json.ts';
import type { Tokenizer } from '../../../tokenizer/tokenizer.ts';
import type { ChatEncoder, ChatEncoderInput, JsonObject } from '../../chat-encoder.ts';
import { items, member, members, textOf, toPython, truthy } from '../json-value.ts';
import { encodePieces, type PromptPiece, specialTokenIds } from '../prompt-pieces.ts';
import { sortedJson } from '../sorted-json.ts';
import { element, messageElement, openTag, plain, TOKENS } from './markup.ts';
import { nameResults } from './tool-results.ts';

/** The prompt of Kimi K3, as its makers publish it (`encoding_k3.py` in the model's repository). */

const EFFORTS = ['low', 'high', 'max'];

interface Thinking {
  readonly isOn: boolean;
  readonly effort: string | undefined;
}

/** @throws ApiError (400, param `thinking_effort`) for an effort that the model does not have */
function readThinking(kwargs: ChatEncoderInput['templateKwargs']): Thinking {
  const asked = kwargs['reasoning_effort'] ?? undefined;
  const effort = kwargs['thinking_effort'] ?? (asked === 'none' ? undefined : asked);
  if (effort !== undefined && !EFFORTS.includes(textOf(effort))) {
    const message = `This model has no thinking effort ${JSON.stringify(effort)}; it has ${EFFORTS.join(', ')}.`;
    throw new ApiError(400, 'BadRequestError', message, 'thinking_effort');
  }
  const chosen = kwargs['thinking'] ?? kwargs['enable_thinking'] ?? asked !== 'none';
  return { isOn: truthy(chosen), effort: effort === undefined ? undefined : textOf(effort) };
}

function systemNote(type: string, text: string): PromptPiece[] {
  return messageElement(
    [
      ['role', 'system'],
      ['type', type],
    ],
    plain(text),
  );
}

function toolNote(tools: readonly JsonObject[] | null): PromptPiece[] {
  if (tools === null || tools.length === 0) return [];
  const list = sortedJson(toPython(tools));
  return systemNote('tool-declare', `# Tools\nHere are the available tools, described in JSONSchema.\n\n\`\`\`json\n${list}\n\`\`\``);
}

function effortNote({ isOn, effort }: Thinking): PromptPiece[] {
  if (!isOn || effort === undefined) return [];
  const text =
    '`thinking_effort` guides on how much to think in your thinking channel (not including the response channel), supported values include `low`, `medium`, `high`, and `max`.';
  return systemNote('thinking-effort', `${text}\nNow the system is invoked with \`thinking_effort=${effort}\`.`);
}

function choiceNote(toolChoice: unknown): PromptPiece[] {
  if (toolChoice !== 'required' && toolChoice !== 'none') return [];
  const wanted = toolChoice === 'required' ? 'call tools' : 'NOT call any tools';
  return systemNote('tool-choice', `The system is invoked with \`tool_choice=${toolChoice}\`.\nYou MUST ${wanted} in the next message.`);
}

function formatNote(format: JsonObject | null): PromptPiece[] {
  const type = format?.['type'];
  if (type !== 'json_object' && type !== 'json_schema') return [];
  const rule = 'Your response must be raw JSON data without markdown code blocks (```json) or any additional formatting.';
  const text = `The system is invoked with \`response_format=${type}\`.\n${rule}`;
  if (type === 'json_object') return systemNote('response-format', text);
  const named = format?.['json_schema'];
  const schema = sortedJson(toPython(member(named, 'schema') ?? member(named, 'json_schema') ?? named));
  return systemNote('response-format', `${text}\nThe JSON data must match the following schema:\n\`\`\`json\n${schema}\n\`\`\``);
}

function typeOf(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'array';
  if (value instanceof PythonNumber) return 'number';
  return typeof value;
}

function callElement(toolCall: unknown, index: number): PromptPiece[] {
  const called = member(toolCall, 'function');
  const parameters = members(member(called, 'arguments')).map(([key, value]) => {
    const text = typeof value === 'string' ? value : dumps(toPython(value));
    return element(
      'argument',
      [
        ['key', key],
        ['type', typeOf(value)],
      ],
      plain(text),
    );
  });
  const attributes = [['tool', textOf(member(called, 'name'))] as const, ['index', index + 1] as const];
  return element('call', attributes, parameters.flat());
}

function assistantMessage(message: JsonObject, { isOn }: Thinking): PromptPiece[] {
  const reasoning = textOf(message['reasoning_content']) || textOf(message['reasoning']);
  const calls = items(message['tool_calls']).map(callElement);
  return messageElement(
    [['role', 'assistant']],
    [
      ...(isOn ? element('think', [], reasoning.trim() === '' ? [] : plain(reasoning)) : []),
      ...element('response', [], plain(textOf(message['content']))),
      ...(calls.length === 0 ? [] : element('tools', [], calls.flat())),
    ],
  );
}

class ConversationWriter {
  private readonly thinking: Thinking;
  private toolCalls: readonly unknown[] = [];
  private results: JsonObject[] = [];
  private resultsSeen = 0;
  private isDirect = false;
  readonly pieces: PromptPiece[] = [];

  constructor(thinking: Thinking) {
    this.thinking = thinking;
  }

  add(message: JsonObject): void {
    const { role, name } = message;
    if (role === 'tool') {
      this.results.push(message);
      return;
    }
    this.flushResults();
    this.isDirect = role === 'assistant';
    if (role === 'assistant') {
      this.toolCalls = items(message['tool_calls']);
      this.resultsSeen = 0;
      this.pieces.push(...assistantMessage(message, this.thinking));
    } else if (role === 'user' || role === 'system') {
      const attributes = [['role', role] as const, ...(textOf(name) === '' ? [] : [['name', textOf(name)] as const])];
      this.pieces.push(...messageElement(attributes, plain(textOf(message['content']))));
    }
  }

  /** Results are numbered through until the next assistant message. */
  flushResults(): void {
    for (const { message, tool } of nameResults(this.results, this.toolCalls, this.isDirect)) {
      this.resultsSeen += 1;
      const counted = member(member(this.toolCalls[this.resultsSeen - 1], 'function'), 'name');
      const name = tool ?? message['name'] ?? counted;
      if (typeof name !== 'string') throw badRequest('A tool message must follow a call of a tool, or have a name.');
      const attributes = [['role', 'tool'] as const, ['tool', name] as const, ['index', this.resultsSeen] as const];
      this.pieces.push(...messageElement(attributes, plain(textOf(message['content']))));
    }
    this.results = [];
  }
}

function promptPieces(input: ChatEncoderInput): PromptPiece[] {
  const thinking = readThinking(input.templateKwargs);
  const writer = new ConversationWriter(thinking);
  for (const message of input.conversation) writer.add(message);
  writer.flushResults();
  return [
    ...toolNote(input.tools),
    ...effortNote(thinking),
    ...writer.pieces,
    ...choiceNote(input.toolChoice),
    ...formatNote(input.responseFormat),
    ...(input.addGenerationPrompt
      ? [...openTag('message', [['role', 'assistant']]), ...openTag(thinking.isOn ? 'think' : 'response')]
      : []),
  ];
}

/**
 * Text whose special tokens are plain text. They are broken up in front of their closing bar or bracket, behind a letter or digit: there the
 * tokenizer's own pattern ends a word in any text.
 */
function withoutSpecialTokens(text: string): string[] {
  return text.split(/(?=\|>|\])(?<=(?:<\||\[)[A-Za-z0-9_]*[A-Za-z0-9])/);
}

/**
 * The encoder for Kimi K3: token ids; special tokens in texts are plain text.
 * @throws StartupError where the tokenizer lacks the model's tokens
 */
export function createKimiK3Encoder(tokenizer: Tokenizer): ChatEncoder {
  const ids = specialTokenIds(tokenizer, 'kimi_k3', Object.fromEntries(TOKENS.map((token) => [token, [token]])));
  const encodeText = async (text: string): Promise<number[]> => {
    const parts = await Promise.all(withoutSpecialTokens(text).map(async (part) => tokenizer.encode(part, false)));
    return parts.flat();
  };
  return {
    name: 'kimi_k3',
    contentFormat: 'string',
    encode: async (input) => ({ tokenIds: await encodePieces(promptPieces(input), ids, encodeText) }),
  };
}

import { badRequest } from '../../../core/errors.ts';
import { dumps, type PythonValue, tryLoads } from '../../../core/python-json.ts';
import type { PromptPiece } from '../prompt-pieces.ts';
import type { Call, Chunk, Message } from './message.ts';
import type { Conversation } from './normalize.ts';
import type { MistralVersion } from './version.ts';

/** A conversation in pieces, one function a role; each text is tokenized by itself. */

/** What stands before a user message: at the first one since v13, before that at the last one. */
export interface Preface {
  readonly tools: string | null;
  readonly settings: string | null;
}

interface Place {
  readonly version: MistralVersion;
  readonly isFirstUser: boolean;
  readonly isLastUser: boolean;
  readonly isBeforeLastUser: boolean;
}

function delimited(name: string, text: string): PromptPiece[] {
  return [{ token: `[${name}]` }, { text }, { token: `[/${name}]` }];
}

function plainText(content: Message['content']): string {
  if (Array.isArray(content)) throw badRequest('This model has no thinking parts in messages.');
  return typeof content === 'string' ? content : '';
}

function thinkingPieces(chunk: Chunk & { type: 'thinking' }, version: MistralVersion, hasThinking: boolean): PromptPiece[] {
  if (version < 13 || !hasThinking) throw badRequest('This model has no thinking parts in messages.');
  return [{ token: '[THINK]' }, { text: chunk.thinking }, ...(chunk.closed ? [{ token: '[/THINK]' }] : [])];
}

export class PromptWriter {
  private readonly version: MistralVersion;
  private readonly hasThinking: boolean;

  /** @param hasThinking whether the tokenizer has `[THINK]` and `[/THINK]` */
  constructor(version: MistralVersion, hasThinking: boolean) {
    this.version = version;
    this.hasThinking = hasThinking;
  }

  /**
   * The whole prompt, `<s>` first.
   * @throws ApiError (400) for what the version cannot write
   */
  write({ messages, systemPrompt }: Conversation, preface: Preface): PromptPiece[] {
    const firstUser = messages.findIndex(({ role }) => role === 'user');
    const lastUser = messages.findLastIndex(({ role }) => role === 'user');
    if (this.version === 2) this.checkSingleResults(messages.slice(Math.max(lastUser, 0)));
    const pieces = messages.flatMap((message, index) => {
      const place: Place = {
        version: this.version,
        isFirstUser: index === firstUser,
        isLastUser: index === lastUser,
        isBeforeLastUser: index < lastUser,
      };
      if (message.role === 'user') return this.userPieces(message, place, systemPrompt, preface);
      if (message.role === 'assistant') return this.assistantPieces(message, place);
      if (message.role === 'tool') return this.resultPieces(message, place);
      return [{ token: '[SYSTEM_PROMPT]' }, ...this.contentPieces(message.content), { token: '[/SYSTEM_PROMPT]' }];
    });
    return [{ token: '<s>' }, ...pieces];
  }

  private checkSingleResults(messages: readonly Message[]): void {
    const isSecond = messages.some(({ role }, index) => role === 'tool' && messages[index + 1]?.role === 'tool');
    if (isSecond) throw badRequest('This model takes one tool result at a time.');
  }

  private contentPieces(content: Message['content']): PromptPiece[] {
    if (!Array.isArray(content)) return [{ text: plainText(content) }];
    return content.flatMap((chunk: Chunk) =>
      chunk.type === 'text' ? [{ text: chunk.text }] : thinkingPieces(chunk, this.version, this.hasThinking),
    );
  }

  private userPieces(message: Message, place: Place, systemPrompt: string | null, { tools, settings }: Preface): PromptPiece[] {
    const text = plainText(message.content);
    const withSystem = (carries: boolean): string => (carries && systemPrompt !== null ? `${systemPrompt}\n\n${text}` : text);
    // v1 has no special tokens but the begin and the end of a text.
    if (this.version === 1) return [{ text: `[INST] ${withSystem(place.isFirstUser)} [/INST]` }];
    const carriesPreface = this.version >= 13 ? place.isFirstUser : place.isLastUser;
    return [
      ...(carriesPreface && tools !== null ? delimited('AVAILABLE_TOOLS', tools) : []),
      ...(carriesPreface && settings !== null ? delimited('MODEL_SETTINGS', settings) : []),
      ...delimited('INST', withSystem(place.isLastUser)),
    ];
  }

  private assistantPieces(message: Message, place: Place): PromptPiece[] {
    const { content, calls, isPrefix } = message;
    const isEmpty = (content ?? '').length === 0;
    if (isEmpty && calls.length === 0) throw badRequest('An assistant message must have content or tool calls.');
    if (this.version === 1 && calls.length > 0) throw badRequest('This model has no tools.');
    if (this.version < 7 && !isEmpty && calls.length > 0) throw badRequest('An assistant message must have either content or tool calls.');
    if (this.version === 2 && calls.length > 0 && place.isBeforeLastUser) return [];
    const text = typeof content === 'string' && this.version > 1 ? content.replace(/ +$/, '') : content;
    return [
      ...(isEmpty ? [] : this.contentPieces(text)),
      ...(calls.length === 0 ? [] : this.callPieces(calls)),
      ...(isPrefix ? [] : [{ token: '</s>' }]),
    ];
  }

  private callPieces(calls: readonly Call[]): PromptPiece[] {
    if (this.version < 11) {
      const list = calls.map(({ id, name, args }): PythonValue => {
        const call = new Map<string, PythonValue>([
          ['name', name],
          ['arguments', tryLoads(args) ?? args],
        ]);
        if (this.version > 2 && id !== '') call.set('id', id);
        return call;
      });
      return [{ token: '[TOOL_CALLS]' }, { text: dumps(list) }];
    }
    return calls.flatMap(({ id, name, args }) => [
      { token: '[TOOL_CALLS]' },
      { text: name },
      ...(this.version < 13 ? [{ token: '[CALL_ID]' }, { text: id }] : []),
      { token: '[ARGS]' },
      { text: args },
    ]);
  }

  private resultPieces({ content, name, toolCallId }: Message, place: Place): PromptPiece[] {
    const text = plainText(content);
    if (this.version === 1) throw badRequest('This model has no tools.');
    if (this.version >= 13) return delimited('TOOL_RESULTS', text);
    if (this.version >= 7) {
      return [{ token: '[TOOL_RESULTS]' }, { text: toolCallId ?? '' }, { token: '[TOOL_CONTENT]' }, { text }, { token: '[/TOOL_RESULTS]' }];
    }
    const value = tryLoads(text) ?? (text === 'null' ? null : text);
    if (this.version === 3) {
      return delimited(
        'TOOL_RESULTS',
        dumps(
          new Map<string, PythonValue>([
            ['content', value],
            ['call_id', toolCallId],
          ]),
        ),
      );
    }
    if (place.isBeforeLastUser) return [];
    return delimited(
      'TOOL_RESULTS',
      dumps([
        new Map<string, PythonValue>([
          ['name', name],
          ['content', value],
        ]),
      ]),
    );
  }
}

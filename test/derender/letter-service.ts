import { chooseFormats } from '../../src/parsers/registry.ts';
import type { ChatOneShot, ChatStreamed, CompletionOneShot, CompletionStreamed, DerenderService } from '../../src/derender/service.ts';
import { createDerenderService } from '../../src/derender/service.ts';
import { parseChatDerender } from '../../src/protocol/derender-chat.ts';
import { parseCompletionDerender } from '../../src/protocol/derender-completion.ts';
import { parseMessagesRequest } from '../../src/protocol/messages-request.ts';
import { chatRequestOf } from '../../src/render/messages-render.ts';
import { letterTokenizer } from './letter-tokenizer.ts';

export interface ServiceFlags {
  tool?: string;
  reasoning?: string;
  streamState?: 'compact' | 'vllm';
  streamStateKey?: string;
  maxModelLen?: number;
}

/** A service on the letter tokenizer. */
export function letterService(flags: ServiceFlags = {}): DerenderService {
  const { tool = null, reasoning = null, streamState = 'compact', streamStateKey = null, maxModelLen = 100_000 } = flags;
  return createDerenderService({
    tokenizer: letterTokenizer,
    model: { maxModelLen, modelType: '', eosTokenIds: [0], tokenizerConfig: {} },
    settings: {
      servedModelNames: ['m'],
      maxLogprobs: 20,
      streamState,
      streamStateKey,
      toolCallParser: tool,
      reasoningParser: reasoning,
      defaultChatTemplateKwargs: {},
      reasoningEffortMap: {},
    },
    formats: chooseFormats(tool, reasoning),
    messagesToChat: () =>
      Promise.resolve((value) => chatRequestOf(parseMessagesRequest(value), null, { mergeInlineSystem: false, disabledEffort: 'none' })),
  });
}

/** A body as it comes over the wire. */
export type Body = Readonly<Record<string, unknown>>;

const overTheWire = (body: Body): unknown => JSON.parse(JSON.stringify(body));

export function chatBody(body: Body): ChatOneShot {
  const parsed = parseChatDerender(overTheWire(body));
  if (parsed.kind !== 'one-shot') throw new Error('not a one-shot body');
  return parsed;
}

export function chatChunkBody(body: Body): ChatStreamed {
  const parsed = parseChatDerender(overTheWire({ stream: true, ...body }));
  if (parsed.kind !== 'stream') throw new Error('not a stream body');
  return parsed;
}

export function completionBody(body: Body): CompletionOneShot {
  const parsed = parseCompletionDerender(overTheWire(body));
  if (parsed.kind !== 'one-shot') throw new Error('not a one-shot body');
  return parsed;
}

export function completionChunkBody(body: Body): CompletionStreamed {
  const parsed = parseCompletionDerender(overTheWire({ stream: true, ...body }));
  if (parsed.kind !== 'stream') throw new Error('not a stream body');
  return parsed;
}

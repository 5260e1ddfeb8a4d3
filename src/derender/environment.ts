import type { Settings } from '../core/settings.ts';
import type { SessionFormats } from '../parsers/session.ts';
import type { ChatRequest } from '../protocol/chat-request.ts';
import type { Tokenizer } from '../tokenizer/tokenizer.ts';
import type { ChatParsing } from './chat-parsing.ts';
import type { EndTokens } from './stop-token.ts';
import { SnapshotCache } from './snapshot-cache.ts';

/** What derendering knows of the model. */
export interface DerenderModel {
  /** Most tokens of prompt and output together. */
  maxModelLen: number;
  /** `model_type` of config.json, empty where there is none. */
  modelType: string;
  /** End tokens of the generation config; the tokenizer's own is added. */
  eosTokenIds: readonly number[];
  /** `tokenizer_config.json`. */
  tokenizerConfig: Readonly<Record<string, unknown>>;
}

export type DerenderSettings = Pick<
  Settings,
  | 'servedModelNames'
  | 'maxLogprobs'
  | 'streamState'
  | 'streamStateKey'
  | 'toolCallParser'
  | 'reasoningParser'
  | 'defaultChatTemplateKwargs'
  | 'reasoningEffortMap'
>;

/** What a derender service is made of. */
export interface DerenderOptions {
  tokenizer: Tokenizer;
  model: DerenderModel;
  settings: DerenderSettings;
  /** The parsers of the server, or null where it has none. */
  formats: SessionFormats | null;
  /** Gives the function that makes a chat request of a Messages request. Called once, when the first such body comes. */
  messagesToChat(): Promise<(value: unknown) => ChatRequest>;
}

/** The same for the whole life of a server. */
export interface DerenderEnvironment extends DerenderOptions {
  ends: EndTokens;
  limits: { maxModelLen: number; maxLogprobs: number };
  snapshots: SnapshotCache;
  /** Parsers set up for the requests of streams. */
  streamParsings: WeakMap<ChatRequest, ChatParsing>;
}

export function derenderEnvironment(options: DerenderOptions): DerenderEnvironment {
  const { tokenizer, model, settings } = options;
  const primary = tokenizer.eosTokenId;
  const all = new Set(model.eosTokenIds);
  if (primary !== undefined) all.add(primary);
  return {
    ...options,
    ends: { primary, all },
    limits: { maxModelLen: model.maxModelLen, maxLogprobs: settings.maxLogprobs },
    snapshots: new SnapshotCache(),
    streamParsings: new WeakMap(),
  };
}

/** The name that answers carry. @param requested the request's; empty counts as none */
export function answerModel(environment: DerenderEnvironment, requested: string | null): string {
  return requested || (environment.settings.servedModelNames[0] ?? '');
}

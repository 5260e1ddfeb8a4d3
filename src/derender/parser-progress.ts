import { badRequest } from '../core/errors.ts';
import type { SessionFormats, SessionState } from '../parsers/session.ts';
import type { StreamState } from '../protocol/stream-state.ts';
import { seedWindow } from '../tokenizer/incremental-detokenizer.ts';
import type { DetokenizerWindow } from '../tokenizer/incremental-detokenizer.ts';
import type { ChatParsing } from './chat-parsing.ts';
import { decodePieces } from './decode-output.ts';
import type { DerenderEnvironment } from './environment.ts';
import { historyDigest } from './snapshot-cache.ts';
import type { HistoryKey } from './snapshot-cache.ts';
import { unpackSnapshot } from './snapshot-text.ts';
import { windowOf } from './stream-window.ts';

/** How far parsers and decoding have come in a stream. */
export interface ParserProgress {
  snapshot: SessionState;
  window: DetokenizerWindow;
  promptTokens: number;
  outputTokens: number;
}

/** Names the parsers and the versions of their states: a state of others cannot be read. */
export function parserNames({ tool, reasoning, unified }: SessionFormats): string {
  return [tool, reasoning, unified]
    .filter((format) => format !== null)
    .map((format) => `${format.kind}:${format.name}/${format.stateVersion}`)
    .join(' ');
}

/**
 * Progress out of a compact state.
 * @throws ApiError 400 where it was written by other parsers, or cannot have been written by these
 */
export function resumeCompact(parsing: ChatParsing, formats: SessionFormats, state: StreamState): ParserProgress | null {
  const compact = state.parser_state;
  if (!compact) return null;
  const names = parserNames(formats);
  if (compact.parsers !== names)
    throw badRequest(`invalid stream_state: it was written by "${compact.parsers}", this server parses with "${names}".`);
  const snapshot = parsing.session.stateSchema.safeParse(unpackSnapshot(compact.snapshot));
  if (!snapshot.success) throw badRequest('invalid stream_state: the snapshot of the parsers is damaged.');
  return { snapshot: snapshot.data, window: windowOf(state), promptTokens: compact.prompt_tokens, outputTokens: compact.output_tokens };
}

/** Progress before the first token. */
function startProgress(environment: DerenderEnvironment, parsing: ChatParsing, promptIds: readonly number[]): ParserProgress {
  return {
    snapshot: parsing.session.init(promptIds),
    window: seedWindow(environment.tokenizer, promptIds, false),
    promptTokens: promptIds.length,
    outputTokens: 0,
  };
}

/** Progress behind a history, from the snapshot that this server kept, else by one replay of all of it. */
export function resumeHistory(environment: DerenderEnvironment, parsing: ChatParsing, history: HistoryKey): ParserProgress {
  const { promptIds, outputIds } = history;
  const start = startProgress(environment, parsing, promptIds);
  if (outputIds.length === 0) return start;
  const kept = environment.settings.streamState === 'vllm' ? environment.snapshots.take(historyDigest(history)) : undefined;
  if (kept !== undefined) return JSON.parse(kept) as ParserProgress;
  let from = 0;
  for (const length of history.chunkLens) {
    const ids = outputIds.slice(from, from + length);
    parsing.session.push(start.snapshot, decodePieces(environment.tokenizer, ids, start.window, false).flat(), false);
    from += length;
  }
  return { ...start, outputTokens: outputIds.length };
}

/** Keeps progress for the chunk that follows on a history. */
export function keepProgress(environment: DerenderEnvironment, history: HistoryKey, progress: ParserProgress): void {
  environment.snapshots.put(historyDigest(history), JSON.stringify(progress));
}
